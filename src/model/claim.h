// What does a campaign claim, and what weakens the claim?
//
// A claim is how far the strategy got by its own account, and how often each reason of
// abi/reasons.def was met.  The verdict follows from the two:
//
//     STOP reason                    stopped
//     sampled, some run ended        sampled
//     out of budget, LIMIT reason    stopped at a limit
//     PARTLY reason                  incomplete
//     EXCEPT reason                  complete, but for what is not controlled
//     otherwise                      complete, or complete up to a number of preemptions
//
// Text, JSON and exit code are made from the claim and from nothing else.
#ifndef TSL_MODEL_CLAIM_H
#define TSL_MODEL_CLAIM_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/reason.h"
#include "base/buf.h"

enum tsl_reason_effect {
    TSL_EFFECT_NOTHING,
    TSL_EFFECT_SAID,
    TSL_EFFECT_EXCEPT,
    TSL_EFFECT_PARTLY,
    TSL_EFFECT_LIMIT,
    TSL_EFFECT_STOP
};

// How far the strategy got.
enum tsl_reach {
    TSL_REACH_PART,    // the budget ended before the search
    TSL_REACH_SAMPLES, // a sampler, which never ends by itself
    TSL_REACH_BOUNDED, // every schedule with at most `bound` preemptions
    TSL_REACH_ALL      // every schedule
};

enum tsl_verdict {
    TSL_VERDICT_COMPLETE,
    TSL_VERDICT_BOUNDED,
    TSL_VERDICT_EXCEPT,
    TSL_VERDICT_SAMPLED,
    TSL_VERDICT_INCOMPLETE,
    TSL_VERDICT_LIMIT,
    TSL_VERDICT_STOPPED
};

typedef struct tsl_claim {
    enum tsl_reach reach;
    uint32_t bound;                   // preemptions, of TSL_REACH_BOUNDED
    uint64_t ended;                   // runs that came to an end by themselves
    uint64_t times[TSL_REASON_COUNT]; // how often each reason was met
} tsl_claim;

// What `--require` asks for.
typedef struct tsl_requirement {
    bool complete;
    uint64_t sampled; // runs that ended by themselves; 0: not asked for
} tsl_requirement;

static inline void tsl_claim_weaken(tsl_claim *claim, enum tsl_reason reason, uint64_t times) {
    claim->times[reason] += times;
}

static inline bool tsl_claim_has(const tsl_claim *claim, enum tsl_reason reason) {
    return claim->times[reason] != 0;
}

// The reasons that a census collected, one bit each; unknown bits are ignored.
void tsl_claim_weaken_bits(tsl_claim *claim, uint64_t reasons);

// Is there any reason that makes the claim less than complete?
bool tsl_claim_is_weakened(const tsl_claim *claim);
bool tsl_claim_has_effect(const tsl_claim *claim, enum tsl_reason_effect effect);
enum tsl_verdict tsl_claim_verdict(const tsl_claim *claim);

// "complete", "complete up to 2 preemptions", "sampled", ...
void tsl_claim_words(const tsl_claim *claim, tsl_buf *out);
// A line for each reason.
void tsl_claim_reasons_text(const tsl_claim *claim, tsl_buf *out);

const char *tsl_reason_name(unsigned reason);

// Was nothing really tested, because no run came to an end by itself?  A complete search is not
// empty, even if assumptions reject every run: then it has shown just that.
bool tsl_claim_is_empty(const tsl_claim *claim);
bool tsl_claim_meets(const tsl_claim *claim, const tsl_requirement *requirement);

// Parses "complete" or "sampled:N".  False: the text is neither.
bool tsl_requirement_parse(const char *text, tsl_requirement *out);

#endif
