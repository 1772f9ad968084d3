// First values go to inputs in the order the first thread has them: those from outside first.
// teasel: strategies=optimal,random flags="--argv=-@2,--seed-input={folder}/first_values.txt" native=no
// expect: assertion at=BUG
// expect: found within=1
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <teasel.h>

static char other;

static void *ask(void *arg) {
    other = teasel_char("other");
    return arg;
}

int main(int argc, char **argv) {
    pthread_t t;
    char word[4], rest[8];
    pthread_create(&t, NULL, ask, NULL);
    pthread_join(t, NULL);
    TEASEL_INPUT(word);
    TEASEL_INPUT(rest);
    if (argc == 2 && strcmp(argv[1], "-ma") == 0 && other != 'g')
        assert(memcmp(word, "gic ", 4) != 0 || memcmp(rest, "words", 5) != 0); // BUG
    return 0;
}
