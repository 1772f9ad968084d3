// Calls that map, unmap, protect or clear memory, and memory that is mapped at several addresses.
//
// Such a call changes what is at an address without a store.  So it is a step that conflicts with
// every access to its pages (MAP), and with every other such call, because the addresses that the
// kernel gives out depend on what is mapped.
//
// Dependence between steps is known by the addresses they touch.  Memory with two addresses (a file
// mapped twice, a segment attached twice), and a mapped file that is also read or written through a
// descriptor, can change without an access to its address, which weakens the claim.
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>

#include "../notes.h"
#include "../start.h"
#include "../sync/objects.h"
#include "../sys.h"
#include "mapping.h"

enum { PAGE = 4096, MOST_TOLD = 1 << 16 };

static size_t whole_pages(size_t size) { return (size + PAGE - 1) & ~(size_t)(PAGE - 1); }

// ---------------------------------------------------------------- steps

static bool is_controlled(void) {
    return tslrt->kind != RT_EARLY && tslrt->kind != RT_CHILD && SELF &&
           TSL_HOT->recording != TSL_RECORD_NOTHING;
}

static void map_step(void) {
    if (is_controlled())
        tslrt_state_step(TSL_STATE_MEMORY, TSL_ROLE_WRITE);
}

// The last step changes these pages.  A large range is recorded as all memory.
static void changes(const void *at, size_t size) {
    if (!is_controlled() || !size)
        return;
    if (size <= MOST_TOLD)
        tslrt_also_range(TSL_EV_MAP, at, whole_pages(size));
    else
        tslrt_also(TSL_EV_ASM, NULL, 0, 0);
}

// A call changes these pages, and perhaps which of them can be read.
static void change_step(const void *at, size_t size) {
    map_step();
    changes(at, size);
    memset(tslrt->readable, 0, sizeof tslrt->readable);
}

// ---------------------------------------------------------------- several addresses

void tslrt_say_aliased(void) {
    tslrt_weaken(TSL_REASON_UNCONTROLLED,
                 "memory is mapped at two addresses: accesses by different addresses are not seen "
                 "to touch the same bytes");
}

// Memory has two addresses now.  This weakens the claim once there are several threads.
static void is_aliased(void) {
    RUN->libc.aliased = true;
    tslrt_symbols_aliased();
    if (is_controlled())
        tslrt_say_aliased();
}

static bool overlap(const tslrt_mapping *a, const tslrt_mapping *b) {
    return a->len && b->len && a->device == b->device && a->inode == b->inode &&
           a->offset < b->offset + b->len && b->offset < a->offset + a->len;
}

// Mappings of the same bytes matter only if one of the two may change them.
static bool is_alias(const tslrt_mapping *a, const tslrt_mapping *b) {
    return a->device && overlap(a, b) && (a->changes || b->changes);
}

static void look_for_alias(const tslrt_mapping *map) {
    const tslrt_registry *reg = tslrt_reg();
    for (uint32_t i = 0; i < reg->nmaps; i++)
        if (&reg->maps[i] != map && is_alias(&reg->maps[i], map)) {
            is_aliased();
            return;
        }
}

void tslrt_mapping_used(int fd) {
    const tslrt_registry *reg = tslrt_reg();
    struct stat st;
    if (!reg->nfilemaps || !is_controlled() || tslrt_sys2(SYS_fstat, fd, &st) != 0)
        return;
    for (uint32_t i = 0; i < reg->nmaps; i++)
        if (reg->maps[i].len && reg->maps[i].device == st.st_dev + 1 &&
            reg->maps[i].inode == st.st_ino) {
            tslrt_weaken(TSL_REASON_UNCONTROLLED,
                         "a file that is mapped is read or written through a descriptor, too: that "
                         "both touch the same bytes is not seen");
            return;
        }
}

// ---------------------------------------------------------------- mappings

static void remember(void *at, const tslrt_mapping *map) {
    tslrt_registry *reg = tslrt_reg_change();
    if (reg->nmaps == TSLRT_MAX_MAPS) {
        TSL_HOT->opaque |= TSL_EXTERN_LEAKS;
        return;
    }
    tslrt_mapping *to = &reg->maps[reg->nmaps++];
    *to = *map;
    to->addr = (uintptr_t)at;
    reg->nfilemaps += map->device != 0;
    look_for_alias(to);
}

// False unless this is exactly a known mapping: it may be part of one, or one from before main.
static bool forget(const void *at, size_t size) {
    tslrt_registry *reg = tslrt_reg_change();
    for (uint32_t i = 0; i < reg->nmaps; i++)
        if (reg->maps[i].addr == (uintptr_t)at && reg->maps[i].len == whole_pages(size)) {
            reg->maps[i].len = 0;
            return true;
        }
    return false;
}

static bool can_be_written(int fd, int prot) {
    return prot & PROT_WRITE || (tslrt_sys3(SYS_fcntl, fd, F_GETFL, 0) & O_ACCMODE) != O_RDONLY;
}

static tslrt_mapping describe(size_t size, int prot, int flags, int fd, off_t offset) {
    struct stat st;
    tslrt_mapping map = {.len = whole_pages(size), .shared = flags & MAP_SHARED};
    if (flags & MAP_ANONYMOUS || tslrt_sys2(SYS_fstat, fd, &st) != 0)
        return map;
    map.device = st.st_dev + 1;
    map.inode = st.st_ino;
    map.offset = (uint64_t)offset;
    map.changes = map.shared && can_be_written(fd, prot);
    return map;
}

API void *mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset) {
    tslrt_init();
    if ((flags & MAP_SHARED) && fd >= 0 && (prot & PROT_WRITE)) {
        TSL_HOT->opaque |= TSL_EXTERN_LEAKS;
        tslrt_say("files are mapped for writing: a later run sees what an earlier one wrote");
    }
    map_step();
    if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE))
        changes(at, size);
    void *got = (void *)tslrt_returned(tslrt_mmap(at, size, prot, flags, fd, offset));
    if (got == MAP_FAILED)
        return got;
    tslrt_mapping map = describe(size, prot, flags, fd, offset);
    remember(got, &map);
    if (fd >= 0 && !(flags & MAP_ANONYMOUS))
        tslrt_outside_mapped(fd, (uint64_t)offset, got, size);
    return got;
}

API void *mmap64(void *at, size_t size, int prot, int flags, int fd, off_t offset) {
    return mmap(at, size, prot, flags, fd, offset);
}

API int munmap(void *at, size_t size) {
    change_step(at, size);
    if (!forget(at, size))
        TSL_HOT->opaque |= TSL_EXTERN_LEAKS;
    return (int)tslrt_returned(tslrt_sys2(SYS_munmap, at, size));
}

API void *mremap(void *at, size_t size, size_t to, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    void *where = flags & MREMAP_FIXED ? va_arg(rest, void *) : NULL;
    va_end(rest);
    change_step(at, size);
    if (where)
        changes(where, to);
    TSL_HOT->opaque |= TSL_EXTERN_LEAKS;
    void *got = (void *)tslrt_returned(tslrt_sys5(SYS_mremap, at, size, to, flags, where));
    if (got != MAP_FAILED && size == 0)
        is_aliased();
    return got;
}

API int mprotect(void *at, size_t size, int prot) {
    change_step(at, size);
    TSL_HOT->opaque |= TSL_EXTERN_LEAKS;
    return (int)tslrt_returned(tslrt_sys3(SYS_mprotect, at, size, prot));
}

static bool forgets(int advice) {
    return advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE;
}

API int madvise(void *at, size_t size, int advice) {
    if (forgets(advice)) {
        map_step();
        changes(at, size);
        TSL_HOT->opaque |= TSL_EXTERN_LEAKS;
    }
    return (int)tslrt_returned(tslrt_sys3(SYS_madvise, at, size, advice));
}

// ---------------------------------------------------------------- segments of System V

API void *shmat(int id, const void *at, int flags) {
    struct shmid_ds about = {.shm_segsz = 0};
    map_step();
    TSL_HOT->opaque |= TSL_EXTERN_LEAKS;
    void *got = (void *)tslrt_returned(tslrt_sys3(SYS_shmat, id, at, flags));
    if (got == MAP_FAILED)
        return got;
    tslrt_sys3(SYS_shmctl, id, IPC_STAT, &about);
    tslrt_mapping map = {.len = whole_pages(about.shm_segsz),
                         .shared = true,
                         .device = UINT64_MAX,
                         .inode = (uint64_t)(unsigned)id,
                         .changes = true};
    remember(got, &map);
    return got;
}

static size_t size_of_segment(const void *at) {
    const tslrt_registry *reg = tslrt_reg();
    for (uint32_t i = 0; i < reg->nmaps; i++)
        if (reg->maps[i].addr == (uintptr_t)at && reg->maps[i].device == UINT64_MAX)
            return reg->maps[i].len;
    return 0;
}

API int shmdt(const void *at) {
    size_t size = size_of_segment(at);
    change_step(at, size);
    forget(at, size);
    TSL_HOT->opaque |= TSL_EXTERN_LEAKS;
    return (int)tslrt_returned(tslrt_sys1(SYS_shmdt, at));
}

// Nothing is locked: the runtime has mapped far more than it uses, and the kernel would have to
// provide all of that.  The program sees only that the call has succeeded.
API int mlockall(int flags) {
    if (flags == 0 || (flags & ~(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT)) || flags == MCL_ONFAULT)
        return tslrt_fail(EINVAL);
    return 0;
}

API int munlockall(void) { return 0; }
