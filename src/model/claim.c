#include "model/claim.h"

#include <inttypes.h>
#include <string.h>

#include "base/num.h"

static const struct {
    const char *name;
    enum tsl_reason_effect effect;
    enum unit { UNIT_NOTHING, UNIT_RUN, UNIT_BRANCH } unit;
    const char *words;
} reasons[] = {
#define TSL_REASON(name, text, effect, unit, words) {text, TSL_EFFECT_##effect, UNIT_##unit, words},
#include "abi/reasons.def"
#undef TSL_REASON
};

const char *tsl_reason_name(unsigned reason) {
    return reason < TSL_REASON_COUNT ? reasons[reason].name : "unknown";
}

void tsl_claim_weaken_bits(tsl_claim *claim, uint64_t bits) {
    for (unsigned r = TSL_REASON_NONE + 1; r < TSL_REASON_COUNT; r++)
        claim->times[r] += bits >> r & 1;
}

bool tsl_claim_has_effect(const tsl_claim *claim, enum tsl_reason_effect effect) {
    for (unsigned r = 0; r < TSL_REASON_COUNT; r++)
        if (claim->times[r] && reasons[r].effect == effect)
            return true;
    return false;
}

bool tsl_claim_is_weakened(const tsl_claim *claim) {
    for (unsigned r = 0; r < TSL_REASON_COUNT; r++)
        if (claim->times[r] && reasons[r].effect > TSL_EFFECT_SAID)
            return true;
    return false;
}

enum tsl_verdict tsl_claim_verdict(const tsl_claim *claim) {
    if (tsl_claim_has_effect(claim, TSL_EFFECT_STOP))
        return TSL_VERDICT_STOPPED;
    if (claim->reach == TSL_REACH_SAMPLES && claim->ended && !claim->times[TSL_REASON_TIME])
        return TSL_VERDICT_SAMPLED;
    if (claim->reach == TSL_REACH_PART || tsl_claim_has_effect(claim, TSL_EFFECT_LIMIT))
        return TSL_VERDICT_LIMIT;
    if (claim->reach == TSL_REACH_SAMPLES || tsl_claim_has_effect(claim, TSL_EFFECT_PARTLY))
        return TSL_VERDICT_INCOMPLETE;
    if (claim->reach == TSL_REACH_BOUNDED)
        return TSL_VERDICT_BOUNDED;
    return tsl_claim_has_effect(claim, TSL_EFFECT_EXCEPT) ? TSL_VERDICT_EXCEPT
                                                          : TSL_VERDICT_COMPLETE;
}

void tsl_claim_words(const tsl_claim *claim, tsl_buf *out) {
    static const char *const names[] = {
        [TSL_VERDICT_COMPLETE] = "complete",
        [TSL_VERDICT_BOUNDED] = "complete up to",
        [TSL_VERDICT_EXCEPT] = "complete, but for what is not controlled",
        [TSL_VERDICT_SAMPLED] = "sampled",
        [TSL_VERDICT_INCOMPLETE] = "incomplete",
        [TSL_VERDICT_LIMIT] = "stopped at a limit",
        [TSL_VERDICT_STOPPED] = "stopped",
    };
    enum tsl_verdict verdict = tsl_claim_verdict(claim);
    tsl_buf_puts(out, names[verdict]);
    if (verdict != TSL_VERDICT_BOUNDED)
        return;
    tsl_buf_add(out, " %" PRIu32 " preemption%s", claim->bound, claim->bound == 1 ? "" : "s");
    if (tsl_claim_has_effect(claim, TSL_EFFECT_EXCEPT))
        tsl_buf_puts(out, ", but for what is not controlled");
}

void tsl_claim_reasons_text(const tsl_claim *claim, tsl_buf *out) {
    static const char *const one[] = {[UNIT_RUN] = "run", [UNIT_BRANCH] = "branch"};
    static const char *const many[] = {[UNIT_RUN] = "runs", [UNIT_BRANCH] = "branches"};
    for (unsigned r = 0; r < TSL_REASON_COUNT; r++) {
        uint64_t n = claim->times[r];
        if (n == 0 || reasons[r].effect == TSL_EFFECT_STOP)
            continue;
        tsl_buf_puts(out, "  ");
        if (reasons[r].unit != UNIT_NOTHING)
            tsl_buf_add(out, "%" PRIu64 " %s ", n, (n == 1 ? one : many)[reasons[r].unit]);
        tsl_buf_add(out, "%s\n", reasons[r].words);
    }
}

bool tsl_claim_is_empty(const tsl_claim *claim) {
    return claim->ended == 0 && tsl_claim_verdict(claim) != TSL_VERDICT_COMPLETE;
}

bool tsl_claim_meets(const tsl_claim *claim, const tsl_requirement *requirement) {
    bool complete = tsl_claim_verdict(claim) == TSL_VERDICT_COMPLETE;
    return complete || (!requirement->complete && claim->ended >= requirement->sampled);
}

bool tsl_requirement_parse(const char *text, tsl_requirement *out) {
    static const char sampled[] = "sampled:";
    *out = (tsl_requirement){0};
    if (strcmp(text, "complete") == 0) {
        out->complete = true;
        return true;
    }
    return strncmp(text, sampled, sizeof sampled - 1) == 0 &&
           tsl_num_u64(text + sizeof sampled - 1, strlen(text + sizeof sampled - 1),
                       &out->sampled) == TSL_NUM_OK &&
           out->sampled > 0;
}
