// A paths file: the inputs and choices of a campaign's runs as text, of one run for each path.
//
//     teasel-paths 1
//     program ./prog
//     arg FOO
//     stdin input.txt
//     left-out 3
//     path ok 0
//     input 0 0 signed 4 2a000000 x
//     choice 0 1 3
//     path assertion 0 threads
//     message x != 42 at prog.c:7
//     input 0 0 signed 4 2a000000 x
//     end
//
// The first line, `program` and `end` are required; lines and %HH are as in lines.h.
//
// `path OUTCOME STATUS` begins a path: how the run ended (abi/outcome.def) and its exit status;
// `threads` if the run had threads, so that the schedule may have mattered, too.  `message` says
// what went wrong.  `input T N KIND ELEMENT HEX NAME` has the bytes of the input that thread T
// asked for after N others; ELEMENT is the size of its elements.  `choice T I N`: the next
// TEASEL_CHOOSE(N) of thread T returned I.  `left-out` counts the paths for which there was no
// room.
#ifndef TSL_TRACE_PATHS_H
#define TSL_TRACE_PATHS_H

#include "base/buf.h"
#include "base/err.h"
#include "base/set.h"
#include "trace/input.h"

#define TSL_PATHS_VERSION 1u
#define TSL_PATHS_MAX ((size_t)64 << 20) // bytes of the largest file, written or read

typedef struct tsl_path_input {
    uint32_t thread, index, size, element;
    uint8_t kind; // enum tsl_input_kind
    char *name;
    uint8_t *bytes;
} tsl_path_input;

typedef struct tsl_path_choice {
    uint32_t thread, taken, of; // taken < of
} tsl_path_choice;

typedef struct tsl_path {
    uint32_t outcome; // enum tsl_outcome: ok, a bug, or cut at a limit; the first with its name
    uint8_t exit_status;
    bool has_threads;
    char *message;                    // NULL: none
    TSL_VEC(tsl_path_input) inputs;   // for each thread in the order in which it asked
    TSL_VEC(tsl_path_choice) choices; // the same
    uint64_t id;                      // as in tsl_paths_keep; 0 if it was read from a file
} tsl_path;

typedef struct tsl_paths {
    char *program;    // NULL only before it is filled
    tsl_texts args;   // without argv[0]
    char *stdin_path; // or NULL: empty
    TSL_VEC(tsl_path) list;
    uint64_t left_out;
    size_t room;          // upper bound for the length of the text of `list`
    bool full;            // a path did not fit: no more are kept
    tsl_set seen, failed; // ids of all paths so far, and of those that failed
} tsl_paths;

void tsl_paths_drop(tsl_paths *paths); // all zero is empty
// Forgets the paths, but not the program.
void tsl_paths_clear(tsl_paths *paths);

// Keeps the inputs and choices of a run.  `id` is the same for all runs of one path; of these the
// first is kept, or the first that failed.  `file` and `line` say where the run ended in a bug ("":
// unknown).  Paths without room, and paths that make no sense because the program has written over
// its Trace, are counted as left out.
void tsl_paths_keep(tsl_paths *paths, uint64_t id, const tsl_trace *trace, const char *file,
                    uint32_t line);

// Both fill an empty list; when they fail it is empty again.  `name` is only for messages.
bool tsl_paths_read(const char *path, tsl_paths *out, tsl_err *err);
bool tsl_paths_parse(const char *name, const char *text, size_t len, tsl_paths *out, tsl_err *err);

void tsl_paths_format(const tsl_paths *paths, tsl_buf *out);
bool tsl_paths_write(const char *path, tsl_paths *paths, tsl_err *err);

// The input in the form in which a Trace tells it; name and bytes are borrowed.
tsl_shown_input tsl_path_input_shown(const tsl_path_input *input);

#endif
