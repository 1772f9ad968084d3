// The end of the process.
#ifndef TSLRT_LIBC_EXIT_H
#define TSLRT_LIBC_EXIT_H

#include <stdint.h>
#include <stdnoreturn.h>

#define TSLRT_MAX_ATEXIT 128

typedef struct exit_call {
    void (*call)(void *);
    void *arg;
    uint8_t kind; // 0: call(arg), 1: on_exit, 2: at_quick_exit
} exit_call;

noreturn void tslrt_exit_process(int status, uint32_t label); // of the status, or 0
void tslrt_exit_if_last(void);
void tslrt_catch_libc_exit(void);

#endif
