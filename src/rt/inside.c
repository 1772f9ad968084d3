// Is the runtime entered from within libc?
//
// All threads run in one kernel thread, but libc's own locks (of time zones, name services,
// modules) are real locks: if a thread were switched out while it holds one, the next thread to
// take that lock would wait in the kernel for ever.  So a step that libc makes on behalf of the
// program cannot be preempted.  libc calls only the heap functions of the runtime, and these look
// at their return address.  A function that libc calls last (a tail call) returns to the program,
// but libc has released its locks by then.
//
// Libraries that libc loads for itself (name services, conversions) count as libc.
#include <link.h>
#include <string.h>

#include "inside.h"
#include "sync/objects.h"

static bool is_libc(const char *path) {
    static const char *const names[] = {
        "libc.so",    "libc-2",   "ld-linux", "ld-2",      "libm.so", "libresolv",  "libnss",
        "libpthread", "libdl.so", "librt.so", "libanl.so", "libnsl",  "libutil.so", "libmvec.so"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return strstr(path, "/gconv/") != NULL;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    (void)data;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) ||
            tslrt->libraries.n == TSLRT_LIBRARIES)
            continue;
        uintptr_t low = info->dlpi_addr + segment->p_vaddr;
        tslrt->libraries.list[tslrt->libraries.n++] =
            (tslrt_library){low, low + segment->p_memsz, is_libc(info->dlpi_name)};
    }
    return 0;
}

static const tslrt_library *find(uintptr_t pc) {
    for (unsigned i = 0; i < tslrt->libraries.n; i++)
        if (pc >= tslrt->libraries.list[i].low && pc < tslrt->libraries.list[i].high)
            return &tslrt->libraries.list[i];
    return NULL;
}

static const tslrt_library *library_of(uintptr_t pc) {
    const tslrt_library *library = find(pc);
    if (!library) { // it may have been loaded meanwhile
        tslrt->libraries.n = 0;
        dl_iterate_phdr(add_module, NULL);
        library = find(pc);
    }
    return library;
}

bool tslrt_from_libc(const void *return_address) {
    uintptr_t pc = (uintptr_t)return_address;
    if (tslrt_in_image(pc))
        return false;
    const tslrt_library *library = library_of(pc);
    return library && library->is_libc;
}

bool tslrt_is_code(const void *p) { return library_of((uintptr_t)p) != NULL; }
