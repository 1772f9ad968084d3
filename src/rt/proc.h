// What the kernel tells in /proc of processes and of memory.
#ifndef TSLRT_PROC_H
#define TSLRT_PROC_H

#include <stddef.h>
#include <stdint.h>

#define TSLRT_MAX_CHILDREN 64

// Stores at most `most` of the children's numbers, and returns how many were found.
unsigned tslrt_children(unsigned parent, unsigned *pids, unsigned most);
// Visits all mappings, whose lines go on with `rest`: permissions, offset, device, inode, path.
// The text of all of them needs room.  Returns its length; 0 if it can't be read.
typedef void tslrt_mapping_visit(uintptr_t low, uintptr_t high, const char *rest, void *data);
size_t tslrt_mappings(char *text, size_t room, tslrt_mapping_visit *visit, void *data);

#endif
