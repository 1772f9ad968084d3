// Finds and describes deadlocks; see deadlock.h.
#include "report/deadlock.h"

#include <string.h>

#define NOBODY 0xffffu

static int by_number(const void *a, const void *b) {
    const tsl_thread_info *const *x = a, *const *y = b;
    return (int)(*x)->thread - (int)(*y)->thread;
}

static const tsl_thread_info *waiting(const tsl_deadlock *d, unsigned thread) {
    for (size_t i = 0; i < d->waits.len; i++)
        if (d->waits.data[i]->thread == thread)
            return d->waits.data[i];
    return NULL;
}

// The thread that `info` waits for, if that one waits too.
static const tsl_thread_info *next_of(const tsl_deadlock *d, const tsl_thread_info *info) {
    return info->owner == NOBODY ? NULL : waiting(d, info->owner);
}

// Does following the holders from `start` lead back to it?  Threads are tried in ascending order,
// so the first of the cycle has the lowest number.
static bool comes_back(tsl_deadlock *d, const tsl_thread_info *start) {
    const tsl_thread_info *at = start;
    tsl_vec_clear(&d->core);
    do {
        tsl_vec_push(&d->core, at);
        at = next_of(d, at);
    } while (at && at != start && d->core.len <= d->waits.len);
    return at == start;
}

static bool has_ended(const tsl_thread_info *threads, size_t count, unsigned thread) {
    for (size_t i = 0; i < count; i++)
        if (threads[i].thread == thread)
            return threads[i].state == TSL_THREAD_ENDED;
    return false;
}

static void find_core(tsl_deadlock *d, const tsl_thread_info *threads, size_t count) {
    for (size_t i = 0; i < d->waits.len && !d->is_cycle; i++)
        d->is_cycle = comes_back(d, d->waits.data[i]);
    if (d->is_cycle)
        return;
    tsl_vec_clear(&d->core);
    for (size_t i = 0; i < d->waits.len; i++)
        if (has_ended(threads, count, d->waits.data[i]->owner))
            tsl_vec_push(&d->core, d->waits.data[i]);
    for (size_t i = 0, none = d->core.len; none == 0 && i < d->waits.len; i++)
        if (d->waits.data[i]->pending == TSL_EV_AWAIT)
            tsl_vec_push(&d->core, d->waits.data[i]);
    for (size_t i = 0, none = d->core.len; none == 0 && i < d->waits.len; i++)
        tsl_vec_push(&d->core, d->waits.data[i]);
}

void tsl_deadlock_find(const tsl_thread_info *threads, size_t count, tsl_deadlock *out) {
    *out = (tsl_deadlock){0};
    for (size_t i = 0; i < count; i++) {
        const tsl_thread_info *info = &threads[i];
        if (info->state == TSL_THREAD_BLOCKED && info->pending != TSL_EV_EXIT)
            tsl_vec_push(&out->waits, info);
        else if (info->state != TSL_THREAD_ENDED && !out->other)
            out->other = info;
    }
    tsl_vec_sort(&out->waits, by_number);
    find_core(out, threads, count);
}

void tsl_deadlock_drop(tsl_deadlock *deadlock) {
    tsl_vec_drop(&deadlock->waits);
    tsl_vec_drop(&deadlock->core);
}

// ---------------------------------------------------------------- words

// The object, or the thread that a join waits for.
static void put_awaited(const tsl_thread_info *info, const tsl_names *names, tsl_buf *out) {
    if (tsl_event_class(info->pending) == TSL_CLASS_THREAD && info->owner != NOBODY)
        tsl_names_thread(names, info->owner, out);
    else
        tsl_names_object(names, info->object, out);
}

void tsl_deadlock_wait(const tsl_thread_info *info, const tsl_names *names, tsl_buf *out) {
    const char *words = tsl_event_awaited(info->pending), *star = strchr(words, '*');
    if (!star) {
        tsl_buf_puts(out, words);
        return;
    }
    tsl_buf_add(out, "%.*s", (int)(star - words), words);
    put_awaited(info, names, out);
    tsl_buf_puts(out, star + 1);
    if (info->owner == NOBODY || star[1])
        return;
    const tsl_thread_info *owner = tsl_names_find(names, info->owner);
    tsl_buf_puts(out, " held by ");
    tsl_names_thread(names, info->owner, out);
    if (info->owner == info->thread)
        tsl_buf_puts(out, " itself");
    else if (owner && owner->state == TSL_THREAD_ENDED)
        tsl_buf_puts(out, ", which has ended");
}

void tsl_deadlock_message(const tsl_deadlock *deadlock, const tsl_names *names, tsl_buf *out) {
    enum { MOST = 8 };
    for (size_t i = 0; i < deadlock->core.len && i < MOST; i++) {
        const tsl_thread_info *info = deadlock->core.data[i];
        tsl_buf_puts(out, i ? ", " : "");
        tsl_names_thread(names, info->thread, out);
        tsl_buf_puts(out, " waits for ");
        tsl_deadlock_wait(info, names, out);
    }
    if (deadlock->core.len > MOST)
        tsl_buf_add(out, " and %zu more", deadlock->core.len - MOST);
    if (deadlock->other) {
        tsl_buf_puts(out, ", while ");
        tsl_names_thread(names, deadlock->other->thread, out);
        tsl_buf_puts(out,
                     deadlock->other->pending == TSL_EV_EXIT ? " ends the program" : " runs on");
    }
}
