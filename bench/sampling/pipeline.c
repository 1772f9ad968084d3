// pipeline (RAPOS, Table 1): main feeds seven stages, each of which adds one and passes the item on
// through a connector of one place, with a lock and a condition.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { STAGES = 7, ITEMS = 1, WORK = 4, NOTHING = -1, STOP = -2 };

typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int item;
} connector;

static connector before[STAGES] = {
    [0 ... STAGES - 1] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NOTHING}};
static int sum;                // computed by the last stage
static int page[STAGES][WORK]; // memory that a stage works with

static void put(connector *to, int item) {
    pthread_mutex_lock(&to->lock);
    while (to->item != NOTHING)
        pthread_cond_wait(&to->changed, &to->lock);
    to->item = item;
    pthread_cond_signal(&to->changed);
    pthread_mutex_unlock(&to->lock);
}

static int take(connector *from) {
    pthread_mutex_lock(&from->lock);
    while (from->item == NOTHING)
        pthread_cond_wait(&from->changed, &from->lock);
    int item = from->item;
    from->item = NOTHING;
    pthread_cond_signal(&from->changed);
    pthread_mutex_unlock(&from->lock);
    return item;
}

static int work(int me, int item) {
    for (int i = 0; i < WORK; i++)
        page[me][i] = item;
    return page[me][WORK - 1] + 1;
}

static void *stage(void *arg) {
    int me = (int)(intptr_t)arg, item;
    do {
        item = take(&before[me]);
        int result = item == STOP ? STOP : work(me, item);
        if (me + 1 < STAGES)
            put(&before[me + 1], result);
        else if (item != STOP)
            sum += result;
    } while (item != STOP);
    return NULL;
}

int main(void) {
    pthread_t thread[STAGES];
    for (int i = 0; i < STAGES; i++)
        pthread_create(&thread[i], NULL, stage, (void *)(intptr_t)i);
    for (int i = 0; i < ITEMS; i++)
        put(&before[0], i);
    put(&before[0], STOP);
    for (int i = 0; i < STAGES; i++)
        pthread_join(thread[i], NULL);
    assert(sum == ITEMS * STAGES + ITEMS * (ITEMS - 1) / 2);
    return 0;
}
