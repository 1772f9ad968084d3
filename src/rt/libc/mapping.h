// Memory that can be changed other than through its address; see mapping.c.
#ifndef TSLRT_LIBC_MAPPING_H
#define TSLRT_LIBC_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TSLRT_MAX_MAPS 1024
#define TSLRT_READABLE 64

// A mapping that the program made.
typedef struct tslrt_mapping {
    uintptr_t addr;
    size_t len;                     // 0 if it was unmapped
    uint64_t device, inode, offset; // 0 if no file is behind it; the device is one higher
    bool shared;                    // with processes that are forked
    bool changes;                   // stores into it change the file
} tslrt_mapping;

// Memory has two addresses, and a thread beside main begins.
void tslrt_say_aliased(void);
// The file of a descriptor is read or written.
void tslrt_mapping_used(int fd);

#endif
