// Objects of System V that a run has made; see ipc.c.
#ifndef TSLRT_LIBC_IPC_H
#define TSLRT_LIBC_IPC_H

#include <sys/types.h>

enum { TSLRT_MAX_IPC = 64 };
typedef struct tslrt_ipc {
    long control, id;
} tslrt_ipc;

// Finds or makes an object.  `get` and `control` are the system calls that do so and that remove
// it; queues have no `size`.  Returns what the kernel does.
long tslrt_ipc_get(long get, long control, key_t key, size_t size, int flags);
void tslrt_ipc_end(void); // the run ends

#endif
