// Division by zero.
// teasel: strategies=random,dfs
// expect: crash at=BUG
// expect: message ~ SIGFPE
static volatile int zero;

int main(void) {
    return 7 / zero; // BUG
}
