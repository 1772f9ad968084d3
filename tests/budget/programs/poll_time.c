// Long: polls the time until a second has passed, while another thread does the same.
#include <pthread.h>
#include <time.h>

static void *poll(void *unused) {
    time_t begun = time(0);
    while (time(0) - begun < 2)
        ;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, poll, 0);
    poll(0);
    pthread_join(t, 0);
}
