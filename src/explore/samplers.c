// Samplers: schedules drawn at random while the program runs (abi/sample.h has the rules).  A Plan
// is little more than a seed, so any number of them can be in flight.
#include "base/mem.h"
#include "explore/sample.h"

typedef struct sampler {
    tsl_strategy base;
    tsl_sampling *sampling;
    unsigned policy;
} sampler;

static tsl_strategy *new_sampler(const tsl_strategy_kind *kind, unsigned policy,
                                 const tsl_search *search) {
    sampler *s = tsl_alloc(sizeof *s);
    s->base.kind = kind;
    s->policy = policy;
    s->sampling = tsl_sampling_new(search);
    s->base.inputs = tsl_sampling_inputs(s->sampling);
    s->base.feedback = tsl_sampling_feedback(s->sampling);
    s->base.tallies = tsl_sampling_tallies(s->sampling);
    return &s->base;
}

static void sampler_free(tsl_strategy *strategy) {
    sampler *s = (sampler *)strategy;
    tsl_sampling_free(s->sampling);
    tsl_free(s);
}

static enum tsl_next sampler_next(tsl_strategy *strategy, tsl_plan *plan) {
    sampler *s = (sampler *)strategy;
    return tsl_sampling_plan(s->sampling, s->policy, false, plan) ? TSL_NEXT_PLAN : TSL_NEXT_WAIT;
}

static void sampler_learn(tsl_strategy *strategy, const tsl_plan *plan, const tsl_run *run) {
    sampler *s = (sampler *)strategy;
    s->base.canon = tsl_sampling_learn(s->sampling, plan, run);
}

#define TSL_SAMPLER(NAME, id, wants, text)                                                         \
    static tsl_strategy *new_##id(const tsl_search *search) {                                      \
        return new_sampler(&tsl_strategy_##id, TSL_POLICY_##NAME, search);                         \
    }                                                                                              \
    const tsl_strategy_kind tsl_strategy_##id = {                                                  \
        .name = #id,                                                                               \
        .help = text,                                                                              \
        .samples = true,                                                                           \
        .analyses = true,                                                                          \
        .new = new_##id,                                                                           \
        .next = sampler_next,                                                                      \
        .learn = sampler_learn,                                                                    \
        .free = sampler_free,                                                                      \
    };
#include "abi/samplers.def"
#undef TSL_SAMPLER
