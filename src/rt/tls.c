// Thread-local variables of instrumented code (emulated TLS).
//
// The compiler turns an access into __emutls_get_address(control).  Each thread has an area at the
// bottom of the address range of its stack.  Variables are laid out in the order in which the
// thread first touches them, so addresses depend on the thread alone.  A small table at the start
// of the area maps a control block to the thread's copy of the variable.
#include <string.h>

#include "quick.h"
#include "start.h"

typedef struct control { // as the compiler emits it
    size_t size, align;
    void *index;
    const void *initial; // 0: all zero
} control;

typedef struct entry {
    const control *key;
    void *copy;
} entry;

enum { SLOTS = 1024, FIRST_MAP = 1 << 20, AREA = 16 << 20 };

static uintptr_t area(const tslrt_fiber *f) { return TSL_STACK_ADDR + f->id * TSL_STACK_STRIDE; }

static void grow(tslrt_fiber *f, uintptr_t to) {
    uintptr_t from = f->own.tls_end ? f->own.tls_end : area(f);
    if (to <= from)
        return;
    if (to > area(f) + AREA)
        tslrt_die("more than 16 MiB of thread-local variables");
    uintptr_t size = (to - from + FIRST_MAP - 1) & ~(uintptr_t)(FIRST_MAP - 1);
    tslrt_map(from, size, "thread-local variables");
    f->own.tls_end = from + size;
}

static void *lay_out(tslrt_fiber *f, const control *c) {
    size_t align = c->align < 16 ? 16 : c->align;
    uintptr_t at = (f->own.tls_top + align - 1) & ~(uintptr_t)(align - 1);
    grow(f, at + c->size);
    f->own.tls_top = at + c->size;
    f->own.tls_count++;
    if (c->initial)
        memcpy((void *)at, c->initial, c->size);
    return (void *)at;
}

__attribute__((visibility("default"))) void *__emutls_get_address(control *c) {
    if (!tslrt_mapped)
        tslrt_init();
    tslrt_fiber *f = SELF;
    if (!f->own.tls_top) {
        grow(f, area(f) + SLOTS * sizeof(entry));
        f->own.tls_top = area(f) + SLOTS * sizeof(entry);
    }
    entry *table = (entry *)area(f);
    if (f->own.tls_count >= SLOTS * 3 / 4)
        tslrt_die("more than %u thread-local variables in one thread", SLOTS * 3 / 4);
    unsigned i = (unsigned)(((uintptr_t)c >> 4) * 0x9e3779b1u) % SLOTS;
    for (; table[i].key != c; i = (i + 1) % SLOTS)
        if (!table[i].key) {
            table[i].key = c;
            table[i].copy = lay_out(f, c);
            tslrt_wrote(&table[i], sizeof table[i]);
            tslrt_wrote(table[i].copy, c->size);
            break;
        }
    return table[i].copy;
}
