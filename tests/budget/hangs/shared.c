// does not: another process may write it
#include <sys/mman.h>

int main(void) {
    volatile int *flag = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    while (!*flag)
        ;
}
