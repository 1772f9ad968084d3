// Code and data of the program, and of the libraries that it uses.
#ifndef TSLRT_IMAGE_H
#define TSLRT_IMAGE_H

#include "abi/hooks.h"

enum { TSLRT_MAX_CONSTANTS = 128 };

// Of the process.
typedef struct tslrt_image {
    uint32_t nfunctions; // in the table of instrumented ones
    unsigned nconstants;
    struct {
        uintptr_t low, high;
    } constants[TSLRT_MAX_CONSTANTS]; // memory that can't be written
} tslrt_image;

// Before main, and when a library is loaded.
void tslrt_functions_add(const tsl_module *module);
void tslrt_constants_find(void);

bool tslrt_is_instrumented(const void *function);
bool tslrt_is_constant(const void *p); // in memory that the program can't write
uint64_t tslrt_libraries_loaded(void); // so far

#endif
