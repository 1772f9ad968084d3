// Objects of System V that a run has made end with the run.
//
// The kernel keeps them until somebody removes them, and has room for some thousands.  A program that leaves one behind, or
// whose run ends early, would find it again in its next run, or no room after many.  Objects that were there
// before the run stay.
#include "ipc.h"

#include <errno.h>
#include <sys/ipc.h>
#include <sys/shm.h>

#include "../extern.h"
#include "io.h"

bool tslrt_ipc_is_new(long get, key_t key, int flags) {
    if (key == IPC_PRIVATE)
        return true;
    return (flags & IPC_CREAT) && tslrt_sys3(get, key, 0, 0) == -ENOENT;
}

void tslrt_ipc_made(long control, long id) {
    if (id >= 0 && tslrt->kind == RT_SERVED && RUN->nipc < TSLRT_MAX_IPC)
        RUN->ipc[RUN->nipc++] = (tslrt_ipc){.control = control, .id = id};
}

// One that is gone already, or whose number now is another's, can't be told apart from one that was left: the kernel counts numbers up,
// so a number does not come back within a run.
void tslrt_ipc_end(void) {
    for (; RUN->nipc; RUN->nipc--) {
        const tslrt_ipc *one = &RUN->ipc[RUN->nipc - 1];
        if (one->control == SYS_semctl)
            tslrt_sys4(SYS_semctl, one->id, 0, IPC_RMID, 0);
        else
            tslrt_sys3(one->control, one->id, IPC_RMID, 0);
    }
}

API int shmget(key_t key, size_t size, int flags) {
    TSL_HOT->opaque |= TSL_EXTERN_LEAKS;
    bool made = tslrt_ipc_is_new(SYS_shmget, key, flags);
    long id = tslrt_sys3(SYS_shmget, key, size, flags);
    if (id < 0)
        return errno = (int)-id, -1;
    if (made)
        tslrt_ipc_made(SYS_shmctl, id);
    if (io_is_controlled())
        tslrt_weaken(TSL_REASON_OUTSIDE, "numbers of System V segments may be others in every run");
    return (int)id;
}
