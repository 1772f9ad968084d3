// pthread_once and call_once.  The word is 0 while new, 1 when done, and 2 plus the number of the
// thread while that thread runs the routine.  Other threads wait meanwhile; if the routine is
// cancelled, the word is new again.
#include <threads.h>

#include "../quick.h"
#include "objects.h"

enum { NEW, DONE, RUNNING };

bool tslrt_once_running(const void *once) { return *(const int *)once >= RUNNING; }

uint16_t tslrt_once_runner(const void *once) {
    return tslrt_once_running(once) ? (uint16_t)(*(const int *)once - RUNNING) : TSLRT_NOBODY;
}

static void set(int *once, int value) {
    *once = value;
    tslrt_wrote(once, sizeof *once);
    tslrt_changed(once);
}

// The routine was cancelled.  Other threads can see that, so it is a step.
static void start_over(void *once) {
    tslrt_take_site();
    tslrt_op_on(TSL_EV_ONCE_DONE, once, TSL_SYNC_ONCE);
    set(once, NEW);
}

static void run_once(int *once, void (*routine)(void)) {
    uint32_t site = TSL_HOT->call_site;
    tslrt_op_on(TSL_EV_ONCE, once, TSL_SYNC_ONCE);
    if (*once == DONE)
        return;
    tslrt_result(1);
    set(once, RUNNING + SELF->id);
    pthread_cleanup_push(start_over, once);
    tslrt_foreign_back((const void *)routine, site);
    routine();
    pthread_cleanup_pop(0);
    TSL_HOT->call_site = site;
    tslrt_op_on(TSL_EV_ONCE_DONE, once, TSL_SYNC_ONCE);
    set(once, DONE);
}

API int pthread_once(pthread_once_t *once, void (*routine)(void)) {
    run_once(once, routine);
    return 0;
}

API void call_once(once_flag *flag, void (*routine)(void)) { run_once((int *)flag, routine); }
