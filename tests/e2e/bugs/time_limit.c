// A loop that makes no visible step and changes a register: the watchdog ends the run.
// teasel: strategies=random runs=2 flags=--run-seconds,1 timeout=60 determinism=no emulated=no
// expect: time-limit
int main(void) {
    for (unsigned long i = 0;; i++)
        __asm__ volatile("" : "+r"(i));
}
