// The names of CUTE, for programs written for that tool.
#ifndef TEASEL_CUTE_H
#define TEASEL_CUTE_H

#include <teasel.h>

#define CUTE_input(x) TEASEL_INPUT(x)
#define CUTE_assume(condition) TEASEL_ASSUME(condition)
#define CUTE_assert(condition) TEASEL_ASSERT(condition)

#endif
