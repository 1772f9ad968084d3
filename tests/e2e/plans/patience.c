// The only run takes longer than a run gets at first: the search starts over with more time for one run.
//
// teasel: strategies=optimal,paths,source,portfolio flags=--seconds=8 determinism=no native=no
// expect: clean
// expect: verdict ~ ^complete
#include <stdlib.h>

int main(void) { return system("sleep 0.6"); }
