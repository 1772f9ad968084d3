// Recursion without end, in main.
// teasel: strategies=random,dfs
// expect: crash at=BUG
// expect: message ~ stack overflow
static volatile int depth;

static int down(int n) {           // BUG
    volatile char frame[200];      // BUG
    frame[0] = (char)n;            // BUG
    depth = n;                     // BUG
    return down(n + 1) + frame[0]; // BUG
}

int main(void) { return down(0); }
