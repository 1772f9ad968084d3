// The process of the program.
#ifndef TSLRT_LIBC_PROCESS_H
#define TSLRT_LIBC_PROCESS_H

#include <stdbool.h>

// Of a run.
typedef struct tslrt_process {
    unsigned number;   // 0; in a child process, tells its threads from those of the run
    bool had_children; // has, or had, processes that came of it
    char **envp;       // what main is given
} tslrt_process;

bool tslrt_is_confined(void); // seccomp was asked for, and is passed over

#endif
