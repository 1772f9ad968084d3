// A replay file: a Plan, and the program it is for, as text that a person can edit.
//
//     teasel-replay 1
//     program ./prog
//     arg FOO
//     stdin input.txt
//     via qemu-aarch64 -L /usr/aarch64-linux-gnu
//     build 0123abcd
//     kind deadlock
//     message T1 and T2 wait for each other
//     file prog.c
//     line 14
//     seed 42
//     policy stay
//     steps 1000000
//     flags spurious leaks
//     outside stdin 16
//     outside file 8 config.txt
//     outside arg 3 1
//     outside env 4 HOME
//     first-values 2d31
//     input-seed 1
//     input 0 0 2a000000
//     schedule 0*3 1*4 c2 0
//     trace 00ffee0012345678
//     end
//
// The first line, `program` and `end` are required.  `arg`, `outside`, `input` and `schedule` may
// be repeated; all other words stand there at most once.  Blank lines, lines that start with #, and
// %HH in values are as in lines.h.
//
// `input T N HEX` has the bytes of the input that thread T asks for after N others.  `outside KIND
// SIZE WHAT` is an input that the program gets without asking; such inputs belong to thread 0 and
// are numbered from 1073741824 on.  An input in an argument follows the text of its `arg`.
// `first-values HEX` has the values of inputs that have no line of their own.
//
// In `schedule`, T*N runs thread T for N steps, T alone one step, and cN takes
// alternative N at the next choice.
//
// The file comes from outside: anything malformed is refused, with a message that says where, what,
// and what to do about it.
#ifndef TSL_TRACE_REPLAY_H
#define TSL_TRACE_REPLAY_H

#include "base/buf.h"
#include "trace/outside.h"
#include "trace/plan.h"

#define TSL_REPLAY_VERSION 1u
#define TSL_REPLAY_MAX ((size_t)64 << 20) // bytes of the largest file read

typedef struct tsl_replay {
    char *program;    // path; NULL only before it is filled
    tsl_texts args;   // without argv[0]
    char *stdin_path; // standard input of the run, or NULL: empty
    char *via;        // words put before the program, or NULL
    char *build;      // hex build id of the program, or NULL

    // What the run showed when it was recorded: for people, a replay ignores it.
    char *kind, *message, *file; // each may be NULL
    uint32_t line;               // 0: unknown

    tsl_outsides outside;
    tsl_plan plan;
    bool has_trace; // the Trace of the run must have trace_hash
    uint64_t trace_hash;
} tsl_replay;

void tsl_replay_init(tsl_replay *replay);
void tsl_replay_drop(tsl_replay *replay);

// Both fill an initialised replay in place of what it held, and leave it empty when they fail.
// `name` is only for messages.
bool tsl_replay_read(const char *path, tsl_replay *out, tsl_err *err);
bool tsl_replay_parse(const char *name, const char *text, size_t len, tsl_replay *out,
                      tsl_err *err);

void tsl_replay_format(const tsl_replay *replay, tsl_buf *out);
bool tsl_replay_write(const char *path, const tsl_replay *replay, tsl_err *err);

#endif
