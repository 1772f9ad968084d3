// Thread-specific data (key.c) and thread-local variables (../tls.c).
#ifndef TSLRT_SYNC_KEY_H
#define TSLRT_SYNC_KEY_H

#include <stdbool.h>
#include <stdint.h>

#define TSLRT_MAX_KEYS 1024

typedef struct key_slot {
    void (*destroy)(void *);
    bool used;
} key_slot;

// Of a thread: its values and its emulated thread-local variables.
typedef struct tslrt_own {
    void **keys;        // of pthread_getspecific; NULL until used
    uintptr_t tls_top;  // next free byte; 0 until used
    uintptr_t tls_end;  // end of what is mapped
    uint32_t tls_count; // variables
} tslrt_own;

void tslrt_run_key_destructors(void);

#endif
