// The macros and functions with which a program under test uses Teasel.
//
//     TEASEL_INPUT(x);                  x is an input: any scalar, array or struct
//     TEASEL_INPUT_ARRAY(p, n);         the n elements that p points to are inputs
//     int n = teasel_int("n");          returns an input of this type
//     TEASEL_ASSUME(n > 0);             only inputs for which this holds are of interest
//     TEASEL_ASSERT(f(n) == 2 * n);     fails the run, with file and line, if this does not hold
//     switch (TEASEL_CHOOSE(3)) ...     a choice: 0, 1 or 2
//
// If the program is compiled with teasel-cc, `teasel test` runs it on inputs that take it along
// every path.  With any other compiler inputs are 0, an assumption that does not hold ends the
// program, and TEASEL_ASSERT is assert.  With -DTEASEL_EXPORTED inputs come from the test that
// `teasel export --c` wrote, which must be linked in.
#ifndef TEASEL_H
#define TEASEL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined __TEASEL__ || defined TEASEL_EXPORTED

__attribute__((noreturn)) void teasel_assert_fail(const char *expression, const char *file,
                                                  unsigned line, const char *function);
__attribute__((noreturn)) void teasel_assume_fail(void);
void teasel_input(void *p, size_t size, const char *name, unsigned kind, unsigned element);
unsigned teasel_choose(unsigned n);

_Bool teasel_bool(const char *name);
char teasel_char(const char *name);
unsigned char teasel_uchar(const char *name);
short teasel_short(const char *name);
unsigned short teasel_ushort(const char *name);
int teasel_int(const char *name);
unsigned teasel_uint(const char *name);
long teasel_long(const char *name);
unsigned long teasel_ulong(const char *name);

// Fails the run, with file and line, if the condition is false.  Unlike assert it
// stays in builds with NDEBUG.
#define TEASEL_ASSERT(condition)                                                                   \
    ((condition) ? (void)0 : teasel_assert_fail(#condition, __FILE__, __LINE__, __func__))
#define TEASEL_ASSUME(condition) ((condition) ? (void)0 : teasel_assume_fail())
#define TEASEL_CHOOSE(n) teasel_choose(n)

#else

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#define TEASEL_ASSERT(condition) assert(condition)
#define TEASEL_ASSUME(condition) ((condition) ? (void)0 : exit(0))
#define TEASEL_CHOOSE(n) ((void)(n), 0u)
#define teasel_input(p, size, name, kind, element) ((void)memset((p), 0, (size)))
#define teasel_bool(name) ((_Bool)0)
#define teasel_char(name) ((char)0)
#define teasel_uchar(name) ((unsigned char)0)
#define teasel_short(name) ((short)0)
#define teasel_ushort(name) ((unsigned short)0)
#define teasel_int(name) 0
#define teasel_uint(name) 0u
#define teasel_long(name) 0l
#define teasel_ulong(name) 0ul

#endif

// How an input is cut into variables, by the type of x or of what x points to: the kind (0 bytes,
// 1 signed, 2 unsigned, 3 bool, 4 text), and the number of bytes of each variable.
#define TEASEL_KIND_(x, kind_or_size)                                                              \
    _Generic((x),                                                                                  \
        _Bool: TEASEL_##kind_or_size##_(3, _Bool),                                                 \
        _Bool *: TEASEL_##kind_or_size##_(3, _Bool),                                               \
        char: TEASEL_##kind_or_size##_(1, char),                                                   \
        char *: TEASEL_##kind_or_size##_(4, char),                                                 \
        signed char: TEASEL_##kind_or_size##_(1, char),                                            \
        signed char *: TEASEL_##kind_or_size##_(1, char),                                          \
        unsigned char: TEASEL_##kind_or_size##_(2, char),                                          \
        unsigned char *: TEASEL_##kind_or_size##_(2, char),                                        \
        short: TEASEL_##kind_or_size##_(1, short),                                                 \
        short *: TEASEL_##kind_or_size##_(1, short),                                               \
        unsigned short: TEASEL_##kind_or_size##_(2, short),                                        \
        unsigned short *: TEASEL_##kind_or_size##_(2, short),                                      \
        int: TEASEL_##kind_or_size##_(1, int),                                                     \
        int *: TEASEL_##kind_or_size##_(1, int),                                                   \
        unsigned: TEASEL_##kind_or_size##_(2, int),                                                \
        unsigned *: TEASEL_##kind_or_size##_(2, int),                                              \
        long: TEASEL_##kind_or_size##_(1, long),                                                   \
        long *: TEASEL_##kind_or_size##_(1, long),                                                 \
        unsigned long: TEASEL_##kind_or_size##_(2, long),                                          \
        unsigned long *: TEASEL_##kind_or_size##_(2, long),                                        \
        long long: TEASEL_##kind_or_size##_(1, long long),                                         \
        long long *: TEASEL_##kind_or_size##_(1, long long),                                       \
        unsigned long long: TEASEL_##kind_or_size##_(2, long long),                                \
        unsigned long long *: TEASEL_##kind_or_size##_(2, long long),                              \
        default: TEASEL_##kind_or_size##_(0, char))
#define TEASEL_KIND_OF_(kind, type) kind
#define TEASEL_SIZE_OF_(kind, type) sizeof(type)

#define TEASEL_INPUT(x)                                                                            \
    teasel_input(&(x), sizeof(x), #x, TEASEL_KIND_(x, KIND_OF), TEASEL_KIND_(x, SIZE_OF))
#define TEASEL_INPUT_ARRAY(p, n)                                                                   \
    teasel_input((p), (n) * sizeof *(p), #p, TEASEL_KIND_(*(p), KIND_OF),                          \
                 TEASEL_KIND_(*(p), SIZE_OF))

#ifdef __cplusplus
}
#endif

#endif
