// does not: system calls may do anything
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
    while (syscall(SYS_sched_yield) == 0)
        ;
}
