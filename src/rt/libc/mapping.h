// Memory that can be changed behind an address's back; see mapping.c.
#ifndef TSLRT_MAPPING_H
#define TSLRT_MAPPING_H

#include "../rt.h"

// The first thread beside main begins.
void tslrt_say_aliased(void);
static inline void tslrt_mapping_threads(void) {
    if (RUN->aliased)
        tslrt_say_aliased();
}
// What a descriptor stands for is read or written.
void tslrt_mapping_used(int fd);

#endif
