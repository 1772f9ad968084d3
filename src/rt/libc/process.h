// The process of the program.
#ifndef TSLRT_LIBC_PROCESS_H
#define TSLRT_LIBC_PROCESS_H

#include "abi/wire.h"

// Of the process: the numbers that the program is told.
typedef struct tslrt_identity {
    int32_t pid;        // what getpid returns
    int32_t tested_pid; // in a child of the program: the real number of the process that is tested
    tsl_trace_head *tested_trace; // and its Trace, if the tool reads it
} tslrt_identity;

// Of a run.
typedef struct tslrt_process {
    unsigned number;   // 0; in a child process, tells its threads from those of the run
    bool had_children; // has, or had, processes that came of it
    char **envp;       // what main is given
} tslrt_process;

bool tslrt_is_confined(void); // seccomp was asked for, and is passed over

#endif
