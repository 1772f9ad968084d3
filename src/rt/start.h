// Before main.
#ifndef TSLRT_START_H
#define TSLRT_START_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdnoreturn.h>

extern bool tslrt_mapped; // the areas of layout.h are there
void tslrt_init(void);    // makes them, unless they are
void tslrt_map(uintptr_t addr, size_t size, const char *what);
noreturn void tslrt_run_alone(const char *replay); // the path of a replay file, or NULL: alone.c
noreturn void tslrt_die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
