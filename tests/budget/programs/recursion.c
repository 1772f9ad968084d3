// Greedy: calls itself without end.
static volatile int depth;

static int deeper(int n) {
    depth++;
    return deeper(n + 1) + depth;
}

int main(void) { return deeper(0); }
