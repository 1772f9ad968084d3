// __builtin_trap.
// teasel: strategies=random,dfs
// expect: crash at=BUG
int main(int argc, char **argv) {
    (void)argv;
    if (argc)
        __builtin_trap(); // BUG
    return 0;
}
