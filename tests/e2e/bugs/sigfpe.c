// Division by zero (aarch64 does not trap it).
// teasel: strategies=random,dfs emulated=no
// expect: crash at=BUG
// expect: message ~ SIGFPE
static volatile int zero;

int main(void) {
    return 7 / zero; // BUG
}
