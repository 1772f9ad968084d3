// Long: a thread sleeps for a year, again and again.
#include <pthread.h>
#include <unistd.h>

static volatile int stop;

static void *sleeper(void *unused) {
    while (!stop)
        sleep(31536000);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, sleeper, 0);
    pthread_join(t, 0);
}
