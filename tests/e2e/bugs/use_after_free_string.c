// A freed string is given to strlen: the call is to blame.
// teasel: strategies=random,dfs
// expect: use-after-free at=BUG
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *volatile p = malloc(10);
    strcpy(p, "tea");
    free(p);
    return (int)strlen(p); // BUG
}
