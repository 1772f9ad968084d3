// Thread-specific data.
#ifndef TSLRT_SYNC_KEY_H
#define TSLRT_SYNC_KEY_H

#include <stdbool.h>

#define TSLRT_MAX_KEYS 1024

typedef struct key_slot {
    void (*destroy)(void *);
    bool used;
} key_slot;

void tslrt_run_key_destructors(void);

#endif
