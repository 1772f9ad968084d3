// The shared file of Plans and Traces.  The tool makes it, lays it out and maps it.
#ifndef TSL_EXEC_WIRE_FILE_H
#define TSL_EXEC_WIRE_FILE_H

#include "abi/wire.h"
#include "base/err.h"

// Events that a Trace may have beyond max_events: notes of the last step, and of the end.
#define TSL_WIRE_MARGIN 65536ull

// Sizes of the tables of coverage.
#define TSL_WIRE_COVER_FUNCS (16ull << 20)
#define TSL_WIRE_COVER_PLACES (112ull << 20)

typedef struct tsl_wire_file {
    int fd;
    tsl_wire *wire;
    tsl_wire *layout; // how the file begins; the program may overwrite the one in shared memory
} tsl_wire_file;

bool tsl_wire_file_open(tsl_wire_file *file, uint64_t max_steps, tsl_err *err);
void tsl_wire_file_reset(tsl_wire_file *file, uint32_t seq,
                         enum tsl_mode mode); // for a new process
void tsl_wire_file_close(tsl_wire_file *file);
tsl_plan_head *tsl_wire_file_plan(const tsl_wire_file *file, uint32_t seq);
tsl_trace_head *tsl_wire_file_trace(const tsl_wire_file *file, uint32_t seq);
const tsl_expr *tsl_wire_file_nodes(const tsl_wire_file *file, uint32_t seq);

#endif
