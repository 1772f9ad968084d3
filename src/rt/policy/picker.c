// Which rules does a policy have?  See picker.h.
#include "picker.h"

const tsl_policy_rules *const tsl_policies[TSL_POLICY_COUNT] = {
#define TSL_SAMPLER(NAME, name, wants, help) [TSL_POLICY_##NAME] = &tsl_policy_##name,
#include "abi/samplers.def"
#undef TSL_SAMPLER
};

void tsl_picker_begin(tsl_picker *p) {
    p->rng[0] = p->seed * 0x9e3779b97f4a7c15ull + 0x632be59bd9b4e019ull;
    p->rng[1] = p->seed ^ 0xd1b54a32d192ed03ull;
    for (unsigned i = 0; i < 4; i++)
        tsl_picker_random(p); // the first numbers of neighbouring seeds are similar
    p->stay = 0;
    p->stay_of = 0;
    if (tsl_policies[p->policy]->begin)
        tsl_policies[p->policy]->begin(p);
}

void tsl_picker_created(tsl_picker *p, unsigned thread, unsigned parent, uint64_t weight) {
    p->words[thread] = 0;
    if (tsl_policies[p->policy]->created)
        tsl_policies[p->policy]->created(p, thread, parent, weight);
}

void tsl_picker_yielded(tsl_picker *p, unsigned thread) {
    if (tsl_policies[p->policy]->yielded)
        tsl_policies[p->policy]->yielded(p, thread);
}
