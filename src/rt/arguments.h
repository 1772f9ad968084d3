// What main is given.
#ifndef TSLRT_ARGUMENTS_H
#define TSLRT_ARGUMENTS_H

#include <stdint.h>

// Puts what main is given below `high`, and returns where the stack may begin.
uintptr_t tslrt_arguments(uintptr_t high, char ***argv, char ***envp);

#endif
