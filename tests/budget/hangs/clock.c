// does not: it waits for the time
#include <time.h>

int main(void) {
    time_t begun = time(0);
    while (time(0) - begun < 1000000)
        ;
}
