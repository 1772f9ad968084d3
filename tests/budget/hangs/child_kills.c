// does not: a child may kill it
#include <unistd.h>

int main(void) {
    if (fork() == 0)
        for (;;)
            pause();
    for (;;)
        ;
}
