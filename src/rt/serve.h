// The server of the tool.
#ifndef TSLRT_SERVE_H
#define TSLRT_SERVE_H

#include <stdbool.h>
#include <stdint.h>

// Of the process.
typedef struct tslrt_server {
    bool in_place; // the child runs one Plan after the other
    uint32_t seq;  // number of the Plan
    int last_fd;   // of the descriptors of the runtime
} tslrt_server;

void tslrt_serve(void);
void tslrt_publish(void); // the Trace is complete

#endif
