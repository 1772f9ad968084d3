// Inputs that escape: code that does not follow labels reads memory that depends on inputs.
//
//     taken    their values are used as they are, which weakens the claim
//     leave    they go to a file, pipe or socket; the claim is weakened if the program later reads
//              from such a place, because what it gets there has no labels
//
// Inputs do not escape to functions of libc that are followed (libc/follow.h).
#include "../libc/ranges.h"
#include "../state.h"
#include "symbol.h"

// ---------------------------------------------------------------- taken as they are

// How far the function reads is not known, so memory close to `p` is looked at.  A function that is
// not described may also follow pointers to anywhere.
TSL_SLOW void __teasel_sym_outside_slow(const tsl_extern *callee, const void *p, uint32_t site) {
    enum { CLOSE = 256 };
    (void)site;
    if (!SYM->nodes || !p)
        return;
    bool there = shadow_has((uintptr_t)p, CLOSE);
    if (!there && (callee->row || tslrt_is_constant(p)))
        return;
    RUN->trace.flags |= TSL_TRACE_CONCRETISED;
    tslrt_say(there ? "%s reads memory that depends on inputs as it is"
                    : "%s may read memory that depends on inputs as it is, by pointers",
              callee->name);
}

void tslrt_symbols_read(const char *name, const void *p, uint64_t size) {
    if (!SYM->nodes || !shadow_has((uintptr_t)p, size))
        return;
    RUN->trace.flags |= TSL_TRACE_CONCRETISED;
    tslrt_say("%s reads memory that depends on inputs as it is", name);
}

void tslrt_symbols_taken(const void *p, uint64_t size) {
    if (__builtin_expect(TSL_HOT->labelled, 0) && p && size)
        tslrt_symbols_read("a function of libc", p, size);
}

void tslrt_symbols_unreturned(const char *name) {
    if (!TSL_HOT->ret_from || !SYM->nodes)
        return;
    TSL_HOT->ret_from = NULL;
    RUN->trace.flags |= TSL_TRACE_CONCRETISED;
    tslrt_say("%s takes what a function of the program returns, which depends on inputs, as it is",
              name);
}

void tslrt_symbols_aliased(void) {
    if (!SYM->nodes || !TSL_HOT->labelled || !RUN->libc.aliased)
        return;
    RUN->trace.flags |= TSL_TRACE_CONCRETISED;
    tslrt_say("inputs in memory that is mapped at two addresses are followed at one of them");
}

// ---------------------------------------------------------------- leaving the process

// Inputs leave the process.  If they go to a stream in memory, the program can read them at once.
static void leave(void) {
    RUN->inputs.left = true;
    if (!RUN->libc.nbuffers)
        return;
    RUN->trace.flags |= TSL_TRACE_CONCRETISED;
    tslrt_say("what depends on inputs was printed into memory, and is a plain number there");
}

// How many bytes are written is not known here, so a page behind the pointer is looked at.  Looking
// too far only weakens the claim of programs that read from outside later.
TSL_SLOW void __teasel_sym_leaves_slow(uint32_t label, const void *p) {
    enum { CLOSE = 4096 };
    if (label)
        leave();
    else
        tslrt_symbols_leave(p, CLOSE);
}

void tslrt_symbols_leave(const void *p, uint64_t size) {
    if (SYM->nodes && shadow_has((uintptr_t)p, size))
        leave();
}

// The program reads something that is no input, but may be what the program has written before.
// Output to standard output counts if a file or pipe may be in its place; memory counts if it may
// belong to a stream or a mapped file.
void tslrt_symbols_back(void) {
    bool elsewhere = tslrt->hidden.redirects || RUN->libc.nbuffers || tslrt_reg()->nfilemaps;
    if (!SYM->nodes || !(RUN->inputs.left || (elsewhere && TSL_HOT->labelled)))
        return;
    RUN->trace.flags |= TSL_TRACE_CONCRETISED;
    tslrt_say("what depends on inputs was written to a file, pipe or socket, and may be read back "
              "as it is");
}

// ---------------------------------------------------------------- calls of libc

void tslrt_call_reads(const void *p, uint64_t size, uint32_t site) {
    tslrt_call_follows(p, size, site);
    tslrt_symbols_taken(p, size);
}

void tslrt_call_sends(const void *p, uint64_t size, uint32_t site) {
    tslrt_call_follows(p, size, site);
    if (__builtin_expect(TSL_HOT->labelled, 0) && p && size)
        tslrt_symbols_leave(p, size);
}

// Does what the call reads leave the process, and may the program read it again?  (Standard output
// may be read back, too: tslrt_symbols_back.)
enum way { STAYS, GOES_OUT, MAY_COME_BACK };

static enum way way_of(const tsl_libc *row, const uint64_t *args) {
    for (unsigned i = 0; i < TSL_LIBC_USES && row->uses[i].state; i++) {
        const tsl_libc_use *use = &row->uses[i];
        bool changed = use->role != TSL_ROLE_READ;
        if (use->state == TSL_STATE_SYSLOG)
            return GOES_OUT;
        if (use->state == TSL_USE_OUT)
            return use->arg < TSL_LIBC_ARGS && !tslrt_is_output((const FILE *)args[use->arg])
                       ? MAY_COME_BACK
                       : GOES_OUT;
        if (use->state == TSL_STATE_DESCRIPTOR && changed)
            return args[use->arg] > 2 ? MAY_COME_BACK : GOES_OUT;
    }
    return STAYS;
}

tslrt_teller *tslrt_call_teller(const tsl_libc *row, const uint64_t *args) {
    enum way way = way_of(row, args);
    return way == STAYS      ? tslrt_call_reads
           : way == GOES_OUT ? tslrt_call_follows
                             : tslrt_call_sends;
}

// What a function returns or stores depends on inputs if what it reads does.  (If a function does
// more than compute, __teasel_sym_outside also looks at memory close to its arguments.)
void tslrt_symbols_given(const tsl_libc *row, const uint64_t *args) {
    enum way way = way_of(row, args);
    TSL_HOT->ret_from = NULL;
    bool named = tsl_libc_names_file(row) || tsl_libc_uses(row, TSL_STATE_ENVIRONMENT);
    if (row->flags & TSL_LIBC_FOLLOWS && !named) // names are not followed
        return;
    for (unsigned i = 0; i < TSL_LIBC_RANGES && row->ranges[i].how; i++) {
        const tsl_libc_range *r = &row->ranges[i];
        bool reads = (r->how & TSL_LIBC_READS) && r->arg != TSL_LIBC_RESULT;
        const void *p = reads ? tsl_libc_place(r, args, 0) : NULL;
        if (p && way == MAY_COME_BACK)
            tslrt_symbols_leave(p, tsl_libc_length(r, p, args, 0));
        else if (p && way == STAYS)
            tslrt_symbols_read(row->name, p, tsl_libc_length(r, p, args, 0));
    }
}
