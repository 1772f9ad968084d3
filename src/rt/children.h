// The children of a process, as the kernel lists them.
#ifndef TSLRT_CHILDREN_H
#define TSLRT_CHILDREN_H

#define TSLRT_MAX_CHILDREN 64

// Stores at most `most` of the children's numbers, and returns how many were found.
unsigned tslrt_children(unsigned parent, unsigned *pids, unsigned most);

#endif
