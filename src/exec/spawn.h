// How is the program under test started?
#ifndef TSL_EXEC_SPAWN_H
#define TSL_EXEC_SPAWN_H

#include <sys/types.h>

#include "base/err.h"

typedef struct tsl_spawn {
    char *const *argv; // argv[0] is looked up in PATH only if it has no slash
    int wire_fd;       // becomes descriptor 202, named by TEASEL_WIRE
    int output_fd;     // becomes 1, 2 and 200
    int stdin_fd;      // becomes 0 and 201
} tsl_spawn;

pid_t tsl_spawn_start(const tsl_spawn *spawn, tsl_err *err); // -1 and `err` filled on failure

#endif
