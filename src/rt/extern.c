// Calls that leave instrumented code: the call site tells what they touch.
//
//     a function of libc   one step, with the hidden state it uses and the memory it reads and
//                          writes, as its row of abi/libc.def says.  The step is scheduled before
//                          the call; its writes are recorded after the call, when their lengths
//                          are known, and no other thread runs in between.
//     any other code       see foreign.c
//
// Reads of state that never changes, and of memory that can't be written, are left out.
#include "extern.h"

#include <limits.h>
#include <string.h>

#include "libc/ranges.h"
#include "notes.h"
#include "quick.h"
#include "sabotage.h"

// ---------------------------------------------------------------- steps

// Atomic accesses stand for what libc guards with a lock, so they are sequentially consistent.
static unsigned order_of(unsigned kind) {
    return kind == TSL_EV_AREAD || kind == TSL_EV_AWRITE ? __ATOMIC_SEQ_CST << 4 : 0;
}

static void tell(unsigned kind, uint64_t at, uint64_t size, unsigned role) {
    unsigned code = kind == TSL_EV_STATE ? 0 : tslrt_size_code(size);
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
    tslrt_call_leaves(site);
    for (unsigned i = 0; i < TSL_LIBC_USES && row->uses[i].state; i++) {
        const tsl_libc_use *use = &row->uses[i];
        FILE *file = tslrt_uses_stream(use) ? accesses_stream(use->arg, args) : NULL;
        if (file)
            wait_for_stream(file, use->state, site);
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
            accesses_add(to, TSL_EV_READ, (uintptr_t)value, strlen(value) + 1, 0);
}

static bool finds_zone(const tsl_libc *row) {
    return tsl_libc_uses(row, TSL_STATE_TIMEZONE) || tsl_libc_uses(row, TSL_USE_FINDS);
}

static accesses uses_of(const tsl_libc *row, const uint64_t *args) {
    accesses uses = {.n = 0};
    if (tslrt_state_matters(TSL_STATE_PROCESS) && tsl_libc_names_file(row))
        accesses_add_state(&uses, TSL_STATE_PROCESS, TSL_ROLE_READ);
    for (unsigned i = 0; tslrt_reg()->nfilemaps && i < TSL_LIBC_USES && row->uses[i].state; i++)
        look_at_descriptors(&row->uses[i], args);
    for (unsigned i = 0; i < TSL_LIBC_USES && row->uses[i].state; i++)
        accesses_add_use(&uses, &row->uses[i], args);
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
    accesses_add_state(&uses, TSL_STATE_ENVIRONMENT, TSL_ROLE_READ);
    tell_uses(&uses);
}

void tslrt_call_leaves(uint32_t site) {
    if (SELF->io.stream)
        tslrt_file_leave(site);
}

bool tslrt_libc_begin(const tsl_libc *row, const uint64_t *args, uint32_t site, bool more) {
    if (tslrt_reg()->flocks[0].used && (row->flags & TSL_LIBC_CLOSES_OTHERS))
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
