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

static bool is_new(long get, key_t key, int flags) {
    return key == IPC_PRIVATE || ((flags & IPC_CREAT) && tslrt_sys3(get, key, 0, 0) == -ENOENT);
}

long tslrt_ipc_get(long get, long control, key_t key, size_t size, int flags) {
    bool makes = is_new(get, key, flags);
    long id = get == SYS_msgget ? tslrt_sys2(get, key, flags) : tslrt_sys3(get, key, size, flags);
    if (makes && id >= 0 && tslrt->kind == RT_SERVED && RUN->libc.nipc < TSLRT_MAX_IPC)
        RUN->tables.ipc[RUN->libc.nipc++] = (tslrt_ipc){.control = control, .id = id};
    return id;
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
    long id = tslrt_ipc_get(SYS_shmget, SYS_shmctl, key, size, flags);
    if (id >= 0 && io_is_controlled())
        tslrt_weaken(TSL_REASON_OUTSIDE, "numbers of System V segments may be others in every run");
    return (int)tslrt_returned(id);
}
