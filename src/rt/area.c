// What libc and other libraries keep for each thread: their thread-local variables.
//
// Threads are fibers of one kernel thread.  Still errno, the locale that uselocale has set, the buffer of
// inet_ntoa, what dlerror tells, and whatever a library that is not instrumented declares as
// thread-local belong to one thread of the program.  Such variables lie around the address in the thread
// pointer.  So each fiber has an area of its own, and every switch sets the thread pointer:
//
//     area of a fiber = the area of the process as it was before main, with its pointers to itself put right
//
// The area lies above the fiber's stack.  Main has the area of the process; the place above main's
// stack keeps the copy that others begin with.  (Thread-local variables of instrumented code
// are emulated: tls.c.)
//
//     x86-64      thread-local variables | thread pointer: libc's own data on the thread   | vector
//     aarch64     libc's own data on the thread | thread pointer: thread-local variables   | vector
//
// The vector says where the variables of each library lie.  One loaded later has none of its own until the
// thread asks for them: then libc allocates them.
#include <dlfcn.h>
#include <link.h>
#include <locale.h>
#include <string.h>
#include <sys/auxv.h>

#include "rt.h"
#include "sys.h"

typedef struct entry { // of the vector, as libc has it
    uintptr_t at, to_free;
} entry;

enum { LINE = 64, SPARE = 32, LATER = -1, FSGSBASE = 2, SET_FS = 0x1002, MOST = 1 << 20 };
#if defined(__x86_64__)
enum { VECTOR = 1 }; // which word behind the thread pointer points to the vector
#else
enum { VECTOR = 0 };
#endif

#define AREA (&tslrt->area)

static entry *vector_of(uintptr_t pointer) { return ((entry **)pointer)[VECTOR]; }

// ---------------------------------------------------------------- how large it is

static int add_library(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size, (void)data;
    uintptr_t at = (uintptr_t)info->dlpi_tls_data;
    for (unsigned i = 0; at && i < info->dlpi_phnum; i++) {
        uintptr_t end = at + info->dlpi_phdr[i].p_memsz;
        if (info->dlpi_phdr[i].p_type != PT_TLS || at + MOST < AREA->pointer ||
            at > AREA->pointer + MOST)
            continue;
        AREA->low = at < AREA->low ? at : AREA->low;
        AREA->high = end > AREA->high ? end : AREA->high;
    }
    return 0;
}

// Bytes of libc's own data on a thread; libc tells debuggers.
static size_t size_of_own_data(void) {
    const uint32_t *size = dlsym(RTLD_DEFAULT, "_thread_db_sizeof_pthread");
    if (!size || *size > MOST)
        tslrt_die(
            "this libc does not tell how much it keeps for a thread: only glibc is supported");
    return *size;
}

void tslrt_area_find(void) {
    AREA->pointer = AREA->low = AREA->high = (uintptr_t)__builtin_thread_pointer();
    size_t own = size_of_own_data();
    dl_iterate_phdr(add_library, NULL);
    AREA->variables = AREA->low;
#if defined(__x86_64__)
    AREA->high = AREA->pointer + own;
    AREA->quick = (getauxval(AT_HWCAP2) & FSGSBASE) != 0;
#else
    AREA->low = AREA->pointer - own;
    AREA->variables = AREA->pointer + 2 * sizeof(void *);
#endif
    AREA->low &= ~(uintptr_t)(LINE - 1);
    AREA->high = (AREA->high + LINE - 1) & ~(uintptr_t)(LINE - 1);
    AREA->nvector = (uint32_t)vector_of(AREA->pointer)[-1].at + SPARE;
    AREA->room = AREA->high - AREA->low + (AREA->nvector + 2) * sizeof(entry);
    AREA->room = (AREA->room + LINE - 1) & ~(size_t)(LINE - 1);
}

// ---------------------------------------------------------------- of one thread

static uintptr_t pointer_of(const tslrt_fiber *fiber) {
    return fiber->stack_high + (AREA->pointer - AREA->low);
}

// Where this thread has what lies at `at` for main.
static uintptr_t moved(const tslrt_fiber *fiber, uintptr_t at) {
    return fiber->stack_high + (at - AREA->low);
}

static void fill_vector(const tslrt_fiber *fiber) {
    const entry *main = vector_of(AREA->pointer);
    entry *own = (entry *)moved(fiber, AREA->high) + 1;
    own[-1].at = AREA->nvector;
    own[0] = main[0]; // counts what was loaded
    for (size_t i = 1; i <= AREA->nvector; i++) {
        bool is_near = i <= main[-1].at && main[i].at >= AREA->low && main[i].at < AREA->high;
        own[i] = (entry){.at = is_near ? moved(fiber, main[i].at) : (uintptr_t)LATER};
    }
    ((entry **)pointer_of(fiber))[VECTOR] = own;
}

// The copy that others begin with.
void tslrt_area_keep(const tslrt_fiber *main_fiber) {
    *tslrt->errno_at = 0;
    memcpy((void *)main_fiber->stack_high, (void *)AREA->low, AREA->high - AREA->low);
}

static void begin_first(const tslrt_fiber *fiber) {
    void **pointer = (void **)pointer_of(fiber);
    memcpy((void *)fiber->stack_high, (void *)tslrt_fiber_at(0)->stack_high,
           AREA->high - AREA->low);
#if defined(__x86_64__)
    pointer[0] = pointer[2] = pointer;
#endif
    (void)pointer;
    fill_vector(fiber);
}

void tslrt_area_begin(tslrt_fiber *fiber) {
    fiber->area = pointer_of(fiber);
    const entry *vector = vector_of(fiber->area);
    if (!vector)
        return begin_first(fiber);
#if defined(__x86_64__)
    uintptr_t end = AREA->pointer;
#else
    uintptr_t end = AREA->high;
#endif
    memcpy((void *)moved(fiber, AREA->variables), (void *)moved(tslrt_fiber_at(0), AREA->variables),
           end - AREA->variables);
    if (vector[0].at != vector_of(AREA->pointer)[0].at)
        fill_vector(fiber);
}

// A thread begins with the locale of the process, as it is now.
void tslrt_area_start(void) { uselocale(LC_GLOBAL_LOCALE); }

#if defined(__x86_64__)
__attribute__((noinline)) void tslrt_area_ask_kernel(uintptr_t pointer) {
    tslrt_sys2(SYS_arch_prctl, SET_FS, pointer);
}
#endif
