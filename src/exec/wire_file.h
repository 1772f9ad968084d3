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

// The tool's own copy of the layout; the program may overwrite the one in shared memory.
typedef struct tsl_wire_file {
    int fd;
    tsl_wire *wire;
    uint64_t total_size, sites_offset, sites_size, slots_offset, slot_size, plan_size, max_events;
    uint64_t nodes_offset, max_nodes;
    uint64_t cover_funcs_offset, cover_places_offset, cover_map_offset;
    uint64_t cover_logged_offset, cover_log_offset, points_offset;
    unsigned nslots;
} tsl_wire_file;

bool tsl_wire_file_open(tsl_wire_file *file, uint64_t max_steps, tsl_err *err);
void tsl_wire_file_reset(tsl_wire_file *file, uint32_t seq,
                         enum tsl_mode mode); // for a new process
void tsl_wire_file_close(tsl_wire_file *file);
tsl_plan_head *tsl_wire_file_plan(const tsl_wire_file *file, uint32_t seq);
tsl_trace_head *tsl_wire_file_trace(const tsl_wire_file *file, uint32_t seq);
const tsl_expr *tsl_wire_file_nodes(const tsl_wire_file *file, uint32_t seq);

#endif
