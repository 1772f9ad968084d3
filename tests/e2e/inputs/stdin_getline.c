// getline and getdelim: a line of two fields.
// teasel: strategies=optimal flags=--stdin=6,--solver-check native=no
// expect: assertion at=BUG
// expect: mispredicted count=0
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *key = NULL, *value = NULL;
    size_t room = 0, more = 0;
    ssize_t n = getdelim(&key, &room, '=', stdin);
    ssize_t m = getline(&value, &more, stdin);
    if (n == 3 && m == 3 && strncmp(key, "id", 2) == 0 && key[2] == '=' && atoi(value) == 42)
        assert(value[2] != '\n'); // BUG
    free(key);
    free(value);
    return 0;
}
