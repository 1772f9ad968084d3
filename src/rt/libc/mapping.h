// Memory that can be changed behind an address's back; see mapping.c.
#ifndef TSLRT_MAPPING_H
#define TSLRT_MAPPING_H

// The first thread beside main begins.
void tslrt_mapping_threads(void);
// What a descriptor stands for is read or written.
void tslrt_mapping_used(int fd);

#endif
