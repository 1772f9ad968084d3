// Arguments arrive, also with spaces; globals are fresh in every run.
// teasel: strategies=random,dfs runs=100 args="one 'two three' --seed"
// expect: clean
#include <assert.h>
#include <string.h>

static int runs;
static char buffer[100000];

int main(int argc, char **argv) {
    assert(argc == 4);
    assert(strcmp(argv[1], "one") == 0);
    assert(strcmp(argv[2], "two three") == 0);
    assert(strcmp(argv[3], "--seed") == 0);
    argv[1][0] = 'X'; // put back by the restart
    assert(++runs == 1);
    for (unsigned i = 0; i < sizeof buffer; i += 4096)
        assert(++buffer[i] == 1);
    return 0;
}
