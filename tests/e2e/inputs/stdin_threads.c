// Two threads read standard input, and no lock says who is first: that is decided by the
// schedule, what they read by the input.
// teasel: strategies=optimal flags=--stdin=2,--solver-check,--keep-going native=no
// expect: assertion at=BUG
// expect: assertion at=BUG2
// expect: complete
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int got[2];

static void *reader(void *arg) {
    *(int *)arg = getchar();
    return NULL;
}

int main(void) {
    pthread_t t;
    setvbuf(stdin, NULL, _IONBF, 0);
    pthread_create(&t, NULL, reader, &got[0]);
    reader(&got[1]);
    pthread_join(t, NULL);
    if (got[0] == 'a' && got[1] == 'b') {
        rewind(stdin);
        if (getchar() == 'a')
            assert(!"the other was first"); // BUG
        assert(!"main was first");          // BUG2
    }
    return 0;
}
