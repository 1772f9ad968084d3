// Hidden state of libc: which accesses does a call make that its arguments do not show?
//
// A row of abi/libc.def names states (abi/states.def) with a role each.  A state that the program
// sees as a variable is told as accesses to that variable, all others as accesses to an object that
// stands for the state.  State that the program only reads, or only adds to, is left out.
#include "hidden.h"

#include <fcntl.h>
#include <string.h>

#include "libc/ranges.h"
#include "sabotage.h"
#include "state.h"

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
    tslrt->hidden.gives_names |= (row->flags & TSL_LIBC_GIVES_NAMES) != 0;
    if (row->flags & TSL_LIBC_TELLS_NUMBERS) {
        tslrt->hidden.tells_numbers = true;
        note_role(TSL_STATE_DESCRIPTORS, TSL_ROLE_READ);
    }
}

bool tslrt_state_matters(unsigned state) {
    unsigned roles = tslrt->hidden.roles[state];
    bool looks = roles & 1u << TSL_ROLE_READ, adds = roles & 1u << TSL_ROLE_ADD;
    return roles & 1u << TSL_ROLE_WRITE || (looks && adds);
}

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

void accesses_add(accesses *to, unsigned kind, uint64_t at, uint64_t size, unsigned role) {
    for (unsigned i = 0; i < to->n; i++)
        if (to->list[i].kind == kind && to->list[i].at == at && to->list[i].role == role &&
            (kind == TSL_EV_STATE || to->list[i].size == size))
            return;
    if (to->n < sizeof to->list / sizeof *to->list)
        to->list[to->n++] = (hidden_access){at, size, (uint8_t)kind, (uint8_t)role};
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
            accesses_add(to, kind_of_variable(v, role), (uintptr_t)v->at, v->size, 0);
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
        accesses_add(to, kind, (uintptr_t)environ, (n + 1) * sizeof *environ, 0);
    for (unsigned i = 0; i < RUN->libc.kept.nput; i++)
        if (is_in_environment(RUN->libc.kept.put[i]))
            accesses_add(to, TSL_EV_READ, (uintptr_t)RUN->libc.kept.put[i],
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
        accesses_add(to, kind, (uintptr_t)&environ, sizeof environ, 0);
        return true;
    case TSL_STATE_GETOPT:
        accesses_add(to, kind, (uintptr_t)&optind, sizeof optind, 0);
        accesses_add(to, kind, (uintptr_t)&optarg, sizeof optarg, 0);
        return true;
    case TSL_STATE_SIGNGAM:
        if (&signgam)
            accesses_add(to, kind, (uintptr_t)&signgam, sizeof signgam, 0);
        return &signgam != NULL;
    default:
        return false;
    }
}

void accesses_add_state(accesses *to, unsigned state, unsigned role) {
    if (TSLRT_BROKEN(LIBC_STATE))
        return;
    bool live = tslrt_state_matters(state);
    unsigned kind = role == TSL_ROLE_READ ? TSL_EV_READ : TSL_EV_WRITE;
    if (live && states[state].safe)
        accesses_add(to, TSL_EV_STATE, object_of(state), 1, role);
    else if (live && !add_variables(to, state, kind)) // stands for a variable that is not guarded
        accesses_add(to, kind, object_of(state) * 16, 8, 0);
    if (tslrt->hidden.nvariables && state != TSL_STATE_STREAM)
        add_named(to, state, role);
    if (state == TSL_STATE_ENVIRONMENT && (live || tslrt->hidden.nvariables))
        add_environment(to, kind);
}

// A conversion without an argument for its state remembers that in a variable of its own.
static void add_conversion(accesses *to, const tsl_libc_use *use, const uint64_t *args) {
    if (use->arg == TSL_LIBC_ARGS || !args[use->arg])
        accesses_add(to, TSL_EV_WRITE, (uint64_t)(TSL_OBJECT_STATE + TSL_STATES + use->role) * 16,
                     8, 0);
}

// If the program may assign to stdout and its like, calls that use them implicitly read the
// variable.
static void add_standard(accesses *to, unsigned arg) {
    const void *at = arg == TSL_LIBC_STDIN    ? (const void *)&stdin
                     : arg == TSL_LIBC_STDOUT ? (const void *)&stdout
                                              : (const void *)&stderr;
    for (unsigned i = 0; arg >= TSL_LIBC_STDIN && i < tslrt->hidden.nvariables; i++)
        if (tslrt->hidden.variables[i].at == at)
            accesses_add(to, TSL_EV_READ, (uintptr_t)at, sizeof(FILE *), 0);
}

FILE *accesses_stream(unsigned arg, const uint64_t *args) {
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
    bool seen = file && (tslrt_state_matters(TSL_STATE_STREAM) ||
                         (tslrt_state_matters(TSL_STATE_FILES) && !tslrt_is_output(file)));
    if (seen && !TSLRT_BROKEN(LIBC_STREAM))
        accesses_add(to, TSL_EV_STATE, (uintptr_t)file, 1, role);
    if (file && !tslrt_is_output(file)) // conflicts with calls that use all streams
        accesses_add_state(to, TSL_STATE_STREAMS, TSL_ROLE_READ);
}

// The contents of the file and the position in it: writes through streams on one file are ordered.
static void add_contents(accesses *to, const FILE *file, unsigned role) {
    accesses_add_state(to, TSL_STATE_FILES, role);
    uint64_t object =
        tslrt_state_matters(TSL_STATE_FILES) && file ? tslrt_stream_object((FILE *)file) : 0;
    if (role == TSL_ROLE_ADD && object)
        accesses_add(to, TSL_EV_STATE, object, 1, TSL_ROLE_WRITE);
    if (file)
        tslrt_mapping_used(fileno((FILE *)file));
    if (tslrt->hidden.roles[TSL_STATE_DESCRIPTOR])
        accesses_add_state(to, TSL_STATE_DESCRIPTOR, TSL_ROLE_WRITE);
}

// Memory of the program that the stream uses.
static void add_buffers(accesses *to, const FILE *file) {
    const void *at;
    uint64_t size;
    for (unsigned i = 0; tslrt_buffer_of(file, i, &at, &size); i++)
        if (at && size)
            accesses_add(to, TSL_EV_TOUCH, (uintptr_t)at, size, 0);
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
        accesses_add_state(to, TSL_STATE_FILES, TSL_ROLE_READ);
}

static bool changes_files(const tsl_libc_use *use, const uint64_t *args) {
    if (use->state == TSL_USE_OPENS)
        return args[use->arg] && strpbrk((const char *)args[use->arg], "wa");
    return args[use->arg] & (O_CREAT | O_TRUNC);
}

// The first call that needs the time zone finds it in the environment.
static void add_timezone(accesses *to, unsigned role) {
    bool finds = role == TSL_ROLE_READ && !RUN->libc.kept.zone_known &&
                 tslrt_state_matters(TSL_STATE_ENVIRONMENT);
    accesses_add_state(to, TSL_STATE_TIMEZONE, finds ? TSL_ROLE_WRITE : role);
    if (finds)
        accesses_add_state(to, TSL_STATE_ENVIRONMENT, TSL_ROLE_READ);
}

static void add_handle(accesses *to, uint64_t handle, unsigned role) {
    if (handle && tslrt_state_matters(TSL_STATE_HANDLE))
        accesses_add(to, TSL_EV_STATE, handle, 1, role);
}

void accesses_add_use(accesses *to, const tsl_libc_use *use, const uint64_t *args) {
    switch (use->state) {
    case TSL_USE_IN:
    case TSL_USE_OUT:
        add_standard(to, use->arg);
        add_flow(to, accesses_stream(use->arg, args), use->state == TSL_USE_IN);
        add_buffers(to, accesses_stream(use->arg, args));
        break;
    case TSL_USE_OPENS:
    case TSL_USE_OPENS_AS:
        if (changes_files(use, args))
            note_role(TSL_STATE_FILES, TSL_ROLE_WRITE);
        accesses_add_state(to, TSL_STATE_FILES,
                           changes_files(use, args) ? TSL_ROLE_WRITE : TSL_ROLE_READ);
        break;
    case TSL_USE_MOVES:
        add_move(to, accesses_stream(use->arg, args), use->role);
        add_buffers(to, accesses_stream(use->arg, args));
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
        accesses_add_state(to, use->state,
                           tslrt->hidden.tells_numbers && use->role == TSL_ROLE_ADD ? TSL_ROLE_WRITE
                                                                                    : use->role);
        break;
    case TSL_STATE_TIMEZONE:
        add_timezone(to, use->role);
        break;
    case TSL_STATE_STREAM:
        add_stream(to, accesses_stream(use->arg, args), use->role);
        if (use->role == TSL_ROLE_WRITE)
            add_buffers(to, accesses_stream(use->arg, args));
        break;
    case TSL_STATE_HANDLE:
        add_handle(to, args[use->arg], use->role);
        break;
    case TSL_USE_THREAD: // the same object as for functions that are given its pthread_t
        add_handle(to, (uintptr_t)SELF, use->role);
        break;
    default:
        accesses_add_state(to, use->state, use->role);
    }
}
