// Thread-specific data (sync/key.c) and thread-local variables (tls.c).
#ifndef TSLRT_TLS_H
#define TSLRT_TLS_H

#include <stdint.h>

// Of a thread: its values and its emulated thread-local variables.
typedef struct tslrt_own {
    void **keys;        // of pthread_getspecific; NULL until used
    uintptr_t tls_top;  // next free byte; 0 until used
    uintptr_t tls_end;  // end of what is mapped
    uint32_t tls_count; // variables
} tslrt_own;

#endif
