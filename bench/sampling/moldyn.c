// moldyn (RAPOS, Table 1; a kernel of the Java Grande benchmarks): eleven threads, of which main is
// one, each have a share of the particles.  Between the phases of a step - move, forces, energy -
// all meet at a barrier.  A thread whose particle has neighbours adds to the sums, under a lock: in
// each step these are four threads, which get there after more or less work.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { THREADS = 11, STEPS = 2, REACH = 3 };

static pthread_barrier_t barrier;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int place[THREADS], speed[THREADS], force[THREADS]; // one particle per thread
static int energy, pairs;                                  // guarded by the lock

static void move(int me) {
    place[me] += speed[me];
    force[me] = 0;
}

// How many particles are near?  Only those with a larger number count, so that each pair counts
// once.
static int forces(int me) {
    int near = 0;
    for (int other = me + 1; other < THREADS; other++) {
        int distance = place[me] - place[other];
        if (distance * distance > REACH * REACH)
            continue;
        near++;
        force[me] += distance;
    }
    return near;
}

static void *run(void *arg) {
    int me = (int)(intptr_t)arg;
    for (int step = 0; step < STEPS; step++) {
        move(me);
        pthread_barrier_wait(&barrier);
        int near = forces(me);
        if (near) {
            pthread_mutex_lock(&lock);
            pairs += near;
            energy += force[me];
            pthread_mutex_unlock(&lock);
        }
        pthread_barrier_wait(&barrier);
        speed[me] += force[me] > 0 ? 1 : force[me] < 0 ? -1 : 0;
    }
    return NULL;
}

int main(void) {
    pthread_t thread[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        place[i] = 6 * i - (i % 3 == 1 ? 4 : 0);
    for (int i = 1; i < THREADS; i++)
        pthread_create(&thread[i], NULL, run, (void *)(intptr_t)i);
    run(NULL);
    for (int i = 1; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert(pairs == 8 && energy == -20);
    return 0;
}
