// montecarlo (RAPOS, Table 1; a kernel of the Java Grande benchmarks): each of eleven threads, of
// which main is one, walks a price along a path of its own and puts the result into a shared list.
// Main draws the path of a thread before it starts the thread.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { THREADS = 11, PATH = 9 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned change[THREADS][PATH];
static unsigned result[THREADS], results; // guarded by the lock

static void draw(int thread) {
    unsigned seed = (unsigned)thread + 1;
    for (int i = 0; i < PATH; i++) {
        seed = seed * 1103515245u + 12345u;
        change[thread][i] = seed >> 24;
    }
}

static void *walk(void *arg) {
    int me = (int)(intptr_t)arg;
    unsigned price = change[me][0] + change[me][PATH - 1];
    pthread_mutex_lock(&lock);
    result[results++] = price;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread[THREADS];
    for (int i = 1; i < THREADS; i++) {
        draw(i);
        pthread_create(&thread[i], NULL, walk, (void *)(intptr_t)i);
    }
    draw(0);
    walk(NULL);
    for (int i = 1; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert(results == THREADS);
    return 0;
}
