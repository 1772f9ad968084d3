// Does a local search that starts with the old values find a solution?
//
// The search asks the inverter (invert.h) how a violated condition could be satisfied, takes the
// proposal that leaves the fewest conditions violated, and goes on with one of those.  Variables
// that were changed recently are left alone if possible, so that two conditions do not push one
// back and forth.  Now and then, or when the inverter has no proposal, a variable is set to a
// number that the conditions mention or to another variable's value, or one of its bytes is
// changed.
//
// The number of evaluations is bounded, and a failure proves nothing.
#include "base/deadline.h"
#include "base/rng.h"
#include "solve/invert.h"
#include "solve/link.h"

enum {
    MOST_TRIES = 400,   // evaluations of the whole slice
    MOST_WORK = 200000, // evaluations of single terms
    PROPOSALS = 12,     // proposals of the inverter that one step considers
    RECENT = 3          // a change is recent for so many steps
};

typedef struct move {
    uint32_t var;
    tsl_value v;
} move;

typedef struct search {
    tsl_inverter inverter;
    tsl_rng rng;
    uint64_t seed;
    TSL_VEC(uint8_t) holds;     // by condition: does it hold under the present model?
    tsl_u32_vec violated;       // numbers of the conditions that do not hold
    TSL_VEC(tsl_value) numbers; // constants that the conditions mention
    tsl_u32_vec last_step;      // by variable: the step that changed it last; 0: none
    TSL_VEC(move) best;         // changes of the best proposal
    size_t best_score;
    uint32_t step, first_step; // steps are counted over all questions; the first of this question
    size_t tries;
    uint64_t limit; // the search ends when the evaluator's work reaches it
} search;

static void begin(void *self, tsl_chain *chain) {
    search *s = self;
    s->seed = chain->options.seed;
}

static void drop(void *self) {
    search *s = self;
    tsl_inverter_drop(&s->inverter);
    tsl_vec_drop(&s->holds);
    tsl_vec_drop(&s->violated);
    tsl_vec_drop(&s->numbers);
    tsl_vec_drop(&s->last_step);
    tsl_vec_drop(&s->best);
}

// ---------------------------------------------------------------- where it stands

static void note_number(search *s, const tsl_terms *terms, tsl_term t) {
    if (t.i && tsl_term_is_const(terms, t))
        tsl_vec_push(&s->numbers, tsl_term_value(terms, t));
}

static void note_numbers(search *s, const tsl_query *q) {
    tsl_vec_clear(&s->numbers);
    for (size_t i = 0; i < q->conds.len; i++)
        for (unsigned k = 0; k < tsl_term_arity(q->terms, q->conds.data[i]); k++) {
            tsl_term t = tsl_term_operand(q->terms, q->conds.data[i], k);
            note_number(s, q->terms, t);
            for (unsigned m = 0; m < tsl_term_arity(q->terms, t); m++)
                note_number(s, q->terms, tsl_term_operand(q->terms, t, m));
        }
}

static bool is_tired(const search *s, const tsl_query *q) {
    return s->tries >= MOST_TRIES || q->ev.work > s->limit;
}

static void look_around(search *s, tsl_query *q) {
    tsl_query_refresh(q);
    tsl_vec_clear(&s->holds);
    tsl_vec_clear(&s->violated);
    for (size_t i = 0; i < q->conds.len; i++) {
        bool holds = tsl_evaluator_holds(&q->ev, q->conds.data[i]);
        tsl_vec_push(&s->holds, holds);
        if (!holds)
            tsl_vec_push(&s->violated, (uint32_t)i);
    }
    s->tries++;
}

// Scores the changes from `mark` on: 2 for each violated condition, 1 for each variable that was
// changed recently.  Stops counting when the score is no better than `best`.
static size_t score(search *s, tsl_query *q, size_t mark, size_t best) {
    size_t sum = 0;
    q->stamp++;
    for (size_t i = mark; i < q->changes.len; i++) {
        uint32_t var = q->changes.data[i].var, when = s->last_step.data[var];
        q->touched.data[var] = q->stamp;
        sum += when > s->first_step && when + RECENT > s->step;
    }
    tsl_query_refresh(q);
    for (size_t i = q->conds.len; i-- > 0 && sum < best;) // begins with the goal, which is last
        if (tsl_query_is_touched(q, q->conds.data[i]))
            sum += tsl_evaluator_holds(&q->ev, q->conds.data[i]) ? 0 : 2;
        else
            sum += s->holds.data[i] ? 0 : 2;
    s->tries++;
    return sum;
}

static void consider(search *s, tsl_query *q, size_t mark) {
    if (q->changes.len > mark) {
        size_t sum = score(s, q, mark, s->best_score);
        if (sum < s->best_score) {
            s->best_score = sum;
            tsl_vec_clear(&s->best);
            for (size_t i = mark; i < q->changes.len; i++) {
                uint32_t var = q->changes.data[i].var;
                tsl_vec_push(&s->best, (move){var, q->model->data[var]});
            }
        }
    }
    tsl_query_undo(q, mark);
    tsl_query_refresh(q);
}

// ---------------------------------------------------------------- steps

static void consider_inverses(search *s, tsl_query *q, tsl_term cond) {
    size_t mark = q->changes.len;
    tsl_inverter_begin(&s->inverter);
    for (unsigned i = 0; i < PROPOSALS && !is_tired(s, q); i++) {
        tsl_inverter_restart(&s->inverter);
        if (tsl_inverter_propose(&s->inverter, q, cond, (tsl_value){1, 0}))
            consider(s, q, mark);
        else
            tsl_query_undo(q, mark);
        if (!tsl_inverter_next(&s->inverter))
            break;
    }
}

static tsl_wide some_number(search *s, tsl_query *q, tsl_wide old) {
    switch (tsl_rng_below(&s->rng, 4)) {
    case 0:
        if (s->numbers.len)
            return tsl_wide_of(s->numbers.data[tsl_rng_below(&s->rng, s->numbers.len)]) + 1 -
                   tsl_rng_below(&s->rng, 3);
        return tsl_rng_below(&s->rng, 16);
    case 1:
        return tsl_wide_of(q->model->data[q->vars.data[tsl_rng_below(&s->rng, q->vars.len)]]) + 1 -
               tsl_rng_below(&s->rng, 3);
    case 2:
        return old ^ (tsl_wide)tsl_rng_below(&s->rng, 256) << 8 * tsl_rng_below(&s->rng, 4);
    default:
        return tsl_rng_below(&s->rng, 16);
    }
}

static void consider_random(search *s, tsl_query *q, tsl_term cond) {
    size_t mark = q->changes.len;
    for (unsigned i = 0; i < 4; i++) {
        tsl_varset set = tsl_term_vars(q->terms, cond);
        if (set.n == 0)
            return;
        uint32_t var = set.vars[tsl_rng_below(&s->rng, set.n)];
        unsigned width = q->widths.data[q->var_place.data[var] - 1];
        tsl_wide v = some_number(s, q, tsl_wide_of(q->model->data[var]));
        tsl_query_set(q, var, tsl_value_of(v, width));
        consider(s, q, mark);
    }
}

static void go(search *s, tsl_query *q) {
    for (size_t i = 0; i < s->best.len; i++) {
        tsl_query_set(q, s->best.data[i].var, s->best.data[i].v);
        s->last_step.data[s->best.data[i].var] = s->step;
    }
}

// Picks a violated condition: in the first step one of the goal, later any.
static uint32_t pick(search *s) {
    if (s->step == s->first_step + 1)
        return tsl_vec_last(&s->violated);
    return s->violated.data[tsl_rng_below(&s->rng, s->violated.len)];
}

static enum tsl_sat solve(void *self, tsl_query *q) {
    search *s = self;
    tsl_rng_init(&s->rng, s->seed + q->conds.len);
    note_numbers(s, q);
    tsl_vec_lengthen(&s->last_step, q->touched.len);
    s->first_step = s->step;
    s->tries = 0;
    s->limit = q->ev.work + MOST_WORK;
    for (;;) {
        tsl_deadline_ask();
        look_around(s, q);
        if (s->violated.len == 0)
            return tsl_query_holds(q) ? TSL_SAT : TSL_UNKNOWN;
        if (is_tired(s, q))
            return TSL_UNKNOWN;
        s->step++;
        tsl_term cond = q->conds.data[pick(s)];
        s->best_score = SIZE_MAX;
        tsl_vec_clear(&s->best);
        consider_inverses(s, q, cond);
        if (s->best.len == 0 || tsl_rng_below(&s->rng, 8) == 0)
            consider_random(s, q, cond);
        go(s, q);
    }
}

const tsl_link tsl_link_search = {
    .size = sizeof(search), .begin = begin, .drop = drop, .solve = solve};
