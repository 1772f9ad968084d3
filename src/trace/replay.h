// A replay file: a Plan with the program it is for, as text a person can edit.
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
// The first line, `program` and `end` are required.  `arg`, `outside`, `input` and `schedule` may be
// repeated, everything else is said at most once.  Blank lines and lines that
// start with # are skipped.  In a value, %HH stands for the byte HH: used for
// control characters, for % itself and for blanks at either end.
//
// `input T N HEX` are the bytes of the input that thread T asks for after N others.  `outside KIND
// SIZE WHAT` is an input the program gets without asking; they belong to thread 0 and are numbered
// from 1073741824 on.  An argument has what its `arg` says in front of it.  `first-values HEX`
// are those of inputs that have no line of their own.
//
// In `schedule`, T*N runs thread T for N steps, T alone one step, and cN takes
// alternative N at the next choice.
//
// The parser reads outside data: anything malformed is refused with a line that
// says where, what, and what to do about it.
#ifndef TSL_TRACE_REPLAY_H
#define TSL_TRACE_REPLAY_H

#include "base/buf.h"
#include "base/err.h"
#include "trace/outside.h"
#include "trace/plan.h"

#define TSL_REPLAY_VERSION 1u
#define TSL_REPLAY_MAX ((size_t)64 << 20) // bytes of the largest file read

typedef struct tsl_replay {
    char *program;        // path; NULL only before it is filled
    TSL_VEC(char *) args; // without argv[0]
    char *stdin_path;     // standard input of the run, or NULL: empty
    char *via;            // words put before the program, or NULL
    char *build;          // hex build id of the program, or NULL

    // What it showed when it was recorded; for people, replaying ignores it.
    char *kind, *message, *file; // each may be NULL
    uint32_t line;               // 0: unknown

    tsl_outsides outside;
    tsl_plan plan;
    bool has_trace; // trace_hash is what the run must give
    uint64_t trace_hash;
} tsl_replay;

void tsl_replay_init(tsl_replay *replay);
void tsl_replay_drop(tsl_replay *replay);

// Both fill an initialised replay, replacing what it held; when they fail it is empty.
// `name` is only for messages.
bool tsl_replay_read(const char *path, tsl_replay *out, tsl_err *err);
bool tsl_replay_parse(const char *name, const char *text, size_t len, tsl_replay *out,
                      tsl_err *err);

void tsl_replay_format(const tsl_replay *replay, tsl_buf *out);
bool tsl_replay_write(const char *path, const tsl_replay *replay, tsl_err *err);

#endif
