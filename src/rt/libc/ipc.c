// Objects of System V that a run has made are removed when the run ends.
//
// The kernel keeps them until they are removed, and has room for some thousands.  If a program
// leaves one behind, or its run ends early, the next run would find it, and after many runs there
// would be no room.  Objects that existed before the run stay.
#include <sys/ipc.h>
#include <sys/shm.h>

#include "../sync/objects.h"
#include "../sys.h"
#include "ipc.h"

bool tslrt_ipc_is_new(long get, key_t key, int flags) {
    if (key == IPC_PRIVATE)
        return true;
    return (flags & IPC_CREAT) && tslrt_sys3(get, key, 0, 0) == -ENOENT;
}

void tslrt_ipc_made(long control, long id) {
    if (id >= 0 && tslrt->kind == RT_SERVED && RUN->libc.nipc < TSLRT_MAX_IPC)
        RUN->tables.ipc[RUN->libc.nipc++] = (tslrt_ipc){.control = control, .id = id};
}

// Objects that the program has removed are removed again, which does no harm: the kernel counts
// numbers up, so a number is not used again within a run.
void tslrt_ipc_end(void) {
    for (; RUN->libc.nipc; RUN->libc.nipc--) {
        const tslrt_ipc *one = &RUN->tables.ipc[RUN->libc.nipc - 1];
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
        return tslrt_fail((int)-id);
    if (made)
        tslrt_ipc_made(SYS_shmctl, id);
    if (io_is_controlled())
        tslrt_weaken(TSL_REASON_OUTSIDE, "numbers of System V segments may be others in every run");
    return (int)id;
}
