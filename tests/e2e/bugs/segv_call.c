// A call through a null pointer: the caller is to blame.
// teasel: strategies=random,dfs
// expect: crash at=BUG
static void (*volatile function)(void);

int main(void) {
    function(); // BUG
    return 0;
}
