// The reasons of reasons.def, which make a claim weaker than `complete`, as numbers.
#ifndef TSL_ABI_REASON_H
#define TSL_ABI_REASON_H

enum tsl_reason {
#define TSL_REASON(name, text, effect, unit, words) TSL_REASON_##name,
#include "reasons.def"
#undef TSL_REASON
    TSL_REASON_COUNT
};

_Static_assert(TSL_REASON_COUNT <= 64, "the census keeps one bit for each reason");

#endif
