// Samplers: strategies that leave the choice of threads to a policy in the runtime, one for each row
// of abi/samplers.def.  No Plan depends on the run before it, so many can be in flight.
#include "explore/knowledge.h"

typedef struct sampler {
    tsl_strategy base;
    tsl_knowledge *knowledge;
    unsigned policy;
} sampler;

static tsl_strategy *new_sampler(const tsl_strategy_kind *kind, unsigned policy,
                                 const tsl_search *search) {
    sampler *s = tsl_alloc(sizeof *s);
    s->base.kind = kind;
    s->policy = policy;
    s->knowledge = tsl_knowledge_new(search, &s->base);
    return &s->base;
}

static void sampler_free(tsl_strategy *strategy) {
    sampler *s = (sampler *)strategy;
    tsl_knowledge_free(s->knowledge);
    tsl_free(s);
}

static enum tsl_next sampler_next(tsl_strategy *strategy, tsl_plan *plan) {
    sampler *s = (sampler *)strategy;
    return tsl_knowledge_plan(s->knowledge, s->policy, false, plan) ? TSL_NEXT_PLAN : TSL_NEXT_WAIT;
}

static void sampler_learn(tsl_strategy *strategy, const tsl_plan *plan, const tsl_run *run) {
    sampler *s = (sampler *)strategy;
    s->base.canon = tsl_knowledge_learn(s->knowledge, plan, run);
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
