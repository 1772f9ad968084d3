// A sequence lock whose reader does not look at the sequence number again: half of what it has
// is old.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=2000 flags=--steps,2000,--seconds,5
// expect: assertion at=BUG
#include "client.h"
#include <stdatomic.h>

static _Atomic unsigned sequence;
static _Atomic int left, right;

static void *change(void *arg) {
    for (int i = 1; i <= 2; i++) {
        sequence++;
        left = i;
        right = -i;
        sequence++;
    }
    return arg;
}

static void *look(void *arg) {
    unsigned before;
    int seen_left, seen_right;
    do {
        do
            before = sequence;
        while (before & 1);
        seen_left = left;
        seen_right = right;
#ifdef CORRECT
    } while (sequence != before);
#else
    } while (0);
#endif
    assert(seen_left == -seen_right); // BUG
    return arg;
}

int main(void) {
    pthread_t writer, reader;
    pthread_create(&writer, NULL, change, NULL);
    pthread_create(&reader, NULL, look, NULL);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    return 0;
}
