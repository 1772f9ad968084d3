// Thread-specific data.  Values are local to a thread, so their uses are no steps; destructors run
// when it ends.  The table of keys is shared: if the program deletes keys, each look at it is a
// step.
#include <limits.h>
#include <string.h>

#include "../quick.h"
#include "key.h"
#include "objects.h"

static void look_at_keys(void) { tslrt_state_step(TSL_STATE_KEYS, TSL_ROLE_READ); }

API int pthread_key_create(pthread_key_t *key, void (*destroy)(void *)) {
    tslrt_registry *reg = tslrt_reg_change();
    for (unsigned i = 0; i < TSLRT_MAX_KEYS; i++)
        if (!reg->keys[i].used) {
            reg->keys[i] = (key_slot){.destroy = destroy, .used = true};
            *key = i;
            tslrt_wrote(key, sizeof *key);
            return 0;
        }
    return EAGAIN;
}

API int pthread_key_delete(pthread_key_t key) {
    if (!tslrt->uses.deletes_keys &&
        RUN->count.unjoined > 1) { // earlier looks at the table were no steps
        tslrt_weaken(TSL_REASON_UNCONTROLLED,
                     "a key is deleted from code that is not instrumented");
        tslrt->uses.deletes_keys = true;
    }
    tslrt_registry *reg = tslrt_reg_change();
    if (key >= TSLRT_MAX_KEYS || !reg->keys[key].used)
        return EINVAL;
    reg->keys[key] = (key_slot){0};
    for (tslrt_fiber *f = NULL; (f = tslrt_next(f));) // a later key of that number starts empty
        if (f->own.keys)
            f->own.keys[key] = NULL;
    return 0;
}

API int pthread_setspecific(pthread_key_t key, const void *value) {
    if (__builtin_expect(tslrt->uses.deletes_keys, 0))
        look_at_keys();
    if (key >= TSLRT_MAX_KEYS || !tslrt_reg()->keys[key].used)
        return EINVAL;
    tslrt_fiber *self = SELF;
    if (!self->own.keys)
        self->own.keys = (void **)(TSLRT_KEYS_AT + self->id * TSLRT_MAX_KEYS * sizeof(void *));
    self->own.keys[key] = (void *)value;
    return 0;
}

API void *pthread_getspecific(pthread_key_t key) {
    if (__builtin_expect(tslrt->uses.deletes_keys, 0))
        look_at_keys();
    return key < TSLRT_MAX_KEYS && SELF->own.keys ? SELF->own.keys[key] : NULL;
}

// Another thread may delete a key before its destructor runs.
void tslrt_run_key_destructors(void) {
    tslrt_fiber *self = SELF;
    bool again = self->own.keys != NULL;
    for (int round = 0; again && round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
        again = false;
        look_at_keys();
        for (unsigned i = 0; i < TSLRT_MAX_KEYS; i++) {
            void *value = self->own.keys[i];
            void (*destroy)(void *) = tslrt_reg()->keys[i].destroy;
            if (!value || !destroy)
                continue;
            self->own.keys[i] = NULL;
            tslrt_foreign_back((const void *)destroy, self->pend.site);
            destroy(value);
            look_at_keys();
            again = true;
        }
    }
}
