// The thread-local variables of libc and other libraries.
//
// Threads are fibers of one kernel thread.  But errno, the locale of uselocale, the buffer of
// inet_ntoa, the text of dlerror, and whatever a library that is not instrumented declares as
// thread-local must belong to one thread of the program.  Such variables lie around the address in
// the thread pointer.  So each fiber has its own area, and every switch sets the thread pointer:
//
//     area of a fiber = the area of the process before main, with its pointers to itself adjusted
//
// The area lies above the fiber's stack.  Main has the area of the process; above main's stack lies
// the copy that other threads begin with.  (For thread-local variables of instrumented code see
// tls.c.)
//
//     x86-64      gap, thread-local variables | thread pointer: libc's own data on the thread | vector
//     aarch64     libc's own data on the thread | thread pointer: thread-local variables, gap | vector
//
// Setting the thread pointer takes as long as the rest of a switch.  So a program has areas only if
// it could notice: it uses a function that is listed below, or a library with thread-local
// variables.  Otherwise only the value of errno is swapped (sched.c).
//
// The vector says where the variables of each library lie.  For a library that is loaded later,
// libc allocates the variables when a thread first uses them.
#include <dlfcn.h>
#include <link.h>
#include <locale.h>
#include <string.h>
#include <sys/auxv.h>

#include "area.h"
#include "start.h"
#include "state.h"
#include "sys.h"

typedef struct entry { // of the vector, as libc has it
    uintptr_t at, to_free;
} entry;

// GAP: room in which libc puts variables of libraries that are loaded later and need a fixed place.
enum {
    LINE = 64,
    GAP = 4096,
    SPARE = 32,
    LATER = -1,
    FSGSBASE = 2,
    SET_FS = 0x1002,
    MOST = 1 << 20
};
#if defined(__x86_64__)
enum { VECTOR = 1 }; // index of the word behind the thread pointer that points to the vector
#else
enum { VECTOR = 0 };
#endif

#define AREA (&tslrt->area)

static entry *vector_of(uintptr_t pointer) { return ((entry **)pointer)[VECTOR]; }

// ---------------------------------------------------------------- how large it is

static const ElfW(Phdr) * variables_of(const struct dl_phdr_info *info) {
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS)
            return &info->dlpi_phdr[i];
    return NULL;
}

static int add_library(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size, (void)data;
    const ElfW(Phdr) *variables = variables_of(info);
    AREA->nlibraries = info->dlpi_adds;
    if (!variables || !info->dlpi_tls_data)
        return 0;
    AREA->nlocal++;
    uintptr_t at = (uintptr_t)info->dlpi_tls_data, end = at + variables->p_memsz;
    AREA->from = at < AREA->from ? at : AREA->from;
    AREA->to = end > AREA->to ? end : AREA->to;
    return 0;
}

// The size of libc's own data on a thread, which libc exports for debuggers.
static size_t size_of_own_data(void) {
    const uint32_t *size = dlsym(RTLD_DEFAULT, "_thread_db_sizeof_pthread");
    if (!size || *size > MOST)
        tslrt_die(
            "this libc does not tell how much it keeps for a thread: only glibc is supported");
    return *size;
}

// ---------------------------------------------------------------- is it needed?

// Does the function use or return something that is kept for each thread?
static bool is_of_thread(const char *name) {
    static const char *const names[] = {"__errno_location",
                                        "__h_errno_location",
                                        "__ctype_b_loc",
                                        "__ctype_tolower_loc",
                                        "__ctype_toupper_loc",
                                        "uselocale",
                                        "inet_ntoa",
                                        "strerror",
                                        "strerror_l",
                                        "strsignal",
                                        "dlerror",
                                        "dlopen",
                                        "dlmopen",
                                        "dlsym",
                                        "__res_state",
                                        "herror",
                                        "hstrerror",
                                        "__tls_get_addr"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool is_needed(void) {
    for (const tsl_module *m = tslrt->program.modules; m; m = m->next)
        for (uint32_t i = 0; i < m->nexterns; i++)
            if (is_of_thread(m->externs[i].name))
                return true;
    return AREA->nlocal > 1; // libc itself is one
}

static void measure(void) {
    size_t own = size_of_own_data();
#if defined(__x86_64__)
    AREA->to = AREA->pointer + own;
    AREA->low = (AREA->from - GAP) & ~(uintptr_t)(LINE - 1);
    AREA->high = (AREA->to + LINE - 1) & ~(uintptr_t)(LINE - 1);
    AREA->quick = (getauxval(AT_HWCAP2) & FSGSBASE) != 0;
#else
    AREA->from = AREA->pointer - own;
    AREA->low = AREA->from & ~(uintptr_t)(LINE - 1);
    AREA->high = (AREA->to + GAP + LINE - 1) & ~(uintptr_t)(LINE - 1);
#endif
    AREA->nvector = (uint32_t)vector_of(AREA->pointer)[-1].at + SPARE;
    AREA->room = AREA->high - AREA->low + (AREA->nvector + 2) * sizeof(entry);
    AREA->room = (AREA->room + LINE - 1) & ~(size_t)(LINE - 1);
}

void tslrt_area_find(void) {
    AREA->pointer = AREA->from = AREA->to = (uintptr_t)__builtin_thread_pointer();
    dl_iterate_phdr(add_library, NULL);
    AREA->used = is_needed();
    if (AREA->used)
        measure();
}

// ---------------------------------------------------------------- the area of a thread

// Where this thread has what main has at `at`.
static uintptr_t moved(const tslrt_fiber *fiber, uintptr_t at) {
    return fiber->stack.high + (at - AREA->low);
}

static entry *own_vector(const tslrt_fiber *fiber) { return (entry *)moved(fiber, AREA->high) + 1; }

static void fill_vector(const tslrt_fiber *fiber, entry *own) {
    const entry *main = vector_of(AREA->pointer);
    own[-1].at = AREA->nvector;
    own[0] = main[0]; // counts the libraries that were loaded
    for (size_t i = 1; i <= AREA->nvector; i++) {
        bool is_near = i <= main[-1].at && main[i].at >= AREA->low && main[i].at < AREA->high;
        own[i] = (entry){.at = is_near ? moved(fiber, main[i].at) : (uintptr_t)LATER};
    }
}

// Makes the copy that other threads begin with.
void tslrt_area_keep(const tslrt_fiber *main_fiber) {
    *tslrt->errno_at = 0;
    memcpy((void *)moved(main_fiber, AREA->from), (void *)AREA->from, AREA->to - AREA->from);
}

static void copy(const tslrt_fiber *fiber, uintptr_t from, uintptr_t to) {
    memcpy((void *)moved(fiber, from), (void *)moved(tslrt_fiber_at(0), from), to - from);
}

extern void *__tls_get_addr(size_t of[2]);

// Initialises the variables of a library that was loaded later, if libc has put them into the gap.
// (Only by asking for them it can be known where they lie.)
static int begin_library(struct dl_phdr_info *info, size_t size, void *fiber) {
    (void)size;
    if (info->dlpi_adds == AREA->nlibraries)
        return 1;
    const ElfW(Phdr) *variables = variables_of(info);
    if (!variables)
        return 0;
    size_t first[2] = {info->dlpi_tls_modid, 0};
    uintptr_t at = (uintptr_t)__tls_get_addr(first) - SELF->context.area + AREA->pointer;
    if (at >= AREA->low && at < AREA->high && (at < AREA->from || at >= AREA->to))
        memcpy((void *)moved(fiber, at), (void *)(info->dlpi_addr + variables->p_vaddr),
               variables->p_filesz);
    return 0;
}

// Only what existed before main is reset: a program that loads libraries has one process per run.
void tslrt_area_begin(tslrt_fiber *fiber) {
    fiber->context.area = moved(fiber, AREA->pointer);
    void **pointer = (void **)fiber->context.area;
    bool is_first = !pointer[VECTOR];
    copy(fiber, AREA->from, AREA->to);
#if defined(__x86_64__)
    pointer[0] = pointer[2] = pointer;
#endif
    entry *own = own_vector(fiber);
    pointer[VECTOR] = own;
    if (is_first || own[0].at != vector_of(AREA->pointer)[0].at)
        fill_vector(fiber, own);
    if (is_first)
        dl_iterate_phdr(begin_library, fiber);
}

// A thread begins with the locale of the process, as it is now.
void tslrt_area_start(void) { uselocale(LC_GLOBAL_LOCALE); }

#if defined(__x86_64__)
__attribute__((noinline)) void tslrt_area_ask_kernel(uintptr_t pointer) {
    tslrt_sys2(SYS_arch_prctl, SET_FS, pointer);
}
#endif

int tslrt_errno_of(const tslrt_fiber *fiber) {
    if (!tslrt->area.used)
        return *tslrt->errno_at;
    return *(const int *)(fiber->context.area + ((uintptr_t)tslrt->errno_at - tslrt->area.pointer));
}
