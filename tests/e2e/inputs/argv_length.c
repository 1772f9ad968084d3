// Up to three characters: four lengths.
// teasel: strategies=optimal,dfs flags="--argv=@3,--solver-check,--fail-on-exit" native=no
// expect: complete
// expect: paths count=4
// expect: mispredicted count=0
#include <string.h>

int main(int argc, char **argv) { return argc != 2 || strlen(argv[1]) > 3; }
