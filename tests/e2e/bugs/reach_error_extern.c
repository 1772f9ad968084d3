// reach_error() declared and never defined.
// teasel: strategies=random,dfs
// expect: assertion at=BUG
extern void reach_error(void);

int main(int argc, char **argv) {
    (void)argv;
    if (argc == 1)
        reach_error(); // BUG
    return 0;
}
