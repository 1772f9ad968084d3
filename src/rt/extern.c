// Calls that leave instrumented code: the call site tells what they touch.
//
//     a function of libc   one step, with the hidden state it uses and the memory it reads and
//                          writes, as its row of abi/libc.def says.  The step is scheduled before
//                          the call; its writes are recorded after the call, when their lengths
//                          are known, and no other thread runs in between.
//     any other code       see foreign.c
//
// Reads of state that never changes, and of memory that can't be written, are left out.
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <string.h>

#include "abi/conflict.h"
#include "arena.h"
#include "census.h"
#include "extern.h"
#include "foreign.h"
#include "libc/buffers.h"
#include "libc/environment.h"
#include "libc/flock.h"
#include "libc/kept.h"
#include "libc/mapping.h"
#include "libc/ranges.h"
#include "libc/stream.h"
#include "libc/varies.h"
#include "notes.h"
#include "overtaken.h"
#include "quick.h"
#include "sabotage.h"
#include "symbol/labels.h"
#include "sync/cancel.h"

// ---------------------------------------------------------------- functions that are instrumented

#define FUNCTIONS ((const void **)TSLRT_FUNCTIONS_AT)
#define NFUNCTIONS (TSLRT_FUNCTIONS_SIZE / sizeof(void *))

static const void **function_place(const void *function) {
    size_t at = (size_t)((uintptr_t)function * 0x9e3779b97f4a7c15ull >> 32) % NFUNCTIONS;
    while (FUNCTIONS[at] && FUNCTIONS[at] != function)
        at = (at + 1) % NFUNCTIONS;
    return &FUNCTIONS[at];
}

// The table is never full: functions that do not fit count as not instrumented, which is safe.
void tslrt_functions_add(const tsl_module *module) {
    for (uint32_t i = 0; i < module->nfunctions && tslrt->image.nfunctions < NFUNCTIONS / 2; i++) {
        const void **place = function_place((const void *)module->functions[i]);
        tslrt->image.nfunctions += *place == NULL;
        *place = (const void *)module->functions[i];
    }
    memset(TSL_HOT->inside, 0, sizeof TSL_HOT->inside);
}

bool tslrt_is_instrumented(const void *function) {
    return function && *function_place(function) == function;
}

// ---------------------------------------------------------------- memory that can't be written

static int add_constants(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    (void)data;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        bool constant = ph->p_type == PT_LOAD && !(ph->p_flags & PF_W);
        if (!constant || tslrt->image.nconstants == TSLRT_MAX_CONSTANTS)
            continue;
        tslrt->image.constants[tslrt->image.nconstants].low = info->dlpi_addr + ph->p_vaddr;
        tslrt->image.constants[tslrt->image.nconstants++].high =
            info->dlpi_addr + ph->p_vaddr + ph->p_memsz;
    }
    return 0;
}

void tslrt_constants_find(void) {
    tslrt->image.nconstants = 0;
    dl_iterate_phdr(add_constants, NULL);
}

static int tell_loaded(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    *(uint64_t *)data = info->dlpi_adds;
    return 1;
}

// If a run has loaded a library, restarting in place would load it again, at another address.
uint64_t tslrt_libraries_loaded(void) {
    uint64_t n = 0;
    dl_iterate_phdr(tell_loaded, &n);
    return n;
}

bool tslrt_is_constant(const void *p) {
    for (unsigned i = 0; i < tslrt->image.nconstants; i++)
        if ((uintptr_t)p >= tslrt->image.constants[i].low &&
            (uintptr_t)p < tslrt->image.constants[i].high)
            return true;
    return false;
}

// ---------------------------------------------------------------- hidden state

extern char **environ, *optarg;
extern int optind;
extern int signgam __attribute__((weak)); // of libm

static const struct {
    bool safe;
} states[TSL_STATES] = {
    {true},
#define TSL_STATE(name, safe, text) {safe},
#include "abi/states.def"
#undef TSL_STATE
};

static void note_role(unsigned state, unsigned role) {
    tslrt->hidden.roles[state] |= (uint8_t)(1u << role);
}

static void note_use(const tsl_libc_use *use) {
    switch (use->state) {
    case TSL_USE_IN:
        note_role(TSL_STATE_STREAM, TSL_ROLE_WRITE);
        note_role(TSL_STATE_FILES, TSL_ROLE_READ);
        break;
    case TSL_USE_OUT:
        note_role(TSL_STATE_STREAM, TSL_ROLE_ADD);
        note_role(TSL_STATE_FILES, TSL_ROLE_ADD);
        break;
    case TSL_USE_MOVES:
        note_role(TSL_STATE_STREAM, TSL_ROLE_WRITE);
        note_role(TSL_STATE_FILES, TSL_ROLE_ADD);
        note_role(TSL_STATE_FILES, use->role);
        break;
    case TSL_USE_OPENS:
    case TSL_USE_OPENS_AS:
        note_role(TSL_STATE_FILES, TSL_ROLE_READ);
        break;
    case TSL_USE_FINDS:
    case TSL_USE_SECONDS:
        note_role(TSL_STATE_TIMEZONE, TSL_ROLE_READ);
        break;
    case TSL_USE_CONVERSION:
        break;
    case TSL_USE_THREAD:
        note_role(TSL_STATE_HANDLE, use->role);
        break;
    default:
        note_role(use->state, use->role);
    }
}

// The program uses this variable of libc.
void tslrt_variable_add(const tsl_extern *e) {
    static const struct {
        const char *name;
        tslrt_variable is;
    } known[] = {
#define TSL_LOOKS false
#define TSL_CHANGES true
#define TSL_VARIABLE(name, state, how, type)                                                       \
    {#name, {NULL, sizeof(type), TSL_STATE_##state, TSL_##how}},
#include "abi/variables.def"
    };
    unsigned i = 0, k = 0;
    while (i < sizeof known / sizeof *known && strcmp(known[i].name, e->name) != 0)
        i++;
    bool stream = i < sizeof known / sizeof *known && known[i].is.state == TSL_STATE_STREAM;
    if (i == sizeof known / sizeof *known || !e->function ||
        (stream && e->taken != TSL_EXTERN_CHANGED))
        return;
    while (k < tslrt->hidden.nvariables &&
           tslrt->hidden.variables[k].at != (const void *)e->function)
        k++;
    if (k == TSLRT_MAX_VARIABLES)
        return;
    tslrt->hidden.variables[k] = known[i].is;
    tslrt->hidden.variables[k].at = (const void *)e->function;
    tslrt->hidden.nvariables += k == tslrt->hidden.nvariables;
    tslrt->hidden.redirects |= stream;
}

// The program calls this function: notes how it uses hidden state, and thereby which states change.
void tslrt_states_add(const tsl_libc *row) {
    for (unsigned i = 0; i < TSL_LIBC_USES && row->uses[i].state; i++)
        note_use(&row->uses[i]);
    tslrt->hidden.redirects |= (row->flags & TSL_LIBC_REDIRECTS) != 0;
    tslrt->hidden.gives_names |= tsl_libc_gives_names(row);
    if (tsl_libc_tells_numbers(row)) {
        tslrt->hidden.tells_numbers = true;
        note_role(TSL_STATE_DESCRIPTORS, TSL_ROLE_READ);
    }
}

static bool is_live(unsigned state) {
    unsigned roles = tslrt->hidden.roles[state];
    bool looks = roles & 1u << TSL_ROLE_READ, adds = roles & 1u << TSL_ROLE_ADD;
    return roles & 1u << TSL_ROLE_WRITE || (looks && adds);
}

bool tslrt_state_matters(unsigned state) { return is_live(state); }

static uint64_t object_of(unsigned state) {
    switch (state) {
    case TSL_STATE_DESCRIPTOR: // one for all of them, as in libc/io.c
    case TSL_STATE_DESCRIPTORS:
        return TSL_OBJECT_IO;
    case TSL_STATE_RANDOM:
        return TSL_OBJECT_RANDOM;
    default:
        return TSL_OBJECT_STATE + state;
    }
}

// One access of a step.  They are gathered first, because a call without any is no step.
typedef struct access {
    uint64_t at, size;
    uint8_t kind, role;
} access;

typedef struct accesses {
    access list[16];
    unsigned n;
} accesses;

static void add(accesses *to, unsigned kind, uint64_t at, uint64_t size, unsigned role) {
    for (unsigned i = 0; i < to->n; i++)
        if (to->list[i].kind == kind && to->list[i].at == at && to->list[i].role == role &&
            (kind == TSL_EV_STATE || to->list[i].size == size))
            return;
    if (to->n < sizeof to->list / sizeof *to->list)
        to->list[to->n++] = (access){at, size, (uint8_t)kind, (uint8_t)role};
}

// Where libc guards its state, its accesses to a variable race only with those of the program.
static unsigned kind_of(unsigned state, bool stores) {
    if (!states[state].safe)
        return stores ? TSL_EV_WRITE : TSL_EV_READ;
    return stores ? TSL_EV_AWRITE : TSL_EV_AREAD;
}

// POSIX leaves open whether localtime_r and its like store the names of the time zone.
static unsigned kind_of_variable(const tslrt_variable *v, unsigned role) {
    if (v->state == TSL_STATE_TIMEZONE && role == TSL_ROLE_READ)
        return TSL_EV_TOUCH;
    return kind_of(v->state, v->changes && role != TSL_ROLE_READ);
}

// Variables of libc that belong to the state and that the program uses.
static void add_named(accesses *to, unsigned state, unsigned role) {
    for (unsigned i = 0; i < tslrt->hidden.nvariables; i++) {
        const tslrt_variable *v = &tslrt->hidden.variables[i];
        if (v->state == state)
            add(to, kind_of_variable(v, role), (uintptr_t)v->at, v->size, 0);
    }
}

static bool names_environment(void) {
    for (unsigned i = 0; i < tslrt->hidden.nvariables; i++)
        if (tslrt->hidden.variables[i].state == TSL_STATE_ENVIRONMENT)
            return true;
    return false;
}

static bool is_in_environment(const char *text) {
    char **e = environ;
    while (e && *e && *e != text)
        e++;
    return e && *e;
}

// The array that environ points to, and the names in it that are in memory of the program (putenv).
static void add_environment(accesses *to, unsigned kind) {
    size_t n = 0;
    while (environ && environ[n])
        n++;
    if (environ && names_environment())
        add(to, kind, (uintptr_t)environ, (n + 1) * sizeof *environ, 0);
    for (unsigned i = 0; i < RUN->libc.kept.nput; i++)
        if (is_in_environment(RUN->libc.kept.put[i]))
            add(to, TSL_EV_READ, (uintptr_t)RUN->libc.kept.put[i],
                strcspn(RUN->libc.kept.put[i], "=") + 1, 0);
}

void tslrt_environment_put(const char *text) {
    if (RUN->libc.kept.nput == TSLRT_MAX_PUT)
        tslrt_weaken(TSL_REASON_UNKNOWN_CALL,
                     "more than %u texts were put into the environment: the rest is not followed",
                     TSLRT_MAX_PUT);
    else
        RUN->libc.kept.put[RUN->libc.kept.nput++] = text;
}

// State that the program sees as variables is told as accesses to these.  False if it is not such.
static bool add_variables(accesses *to, unsigned state, unsigned kind) {
    switch (state) {
    case TSL_STATE_ENVIRONMENT:
        add(to, kind, (uintptr_t)&environ, sizeof environ, 0);
        return true;
    case TSL_STATE_GETOPT:
        add(to, kind, (uintptr_t)&optind, sizeof optind, 0);
        add(to, kind, (uintptr_t)&optarg, sizeof optarg, 0);
        return true;
    case TSL_STATE_SIGNGAM:
        if (&signgam)
            add(to, kind, (uintptr_t)&signgam, sizeof signgam, 0);
        return &signgam != NULL;
    default:
        return false;
    }
}

static void add_state(accesses *to, unsigned state, unsigned role) {
    if (TSLRT_BROKEN(LIBC_STATE))
        return;
    bool live = is_live(state);
    unsigned kind = role == TSL_ROLE_READ ? TSL_EV_READ : TSL_EV_WRITE;
    if (live && states[state].safe)
        add(to, TSL_EV_STATE, object_of(state), 1, role);
    else if (live && !add_variables(to, state, kind)) // stands for a variable that is not guarded
        add(to, kind, object_of(state) * 16, 8, 0);
    if (tslrt->hidden.nvariables && state != TSL_STATE_STREAM)
        add_named(to, state, role);
    if (state == TSL_STATE_ENVIRONMENT && (live || tslrt->hidden.nvariables))
        add_environment(to, kind);
}

// A conversion without an argument for its state remembers that in a variable of its own.
static void add_conversion(accesses *to, const tsl_libc_use *use, const uint64_t *args) {
    if (use->arg == TSL_LIBC_ARGS || !args[use->arg])
        add(to, TSL_EV_WRITE, (uint64_t)(TSL_OBJECT_STATE + TSL_STATES + use->role) * 16, 8, 0);
}

// If the program may assign to stdout and its like, calls that use them implicitly read the
// variable.
static void add_standard(accesses *to, unsigned arg) {
    const void *at = arg == TSL_LIBC_STDIN    ? (const void *)&stdin
                     : arg == TSL_LIBC_STDOUT ? (const void *)&stdout
                                              : (const void *)&stderr;
    for (unsigned i = 0; arg >= TSL_LIBC_STDIN && i < tslrt->hidden.nvariables; i++)
        if (tslrt->hidden.variables[i].at == at)
            add(to, TSL_EV_READ, (uintptr_t)at, sizeof(FILE *), 0);
}

static FILE *stream_of(unsigned arg, const uint64_t *args) {
    switch (arg) {
    case TSL_LIBC_STDIN:
        return stdin;
    case TSL_LIBC_STDOUT:
        return stdout;
    case TSL_LIBC_STDERR:
        return stderr;
    default:
        return (FILE *)args[arg];
    }
}

// What goes to standard output is never read again, so its order does not matter.
bool tslrt_is_output(const FILE *file) {
    return (file == stdout || file == stderr) && !tslrt->hidden.redirects;
}

static void add_stream(accesses *to, const FILE *file, unsigned role) {
    bool seen =
        file && (is_live(TSL_STATE_STREAM) || (is_live(TSL_STATE_FILES) && !tslrt_is_output(file)));
    if (seen && !TSLRT_BROKEN(LIBC_STREAM))
        add(to, TSL_EV_STATE, (uintptr_t)file, 1, role);
    if (file && !tslrt_is_output(file)) // conflicts with calls that use all streams
        add_state(to, TSL_STATE_STREAMS, TSL_ROLE_READ);
}

// The contents of the file and the position in it: writes through streams on one file are ordered.
static void add_contents(accesses *to, const FILE *file, unsigned role) {
    add_state(to, TSL_STATE_FILES, role);
    uint64_t object = is_live(TSL_STATE_FILES) && file ? tslrt_stream_object((FILE *)file) : 0;
    if (role == TSL_ROLE_ADD && object)
        add(to, TSL_EV_STATE, object, 1, TSL_ROLE_WRITE);
    if (file)
        tslrt_mapping_used(fileno((FILE *)file));
    if (tslrt->hidden.roles[TSL_STATE_DESCRIPTOR])
        add_state(to, TSL_STATE_DESCRIPTOR, TSL_ROLE_WRITE);
}

// Memory of the program that the stream uses.
static void add_buffers(accesses *to, const FILE *file) {
    const void *at;
    uint64_t size;
    for (unsigned i = 0; tslrt_buffer_of(file, i, &at, &size); i++)
        if (at && size)
            add(to, TSL_EV_TOUCH, (uintptr_t)at, size, 0);
}

static void add_flow(accesses *to, const FILE *file, bool in) {
    bool output = !in && tslrt_is_output(file);
    add_stream(to, file, output ? TSL_ROLE_ADD : TSL_ROLE_WRITE);
    if (!output && !tslrt_file_is_piped(file))
        add_contents(to, file, in ? TSL_ROLE_READ : TSL_ROLE_ADD);
}

static void add_move(accesses *to, const FILE *file, unsigned role) {
    add_stream(to, file, TSL_ROLE_WRITE);
    if (tslrt_is_output(file) || tslrt_file_is_piped(file))
        return;
    add_contents(to, file, TSL_ROLE_ADD);
    if (role == TSL_ROLE_READ)
        add_state(to, TSL_STATE_FILES, TSL_ROLE_READ);
}

static bool changes_files(const tsl_libc_use *use, const uint64_t *args) {
    if (use->state == TSL_USE_OPENS)
        return args[use->arg] && strpbrk((const char *)args[use->arg], "wa");
    return args[use->arg] & (O_CREAT | O_TRUNC);
}

// The first call that needs the time zone finds it in the environment.
static void add_timezone(accesses *to, unsigned role) {
    bool finds =
        role == TSL_ROLE_READ && !RUN->libc.kept.zone_known && is_live(TSL_STATE_ENVIRONMENT);
    add_state(to, TSL_STATE_TIMEZONE, finds ? TSL_ROLE_WRITE : role);
    if (finds)
        add_state(to, TSL_STATE_ENVIRONMENT, TSL_ROLE_READ);
}

static void add_handle(accesses *to, uint64_t handle, unsigned role) {
    if (handle && is_live(TSL_STATE_HANDLE))
        add(to, TSL_EV_STATE, handle, 1, role);
}

static void add_use(accesses *to, const tsl_libc_use *use, const uint64_t *args) {
    switch (use->state) {
    case TSL_USE_IN:
    case TSL_USE_OUT:
        add_standard(to, use->arg);
        add_flow(to, stream_of(use->arg, args), use->state == TSL_USE_IN);
        add_buffers(to, stream_of(use->arg, args));
        break;
    case TSL_USE_OPENS:
    case TSL_USE_OPENS_AS:
        if (changes_files(use, args))
            note_role(TSL_STATE_FILES, TSL_ROLE_WRITE);
        add_state(to, TSL_STATE_FILES, changes_files(use, args) ? TSL_ROLE_WRITE : TSL_ROLE_READ);
        break;
    case TSL_USE_MOVES:
        add_move(to, stream_of(use->arg, args), use->role);
        add_buffers(to, stream_of(use->arg, args));
        break;
    case TSL_USE_CONVERSION:
        add_conversion(to, use, args);
        break;
    case TSL_USE_FINDS:
        if (!RUN->libc.kept.zone_known)
            add_timezone(to, TSL_ROLE_READ);
        break;
    case TSL_USE_SECONDS:
        if (tsl_libc_reads_seconds((const char *)args[use->arg]))
            add_timezone(to, TSL_ROLE_READ);
        break;
    case TSL_STATE_DESCRIPTORS:
        add_state(to, use->state,
                  tslrt->hidden.tells_numbers && use->role == TSL_ROLE_ADD ? TSL_ROLE_WRITE
                                                                           : use->role);
        break;
    case TSL_STATE_TIMEZONE:
        add_timezone(to, use->role);
        break;
    case TSL_STATE_STREAM:
        add_stream(to, stream_of(use->arg, args), use->role);
        if (use->role == TSL_ROLE_WRITE)
            add_buffers(to, stream_of(use->arg, args));
        break;
    case TSL_STATE_HANDLE:
        add_handle(to, args[use->arg], use->role);
        break;
    case TSL_USE_THREAD: // the same object as for functions that are given its pthread_t
        add_handle(to, (uintptr_t)SELF, use->role);
        break;
    default:
        add_state(to, use->state, use->role);
    }
}

// ---------------------------------------------------------------- steps

static unsigned size_code(uint64_t size) {
    return size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : size == 8 ? 3 : TSL_ARG_RANGE;
}

// Atomic accesses stand for what libc guards with a lock, so they are sequentially consistent.
static unsigned order_of(unsigned kind) {
    return kind == TSL_EV_AREAD || kind == TSL_EV_AWRITE ? __ATOMIC_SEQ_CST << 4 : 0;
}

static void tell(unsigned kind, uint64_t at, uint64_t size, unsigned role) {
    unsigned code = kind == TSL_EV_STATE ? 0 : size_code(size);
    if (order_of(kind) && size == 16)
        code = 4;
    if (code == TSL_ARG_RANGE || kind == TSL_EV_TOUCH)
        tslrt_also_range(kind, (const void *)at, size);
    else
        tslrt_also(kind, (const void *)at, role, code | order_of(kind));
}

// The labels of the call's arguments, which are kept while other threads run and pass labels, too.
typedef struct passed {
    const void *args_for;
    uint32_t args[TSL_SYM_ARGS], nargs;
} passed;

static passed keep_passed(void) {
    passed kept = {.args_for = TSL_HOT->args_for, .nargs = TSL_HOT->nargs};
    if (kept.args_for)
        memcpy(kept.args, TSL_HOT->args, sizeof kept.args);
    TSL_HOT->args_for = NULL;
    return kept;
}

static void pass_on(const passed *kept) {
    TSL_HOT->args_for = kept->args_for;
    TSL_HOT->nargs = kept->nargs;
    if (kept->args_for)
        memcpy(TSL_HOT->args, kept->args, sizeof kept->args);
}

static void take_step_of(const tsl_libc *cancellable, uint32_t site) {
    passed kept = keep_passed();
    TSL_HOT->call_site = site;
    if (cancellable)
        tslrt_cancel_point_of(cancellable->name);
    else
        tslrt_op(TSL_EV_CALL, NULL);
    pass_on(&kept);
}

static void wait_for_stream(FILE *file, unsigned state, uint32_t site) {
    if (tslrt_file_enter(file, site))
        return;
    tslrt_file_wait(file, site);
    if (state != TSL_STATE_STREAM && state != TSL_USE_MOVES)
        tslrt_file_wait_ready(file, state == TSL_USE_IN, site);
}

// A call waits while another thread has locked its stream (flockfile) or is in a call on it.
static void wait_for_streams(const tsl_libc *row, const uint64_t *args, uint32_t site) {
    passed kept = keep_passed();
    if (SELF->io.stream)
        tslrt_file_leave(site);
    for (unsigned i = 0; i < TSL_LIBC_USES && row->uses[i].state; i++) {
        unsigned state = row->uses[i].state;
        FILE *file = state == TSL_USE_IN || state == TSL_USE_OUT || state == TSL_USE_MOVES ||
                             state == TSL_STATE_STREAM
                         ? stream_of(row->uses[i].arg, args)
                         : NULL;
        if (file)
            wait_for_stream(file, state, site);
    }
    pass_on(&kept);
}

static void take_step(uint32_t site) { take_step_of(NULL, site); }

void tslrt_call_step(uint32_t site) {
    if (TSL_HOT->recording != TSL_RECORD_NOTHING)
        take_step(site);
}

void tslrt_call_uses(unsigned state, unsigned role) {
    tell(TSL_EV_STATE, TSL_OBJECT_STATE + state, 1, role);
}

void tslrt_state_step(unsigned state, unsigned role) {
    if (TSL_HOT->recording == TSL_RECORD_NOTHING)
        return;
    take_step(TSL_HOT->call_site);
    tslrt_call_uses(state, role);
}

void tslrt_call_follows(const void *p, uint64_t size, uint32_t site) {
    if (!p || !size || tslrt_is_constant(p))
        return;
    tslrt_heap_check_also((uintptr_t)p, size, site, TSL_EV_READ);
    if (TSL_HOT->recording != TSL_RECORD_NOTHING && !TSLRT_BROKEN(LIBC_READS))
        tell(TSL_EV_READ, (uintptr_t)p, size, 0);
}

// A string that libc returns may be a constant, which libc has not written.
void tslrt_call_writes(const void *p, uint64_t size, uint32_t site) {
    if (!p || !size || tslrt_is_constant(p))
        return;
    tslrt_wrote(p, size);
    tslrt_heap_check_also((uintptr_t)p, size, site, TSL_EV_WRITE);
    if (TSL_HOT->recording != TSL_RECORD_NOTHING && !TSLRT_BROKEN(LIBC_WRITES))
        tell(TSL_EV_WRITE, (uintptr_t)p, size, 0);
}

void tslrt_may_touch(const void *p, uint64_t size) {
    if (!p || !size || tslrt_is_constant(p))
        return;
    tslrt_wrote(p, size);
    if (TSL_HOT->recording != TSL_RECORD_NOTHING)
        tslrt_also_range(TSL_EV_TOUCH, p, size);
}

// ---------------------------------------------------------------- a row

static bool reads_only(const tsl_libc_range *r) {
    return (r->how & TSL_LIBC_READS) && !(r->how & TSL_LIBC_WRITES);
}

// Is there memory to tell of?  Where it begins is known before the call, unless that is the result.
static bool has_memory(const tsl_libc *row, const uint64_t *args) {
    for (unsigned i = 0; i < TSL_LIBC_RANGES && row->ranges[i].how; i++) {
        const tsl_libc_range *r = &row->ranges[i];
        if (r->arg == TSL_LIBC_RESULT ||
            (args[r->arg] && !(reads_only(r) && tslrt_is_constant((const void *)args[r->arg]))))
            return true;
    }
    return false;
}

static void tell_reads(const tsl_libc *row, const uint64_t *args, uint32_t site) {
    for (unsigned i = 0; i < TSL_LIBC_RANGES && row->ranges[i].how; i++) {
        const tsl_libc_range *r = &row->ranges[i];
        const void *p = reads_only(r) ? tsl_libc_place(r, args, 0) : NULL;
        if (p && !tslrt_is_constant(p))
            tslrt_call_follows(p, tsl_libc_length(r, p, args, 0), site);
    }
}

// The call will call functions of the program, and other threads may run then.  What it may change
// before that is told now, too.
static void tell_early(const tsl_libc *row, const uint64_t *args, uint32_t site) {
    SELF->call.site = site;
    SELF->call.began = tslrt_steps();
    for (unsigned i = 0; i < TSL_LIBC_RANGES && row->ranges[i].how; i++) {
        const tsl_libc_range *r = &row->ranges[i];
        bool changes = (r->how & TSL_LIBC_READS) && (r->how & TSL_LIBC_WRITES);
        const void *p = changes && r->arg != TSL_LIBC_RESULT ? tsl_libc_place(r, args, 0) : NULL;
        if (p)
            tslrt_call_writes(p, tsl_libc_length(r, p, args, 0), site);
    }
}

// A descriptor among the arguments may stand for a file that is mapped.
static void look_at_descriptors(const tsl_libc_use *use, const uint64_t *args) {
    bool files = use->state == TSL_STATE_FILES || use->state == TSL_STATE_DESCRIPTOR;
    for (unsigned i = 0; files && i < 3; i++)
        if (args[i] < INT_MAX)
            tslrt_mapping_used((int)args[i]);
}

// The call reads values of the environment, where the program may write through a result of getenv.
static void add_values(accesses *to, const tsl_libc *row, const uint64_t *args) {
    const char *value;
    for (unsigned i = 0; (value = tslrt_environment_value(row, args, i)); i++)
        if (!tslrt_is_constant(value))
            add(to, TSL_EV_READ, (uintptr_t)value, strlen(value) + 1, 0);
}

static bool finds_zone(const tsl_libc *row) {
    return tsl_libc_uses(row, TSL_STATE_TIMEZONE) || tsl_libc_uses(row, TSL_USE_FINDS);
}

static accesses uses_of(const tsl_libc *row, const uint64_t *args) {
    accesses uses = {.n = 0};
    if (is_live(TSL_STATE_PROCESS) && tsl_libc_names_file(row))
        add_state(&uses, TSL_STATE_PROCESS, TSL_ROLE_READ);
    for (unsigned i = 0; tslrt_reg()->nfilemaps && i < TSL_LIBC_USES && row->uses[i].state; i++)
        look_at_descriptors(&row->uses[i], args);
    for (unsigned i = 0; i < TSL_LIBC_USES && row->uses[i].state; i++)
        add_use(&uses, &row->uses[i], args);
    if (tsl_libc_uses(row, TSL_STATE_ENVIRONMENT) || finds_zone(row))
        add_values(&uses, row, args);
    return uses;
}

static void tell_uses(const accesses *uses) {
    for (unsigned i = 0; i < uses->n; i++)
        tell(uses->list[i].kind, uses->list[i].at, uses->list[i].size, uses->list[i].role);
}

void tslrt_call_looks_at_environment(void) {
    accesses uses = {.n = 0};
    if (TSL_HOT->recording == TSL_RECORD_NOTHING)
        return;
    add_state(&uses, TSL_STATE_ENVIRONMENT, TSL_ROLE_READ);
    tell_uses(&uses);
}

void tslrt_call_leaves(uint32_t site) {
    if (SELF->io.stream)
        tslrt_file_leave(site);
}

bool tslrt_libc_begin(const tsl_libc *row, const uint64_t *args, uint32_t site, bool more) {
    if (tslrt_reg()->flocks[0].used && tsl_libc_closes_some(row->name))
        tslrt_flock_lost(row->name, site);
    if ((row->flags & TSL_LIBC_CANCEL) && tslrt_cancellable(SELF))
        take_step_of(row, site);
    if (__builtin_expect(TSL_HOT->labelled, 0))
        tslrt_symbols_given(row, args);
    if (__builtin_expect(RUN->inputs.left | (RUN->libc.nbuffers != 0), 0) &&
        row->by == TSL_LIBC_LIBC && tsl_libc_uses(row, TSL_USE_IN))
        tslrt_symbols_back();
    if (row->flags & TSL_LIBC_CALLS_BACK)
        SELF->call.step = NULL; // set when the call is a step
    if (row == &tsl_libc_rows[TSL_ROW_putenv])
        tslrt_environment_put((const char *)args[0]);
    if (TSL_HOT->recording == TSL_RECORD_NOTHING) {
        RUN->libc.kept.zone_known |= finds_zone(row);
        tell_reads(row, args, site);
        return false;
    }
    if (row->flags & TSL_LIBC_CALLS_BACK)
        tslrt_foreign_handed(args, site);
    if (tslrt->uses.locks_files || RUN->libc.nchannels || RUN->libc.npiped)
        wait_for_streams(row, args, site);
    accesses uses = uses_of(row, args);
    if (!uses.n && !more && !has_memory(row, args))
        return false;
    take_step(site);
    const tsl_event *call = TSL_HOT->cursor - 1;
    if (tsl_libc_uses(row, TSL_STATE_ENVIRONMENT) || finds_zone(row))
        uses = uses_of(row, args); // another thread may have moved the environment meanwhile
    tell_uses(&uses);
    RUN->libc.kept.zone_known |= finds_zone(row);
    tell_reads(row, args, site);
    if (row->flags & TSL_LIBC_CALLS_BACK) {
        SELF->call.step = call;
        tell_early(row, args, site);
    }
    return true;
}

void tslrt_libc_end(const tsl_libc *row, const uint64_t *args, uint64_t result, uint32_t site) {
    bool happened = tsl_libc_succeeded(row, result);
    if ((row->flags & TSL_LIBC_CALLS_BACK) && TSL_HOT->recording != TSL_RECORD_NOTHING &&
        SELF->call.step && tsl_libc_writes(row) && SELF->call.began != tslrt_steps()) {
        site = SELF->call.site;
        if (tslrt_overtaken(SELF->call.step))
            tslrt_weaken_at(site, TSL_REASON_UNCONTROLLED,
                            "what %s does between its callbacks is not told, and another thread "
                            "has changed what it uses",
                            row->name);
        take_step(site);
        accesses uses = uses_of(row, args); // the call goes on after its last callback
        tell_uses(&uses);
    }
    for (unsigned i = 0; i < TSL_LIBC_RANGES && row->ranges[i].how; i++) {
        const tsl_libc_range *r = &row->ranges[i];
        if (reads_only(r) || (!happened && !(r->how & TSL_LIBC_READS)))
            continue;
        const void *p = tsl_libc_place(r, args, result);
        uint64_t size = p ? tsl_libc_length(r, p, args, result) : 0;
        if (happened)
            tslrt_call_writes(p, size, site);
        else
            tslrt_call_follows(p, size, site);
    }
    if (row->flags & TSL_LIBC_CALLS_BACK && __builtin_expect(TSL_HOT->labelled, 0))
        tslrt_symbols_unreturned(row->name);
    tslrt_call_leaves(site);
}

// ---------------------------------------------------------------- hooks

TSL_SLOW void __teasel_extern_slow(const tsl_extern *callee, uint32_t site, uint32_t pointers) {
    uint64_t args[TSL_CALL_ARGS];
    if (callee->tells & TSL_TELLS_UNCONTROLLED)
        tslrt_calls_uncontrolled(callee, site);
    if (callee->tells & TSL_TELLS_WORLD)
        tslrt_varies_before(&tsl_libc_rows[callee->row - 1], TSL_HOT->call_args, site);
    if (!(callee->tells & TSL_TELLS_STEP))
        return;
    if (!callee->row) {
        tslrt_foreign_call((const void *)callee->function, callee->name, pointers, site);
        return;
    }
    memcpy(args, TSL_HOT->call_args, sizeof args);
    tslrt_libc_begin(&tsl_libc_rows[callee->row - 1], args, site, false);
}

static void call_done(const tsl_extern *callee, const uint64_t *args, uint64_t result) {
    const tsl_libc *row = &tsl_libc_rows[callee->row - 1];
    if ((row->flags & TSL_LIBC_VARIES) && tsl_libc_succeeded(row, result))
        tslrt_varies_after(row, args, SELF->pend.site);
    tslrt_libc_end(row, args, result, SELF->pend.site);
}

TSL_SLOW void __teasel_extern_done_slow(const tsl_extern *callee, uint64_t result) {
    call_done(callee, TSL_HOT->call_args, result);
}

const tsl_extern *tslrt_extern_at(const void *function) {
    for (const tsl_module *m = tslrt->program.modules; m; m = m->next)
        for (uint32_t i = 0; i < m->nexterns; i++)
            if ((const void *)m->externs[i].function == function)
                return &m->externs[i];
    return NULL;
}

static void remember(const void *function) {
    TSL_HOT->inside[(uintptr_t)function / 16 % TSL_INSIDE] = function;
}

TSL_SLOW void __teasel_icall_slow(const void *callee, uint32_t site, uint32_t pointers) {
    if (!callee || tslrt_is_instrumented(callee)) {
        remember(callee);
        return;
    }
    const tsl_extern *e = tslrt_extern_at(callee);
    if (e ? !e->tells : tslrt_is_runtime(callee)) {
        remember(callee);
        return;
    }
    if (!e) {
        TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
        TSL_HOT->effect_at = TSL_HOT->cursor;
        tslrt_varies_if_vdso(callee, site);
        tslrt_foreign_call(callee, NULL, pointers, site);
        return;
    }
    if (e->tells & TSL_TELLS_AFTER) {
        TSL_HOT->open_call = callee;
        memcpy(RUN->libc.open.args, TSL_HOT->call_args, sizeof RUN->libc.open.args);
        RUN->libc.open.callee = e;
    }
    __teasel_extern_slow(e, site, pointers);
}

TSL_SLOW void __teasel_icall_done_slow(uint64_t result) {
    TSL_HOT->open_call = NULL;
    call_done(RUN->libc.open.callee, RUN->libc.open.args, result);
}
