// What calls of libc leave behind: the part of each file of this folder.
#ifndef TSLRT_LIBC_LIBC_H
#define TSLRT_LIBC_LIBC_H

#include "../extern.h"
#include "kept.h"
#include "limits.h"
#include "random.h"
#include "stream.h"

// Of a run.
typedef struct tslrt_libc {
    tslrt_generator random;
    tslrt_remembered kept;
    tslrt_open open;
    tslrt_stream_name streams[TSLRT_STREAM_NAMES]; // those looked at last
    tslrt_limit limits[TSLRT_LIMITS];              // that the program has set
    unsigned temporaries;                          // files made under names that are counted
    bool aliased;                                  // memory has two addresses
    bool queues;                                   // a queue of POSIX was opened
    uint16_t npiped;                               // streams of piped.c that are open
    // Entries of tables in tslrt_tables.
    unsigned nnameless, nmade, nchannels, nbuffers, nclocks, nipc;
} tslrt_libc;

#endif
