// Memory that can be changed other than through its address; see mapping.c.
#ifndef TSLRT_MAPPING_H
#define TSLRT_MAPPING_H

#include "../rt.h"

// The first thread beside main begins.
void tslrt_say_aliased(void);
static inline void tslrt_mapping_threads(void) {
    if (RUN->aliased)
        tslrt_say_aliased();
}
// The file of a descriptor is read or written.
void tslrt_mapping_used(int fd);

#endif
