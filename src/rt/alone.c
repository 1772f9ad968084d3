// Runs without the tool: an ordinary program under a fair schedule, or, with TEASEL_REPLAY=FILE,
// the recorded run again, so that it can be debugged.
//
// The replay file is the text of trace/replay.h.  Only the lines that decide the run are read here,
// without stdio or malloc.  The tool has checked the file before.
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "start.h"
#include "state.h"
#include "sys.h"

typedef struct loaded {
    tsl_plan_head plan;
    tsl_item *items;
    uint64_t room;
    bool is_race;
    char *inputs; // as in a Plan
    size_t inputs_room;
    char **args; // the first one is the program's name
    int nargs;
} loaded;

// Memory where the shared file would lie, so that the program's own mappings get
// the addresses they had under the tool.
static void *take(size_t size) {
    static uintptr_t at = TSL_WIRE_ADDR;
    uintptr_t p = at;
    size = (size + 0xffff) & ~(size_t)0xffff;
    tslrt_map(p, size, "the replay");
    at += size;
    return (void *)p;
}

static uint64_t number(const char **at) {
    uint64_t value = 0;
    while (**at >= '0' && **at <= '9')
        value = value * 10 + (uint64_t)(*(*at)++ - '0');
    return value;
}

static void add_item(loaded *l, unsigned kind, uint64_t value, uint64_t count) {
    if (l->plan.nitems >= l->room)
        tslrt_die("the schedule of the replay file is too long");
    l->items[l->plan.nitems++] =
        (tsl_item){.kind = (uint16_t)kind, .value = (uint16_t)value, .count = (uint32_t)count};
}

// "0*3 1 c2": three steps of thread 0, one step of thread 1, alternative 2 of a choice.
static void read_schedule(loaded *l, const char *at) {
    while (*at) {
        while (*at == ' ')
            at++;
        if (*at == 'c') {
            at++;
            add_item(l, TSL_ITEM_CHOICE, number(&at), 0);
        } else if (*at >= '0' && *at <= '9') {
            uint64_t thread = number(&at), count = 1;
            if (*at == '*') {
                at++;
                count = number(&at);
            }
            add_item(l, TSL_ITEM_RUN, thread, count);
        } else if (*at)
            tslrt_die("the replay file's schedule has a word that is neither N, N*COUNT nor cN");
    }
}

static unsigned hex_digit(char c) {
    return c >= '0' && c <= '9' ? (unsigned)(c - '0') : ((unsigned)c | 32u) - 'a' + 10u;
}

static void read_bytes(const char *hex, size_t n, char *to) {
    for (size_t i = 0; i < n; i++)
        to[i] = (char)(hex_digit(hex[2 * i]) << 4 | hex_digit(hex[2 * i + 1]));
}

// "0 0 2a000000": thread, index of the input within the thread, bytes.
static void read_input(loaded *l, const char *at) {
    tsl_plan_input head = {.thread = (uint32_t)number(&at)};
    at += *at == ' ';
    head.index = (uint32_t)number(&at);
    at += *at == ' ';
    head.size = (uint32_t)(strlen(at) / 2);
    size_t bytes = sizeof head + ((head.size + 7u) & ~7u);
    if (l->plan.input_bytes + bytes > l->inputs_room)
        tslrt_die("the inputs of the replay file are too long");
    char *to = l->inputs + l->plan.input_bytes;
    memcpy(to, &head, sizeof head);
    read_bytes(at, head.size, to + sizeof head);
    l->plan.input_bytes += (uint32_t)bytes;
    l->plan.ninputs++;
}

static void read_first_values(const char *at) {
    char bytes[TSL_MAX_INPUT];
    size_t n = strlen(at) / 2;
    n = n < sizeof bytes ? n : sizeof bytes;
    read_bytes(at, n, bytes);
    tslrt_outside_first(bytes, n);
}

// %HH stands for a byte.  `to` may be `at`.
static void read_text(const char *at, char *to, size_t room) {
    for (; *at && room > 1; room--) {
        bool coded = at[0] == '%' && at[1] && at[2];
        *to++ = coded ? (char)(hex_digit(at[1]) << 4 | hex_digit(at[2])) : *at;
        at += coded ? 3 : 1;
    }
    *to = 0;
}

// "file 8 config.txt": kind, size, and a path, the index of an argument, or the name of a variable.
static void read_outside(const char *at) {
    static const char *const kinds[TSL_OUTSIDE_KINDS] = {"stdin", "file", "arg", "env"};
    tsl_outside what = {.kind = TSL_OUTSIDE_KINDS};
    size_t n = strcspn(at, " ");
    for (unsigned i = 0; i < TSL_OUTSIDE_KINDS; i++)
        if (strlen(kinds[i]) == n && memcmp(at, kinds[i], n) == 0)
            what.kind = i;
    at += n + (at[n] == ' ');
    what.size = (uint32_t)number(&at);
    at += *at == ' ';
    if (what.kind == TSL_OUTSIDE_ARG)
        what.place = (uint32_t)number(&at);
    else
        read_text(at, what.name, sizeof what.name);
    tslrt_outside_add(&what);
}

static void read_flags(loaded *l, const char *at) {
    if (strstr(at, "spurious"))
        l->plan.flags |= TSL_PLAN_SPURIOUS;
    if (strstr(at, "leaks"))
        l->plan.flags |= TSL_PLAN_LEAKS;
    if (strstr(at, "exit-status"))
        l->plan.flags |= TSL_PLAN_EXIT_STATUS;
    if (strstr(at, "stop"))
        l->plan.flags |= TSL_PLAN_STOP;
    if (strstr(at, "spin-ends"))
        l->plan.flags |= TSL_PLAN_SPIN_ENDS;
}

// The schedule of a race ends with its two accesses.  To look at the race, it is better to stop
// before them, where both threads stand before their accesses.
static void stop_before_race(loaded *l) {
    for (int i = 0; i < 2 && l->plan.nitems; i++) {
        tsl_item *last = &l->items[l->plan.nitems - 1];
        if (last->kind == TSL_ITEM_RUN && --last->count == 0)
            l->plan.nitems--;
    }
}

static const char *value_of(const char *line, const char *key) {
    size_t n = strlen(key);
    return strncmp(line, key, n) == 0 && line[n] == ' ' ? line + n + 1 : NULL;
}

static void read_line(loaded *l, char *line) {
    const char *v;
    if ((v = value_of(line, "seed")))
        l->plan.seed = number(&v);
    else if ((v = value_of(line, "steps")))
        l->plan.max_steps = number(&v);
    else if ((v = value_of(line, "policy")))
        l->plan.policy = strcmp(v, "random") == 0  ? TSL_POLICY_RANDOM
                         : strcmp(v, "fair") == 0  ? TSL_POLICY_FAIR
                         : strcmp(v, "eager") == 0 ? TSL_POLICY_EAGER
                                                   : TSL_POLICY_STAY;
    else if ((v = value_of(line, "kind")))
        l->is_race = strcmp(v, "race") == 0;
    else if ((v = value_of(line, "flags")))
        read_flags(l, v);
    else if ((v = value_of(line, "schedule")))
        read_schedule(l, v);
    else if ((v = value_of(line, "input-seed")))
        l->plan.input_seed = number(&v);
    else if ((v = value_of(line, "input")))
        read_input(l, v);
    else if ((v = value_of(line, "outside")))
        read_outside(v);
    else if ((v = value_of(line, "first-values")))
        read_first_values(v);
    else if ((v = value_of(line, "arg")))
        read_text(v, l->args[l->nargs++] = line + (v - line), SIZE_MAX);
}

static void load(loaded *l, const char *path) {
    long fd = tslrt_sys4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        tslrt_die("can't open the replay file %s", path);
    long size = tslrt_sys3(SYS_lseek, fd, 0, 2);
    tslrt_sys3(SYS_lseek, fd, 0, 0);
    char *text = take((size_t)size + 1);
    for (long n = 0, got = 1; n < size && got > 0; n += got)
        got = tslrt_sys3(SYS_read, fd, text + n, size - n);
    tslrt_sys1(SYS_close, fd);
    l->room = (uint64_t)size / 2 + 16; // an item takes at least two characters
    l->items = take(l->room * sizeof(tsl_item));
    l->inputs_room = (size_t)size * 8 + 64;
    l->inputs = take(l->inputs_room);
    l->args = take(((size_t)size / 4 + 2) * sizeof *l->args);
    l->args[l->nargs++] = tslrt->program.argv[0];
    for (char *line = text; *line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = 0;
        read_line(l, line);
        line = end ? end + 1 : line + strlen(line);
    }
    if (l->is_race) {
        static const char text[] = "teasel: a data race: the program is stopped where both threads "
                                   "stand before their accesses\n";
        tslrt_sys3(SYS_write, 2, text, sizeof text - 1);
        stop_before_race(l);
    }
}

// Uses the arguments of the recorded run, unless the user gives others.
static void take_arguments(const loaded *l) {
    const tsl_outside *o;
    if (tslrt->program.argc == 1) {
        tslrt->program.argc = l->nargs;
        tslrt->program.argv = l->args;
    }
    for (unsigned i = 0; (o = tslrt_outside_at(i)); i++)
        if (o->kind == TSL_OUTSIDE_ARG && o->place >= (unsigned)tslrt->program.argc)
            tslrt_die("argument %u of the replay file is an input, but there are fewer; give none "
                      "to have them all",
                      o->place);
}

noreturn void tslrt_run_alone(const char *replay) {
    static loaded l = {.plan = {.max_steps = 1ull << 50, .policy = TSL_POLICY_FAIR}};
    tsl_trace_head *trace;
    tsl_event *events = (tsl_event *)TSLRT_EVENTS_AT;
    uint64_t room = TSLRT_EVENTS_ROOM;
    if (replay) {
        load(&l, replay);
        take_arguments(&l);
        room = l.plan.max_steps * 4 + 65536;
        events = take(room * sizeof *events);
    }
    trace = take(sizeof *trace);
    tslrt->program.inputs = l.inputs;
    tslrt_outside_open();
    tslrt_world_begin();
    tslrt_run_plan(&l.plan, l.items, trace, events, room);
    __builtin_unreachable();
}
