// A function of a header: every object that includes it has a copy.
#ifndef INLINE_H
#define INLINE_H

static inline int half(int n) {
    if (n % 2)
        return -1;
    return n / 2;
}

#endif
