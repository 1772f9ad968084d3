// An index that is a constant, but known to the linker only.
// teasel: strategies=optimal
// expect: clean
// expect: complete
#include <assert.h>

static int x;
static const char text[] = "abc";

__attribute__((noinline)) static char from(const char *p) { return (p - (long)&x)[(long)&x + 1]; }

int main(void) { assert(from(text) == 'b'); }
