// C11 threads.h: the same objects under other names and return codes.
#include <threads.h>

#include "objects.h"

static int code(int error) {
    switch (error) {
    case 0:
        return thrd_success;
    case ENOMEM:
        return thrd_nomem;
    case EBUSY:
        return thrd_busy;
    case ETIMEDOUT:
        return thrd_timedout;
    default:
        return thrd_error;
    }
}

API int thrd_create(thrd_t *thread, thrd_start_t start, void *arg) {
    // The result is an int in a pointer; both travel in the same register.
    return code(pthread_create(thread, NULL, (void *(*)(void *))(void *)start, arg));
}

API thrd_t thrd_current(void) { return pthread_self(); }

API int thrd_equal(thrd_t a, thrd_t b) { return pthread_equal(a, b); }

API int thrd_detach(thrd_t thread) { return code(pthread_detach(thread)); }

API int thrd_join(thrd_t thread, int *result) {
    void *value = NULL;
    int error = pthread_join(thread, &value);
    if (!error && result) {
        tslrt_also_writes(result, 2);
        *result = (int)(intptr_t)value;
    }
    return code(error);
}

API _Noreturn void thrd_exit(int result) { pthread_exit((void *)(intptr_t)result); }

API void thrd_yield(void) { sched_yield(); }

API int thrd_sleep(const struct timespec *time, struct timespec *left) {
    return nanosleep(time, left);
}

// ---------------------------------------------------------------- mutexes

API int mtx_init(mtx_t *m, int type) {
    int kind = type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
    return code(tslrt_mutex_init((pthread_mutex_t *)m, (tslrt_mutexattr){.type = kind}));
}

API void mtx_destroy(mtx_t *m) { tslrt_mutex_destroy((pthread_mutex_t *)m, true); }

API int mtx_lock(mtx_t *m) { return code(pthread_mutex_lock((pthread_mutex_t *)m)); }

API int mtx_trylock(mtx_t *m) { return code(pthread_mutex_trylock((pthread_mutex_t *)m)); }

API int mtx_timedlock(mtx_t *restrict m, const struct timespec *restrict until) {
    return code(pthread_mutex_timedlock((pthread_mutex_t *)m, until));
}

API int mtx_unlock(mtx_t *m) { return code(pthread_mutex_unlock((pthread_mutex_t *)m)); }

// ---------------------------------------------------------------- conditions

API int cnd_init(cnd_t *c) { return code(pthread_cond_init((pthread_cond_t *)c, NULL)); }

API void cnd_destroy(cnd_t *c) { pthread_cond_destroy((pthread_cond_t *)c); }

API int cnd_wait(cnd_t *c, mtx_t *m) {
    return code(pthread_cond_wait((pthread_cond_t *)c, (pthread_mutex_t *)m));
}

API int cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m, const struct timespec *restrict until) {
    return code(pthread_cond_timedwait((pthread_cond_t *)c, (pthread_mutex_t *)m, until));
}

API int cnd_signal(cnd_t *c) { return code(pthread_cond_signal((pthread_cond_t *)c)); }

API int cnd_broadcast(cnd_t *c) { return code(pthread_cond_broadcast((pthread_cond_t *)c)); }

// ---------------------------------------------------------------- thread-specific storage

API int tss_create(tss_t *key, tss_dtor_t destroy) {
    return code(pthread_key_create(key, destroy));
}

API void tss_delete(tss_t key) { pthread_key_delete(key); }

API int tss_set(tss_t key, void *value) { return code(pthread_setspecific(key, value)); }

API void *tss_get(tss_t key) { return pthread_getspecific(key); }
