// Two threads that each read from a pipe before they write to the other's.
// teasel: strategies=random,dfs runs=20
// expect: deadlock at=BUG
#include <pthread.h>
#include <unistd.h>

static int to_a[2], to_b[2];

static void *a(void *arg) {
    char c;
    read(to_a[0], &c, 1); // BUG
    write(to_b[1], "x", 1);
    return arg;
}

static void *b(void *arg) {
    char c;
    read(to_b[0], &c, 1); // BUG
    write(to_a[1], "x", 1);
    return arg;
}

int main(void) {
    pthread_t x, y;
    if (pipe(to_a) != 0 || pipe(to_b) != 0)
        return 1;
    pthread_create(&x, NULL, a, NULL);
    pthread_create(&y, NULL, b, NULL);
    pthread_join(x, NULL); // BUG
    pthread_join(y, NULL);
    return 0;
}
