// Objects of System V that a run has made; see ipc.c.
#ifndef TSLRT_LIBC_IPC_H
#define TSLRT_LIBC_IPC_H

#include <stdbool.h>
#include <sys/types.h>

enum { TSLRT_MAX_IPC = 64 };
typedef struct tslrt_ipc {
    long control, id;
} tslrt_ipc;

// Would this call make a new object?  `get` is the number of the system call.
bool tslrt_ipc_is_new(long get, key_t key, int flags);
void tslrt_ipc_made(long control, long id); // control: the system call that removes it
void tslrt_ipc_end(void);                   // the run ends

#endif
