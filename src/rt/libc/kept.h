// What libc remembers from one call to the next.
#ifndef TSLRT_LIBC_KEPT_H
#define TSLRT_LIBC_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#define TSLRT_MAX_PUT 8

// Of a run.
typedef struct tslrt_remembered {
    const char *strtok_rest; // where strtok goes on
    const char *log_name;    // what openlog was given, or NULL
    uint64_t table[2];       // of hsearch: a struct hsearch_data
    bool zone_known;         // libc has looked for the time zone
    unsigned nput;
    const char *put[TSLRT_MAX_PUT]; // texts that putenv was given
} tslrt_remembered;

#endif
