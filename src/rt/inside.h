// Is the runtime entered from within libc?
#ifndef TSLRT_INSIDE_H
#define TSLRT_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

#define TSLRT_LIBRARIES 128

typedef struct tslrt_library { // its code
    uintptr_t low, high;
    bool is_libc; // it is libc, or libc loads it for itself
} tslrt_library;

// Of the process: libraries that were loaded before the first run.
typedef struct tslrt_libraries {
    uint64_t loaded; // as the loader counts them
    uint32_t n;
    tslrt_library list[TSLRT_LIBRARIES];
} tslrt_libraries;

// The caller is libc, which may hold a lock of its own: no other thread may run now.
bool tslrt_from_libc(const void *return_address);
bool tslrt_is_code(const void *p); // of the program or of a library

#endif
