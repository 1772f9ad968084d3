// What a program under test may say to Teasel.
//
// Compiled with teasel-cc, TEASEL_ASSERT is checked in every run; with any
// other compiler it is assert.
#ifndef TEASEL_H
#define TEASEL_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __TEASEL__

__attribute__((noreturn)) void teasel_assert_fail(const char *expression, const char *file,
                                                  unsigned line, const char *function);

// Fails the run, with file and line, if the condition is false.  Unlike assert it
// stays in builds with NDEBUG.
#define TEASEL_ASSERT(condition)                                                                   \
    ((condition) ? (void)0 : teasel_assert_fail(#condition, __FILE__, __LINE__, __func__))

#else

#include <assert.h>
#define TEASEL_ASSERT(condition) assert(condition)

#endif

#ifdef __cplusplus
}
#endif

#endif
