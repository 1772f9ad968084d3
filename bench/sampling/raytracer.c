// raytracer (RAPOS, Table 1; a kernel of the Java Grande benchmarks): eleven threads, of which main
// is one.  A counter hands out rows of the picture; a thread that has drawn some adds to the
// checksum, under a lock, and all meet at a barrier.  Main copies the scene for a thread before it
// starts it.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { THREADS = 11, ROWS = 2, COLUMNS = 4, OBJECTS = 12 };

static pthread_barrier_t barrier;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_row;  // guarded by the lock
static long checksum; // guarded by the lock
static int picture[ROWS][COLUMNS];
static int scene[THREADS][OBJECTS]; // a copy for each thread

static int take_row(void) {
    pthread_mutex_lock(&lock);
    int row = next_row < ROWS ? next_row++ : ROWS;
    pthread_mutex_unlock(&lock);
    return row;
}

static void copy_scene(int thread) {
    for (int i = 0; i < OBJECTS; i++)
        scene[thread][i] = i * i % 11;
}

static void *render(void *arg) {
    int *objects = scene[(intptr_t)arg];
    long sum = 0;
    for (int row = take_row(); row < ROWS; row = take_row())
        for (int column = 0; column < COLUMNS; column++) {
            picture[row][column] = row + column * objects[column];
            sum += picture[row][column];
        }
    if (sum) {
        pthread_mutex_lock(&lock);
        checksum += sum;
        pthread_mutex_unlock(&lock);
    }
    pthread_barrier_wait(&barrier);
    return arg;
}

int main(void) {
    pthread_t thread[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 1; i < THREADS; i++) {
        copy_scene(i);
        pthread_create(&thread[i], NULL, render, (void *)(intptr_t)i);
    }
    copy_scene(0);
    render(NULL);
    for (int i = 1; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert(next_row == ROWS && checksum > 0);
    return 0;
}
