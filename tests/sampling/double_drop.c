// The last of three users frees the object; who is last is found out in two steps.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=2000
// expect: double-free at=BUG
#include <pthread.h>
#include <stdlib.h>

enum { USERS = 3 };

static _Atomic int users = USERS;
static int *object;

static void *drop(void *arg) {
#ifdef CORRECT
    int left = --users;
#else
    users--;
    int left = users;
#endif
    if (left == 0)
        free(object); // BUG
    return arg;
}

int main(void) {
    pthread_t thread[USERS];
    object = malloc(sizeof *object);
    for (int i = 0; i < USERS; i++)
        pthread_create(&thread[i], NULL, drop, NULL);
    for (int i = 0; i < USERS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
