// does not: the alarm that nobody handles ends it
#include <unistd.h>

int main(void) {
    alarm(100);
    for (;;)
        ;
}
