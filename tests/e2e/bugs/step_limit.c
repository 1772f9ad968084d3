// A loop without end: every run stops at the step limit, the campaign goes on.
// teasel: strategies=random,dfs runs=10 flags=--steps,10000 determinism=no
// expect: step-limit
static volatile int x;

int main(void) {
    for (;;)
        x++;
}
