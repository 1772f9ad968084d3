// does not: the counter is in a vector register
#include <immintrin.h>

int main(void) {
    __m128i x = _mm_setzero_si128(), one = _mm_set_epi64x(0, 1);
    for (;;) {
        x = _mm_add_epi64(x, one);
        __asm__ volatile("" : "+x"(x));
        if (_mm_cvtsi128_si64(x) == 1l << 40)
            return 0;
    }
}
