// Cancellation and clean-up handlers.
//
// In C, pthread_cleanup_push saves a jump buffer in its frame and registers it;
// unwinding jumps to the innermost one, which runs its handler and asks for the
// next.  When none is left the thread ends.
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>

#include "objects.h"

// The list is threaded through the private words of glibc's buffer.
#define NEXT(buf) ((buf)->__pad[0])

API void __pthread_register_cancel(__pthread_unwind_buf_t *buf) {
    NEXT(buf) = SELF->cleanup;
    SELF->cleanup = buf;
}

API void __pthread_unregister_cancel(__pthread_unwind_buf_t *buf) { SELF->cleanup = NEXT(buf); }

API void __pthread_register_cancel_defer(__pthread_unwind_buf_t *buf) {
    buf->__pad[1] = (void *)(uintptr_t)SELF->cancel_async;
    SELF->cancel_async = false;
    __pthread_register_cancel(buf);
}

API void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t *buf) {
    SELF->cancel_async = buf->__pad[1] != NULL;
    __pthread_unregister_cancel(buf);
}

static noreturn void unwind_further(void) {
    tslrt_fiber *self = SELF;
    __pthread_unwind_buf_t *buf = self->cleanup;
    if (!buf) {
        if (self->id == 0 && RUN->exiting == self) // exit was called meanwhile
            tslrt_exit_process(0);
        tslrt_fiber_finish(self->result);
    }
    self->cleanup = NEXT(buf);
    longjmp((struct __jmp_buf_tag *)(void *)buf->__cancel_jmp_buf, 1);
}

API noreturn void __pthread_unwind_next(__pthread_unwind_buf_t *buf) {
    (void)buf;
    unwind_further();
}

noreturn void tslrt_unwind(void *result) {
    SELF->unwinding = true;
    SELF->cancel_disabled = true;
    SELF->result = result;
    unwind_further();
}

static bool wanted(const tslrt_fiber *f) {
    return f->cancel_asked && !f->cancel_disabled && !f->unwinding;
}

// The thread was picked and finds that it was cancelled: being cancelled is its
// step.  A condition wait takes its mutex back first.
void tslrt_cancel_now(void) {
    tslrt_fiber *self = SELF;
    bool in_wait = self->pend.kind == TSL_EV_WOKEN || self->pend.kind == TSL_EV_LOCK;
    if (!wanted(self) || in_wait || !(self->cancel_async || self->at_cancel_point))
        return;
    self->at_cancel_point = false;
    tslrt_record(TSL_EV_CANCEL, self, self->pend.site);
    tslrt_result(self->id);
    tslrt_unwind(PTHREAD_CANCELED);
}

void tslrt_cancel_point(void) {
    if (wanted(SELF)) {
        SELF->at_cancel_point = false;
        tslrt_unwind(PTHREAD_CANCELED);
    }
}

API void pthread_testcancel(void) {
    tslrt_take_site();
    tslrt_cancel_point();
}

API int pthread_setcancelstate(int state, int *old) {
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    if (old) {
        *old = SELF->cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
        tslrt_wrote(old, sizeof *old);
    }
    SELF->cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
    if (SELF->cancel_async)
        tslrt_cancel_point();
    return 0;
}

API int pthread_setcanceltype(int type, int *old) {
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
        return EINVAL;
    if (old) {
        *old = SELF->cancel_async ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
        tslrt_wrote(old, sizeof *old);
    }
    SELF->cancel_async = type == PTHREAD_CANCEL_ASYNCHRONOUS;
    if (SELF->cancel_async)
        tslrt_cancel_point();
    return 0;
}
