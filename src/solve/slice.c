// Cuts the slice for a goal out of a path; see slice.h.
#include "solve/slice.h"

#include "base/deadline.h"

void tsl_slicer_init(tsl_slicer *s, tsl_terms *terms) {
    *s = (tsl_slicer){.terms = terms};
    tsl_vec_push(&s->begin, 0);
}

void tsl_slicer_drop(tsl_slicer *s) {
    for (size_t i = 0; i < s->by_var.len; i++)
        tsl_vec_drop(&s->by_var.data[i]);
    tsl_vec_drop(&s->by_var);
    tsl_vec_drop(&s->path);
    tsl_vec_drop(&s->begin);
    tsl_vec_drop(&s->items);
    tsl_vec_drop(&s->item_of);
    tsl_vec_drop(&s->var_seen);
    tsl_vec_drop(&s->chosen);
    tsl_vec_drop(&s->parts);
    tsl_vec_drop(&s->item_seen);
}

// ---------------------------------------------------------------- the index

static void add_item(tsl_slicer *s, tsl_term t) {
    tsl_vec_lengthen(&s->item_of, tsl_terms_count(s->terms));
    if (s->item_of.data[t.i] || tsl_term_is_const(s->terms, t))
        return;
    uint32_t item = (uint32_t)s->items.len;
    tsl_vec_push(&s->items, t);
    tsl_vec_lengthen(&s->item_seen, s->items.len);
    s->item_of.data[t.i] = item + 1;
    tsl_varset set = tsl_term_vars(s->terms, t);
    for (uint32_t i = 0; i < set.n; i++) {
        tsl_vec_lengthen(&s->by_var, set.vars[i] + 1);
        tsl_vec_push(&s->by_var.data[set.vars[i]], item);
    }
}

static void remove_last_item(tsl_slicer *s) {
    tsl_term t = tsl_vec_pop(&s->items);
    tsl_varset set = tsl_term_vars(s->terms, t);
    s->item_of.data[t.i] = 0;
    for (uint32_t i = 0; i < set.n; i++)
        (void)tsl_vec_pop(&s->by_var.data[set.vars[i]]);
}

static void follow_path(tsl_slicer *s, const tsl_term *path, size_t n) {
    size_t same = 0;
    while (same < n && same < s->path.len && s->path.data[same].i == path[same].i)
        same++;
    if (same == n)
        return; // the path is a prefix of the indexed one, which is kept for later
    s->path.len = same;
    s->begin.len = same + 1;
    while (s->items.len > s->begin.data[same])
        remove_last_item(s);
    for (size_t i = same; i < n; i++) {
        tsl_deadline_ask();
        tsl_vec_clear(&s->parts);
        tsl_conjuncts(s->terms, path[i], &s->parts);
        for (size_t k = 0; k < s->parts.len; k++)
            add_item(s, s->parts.data[k]);
        tsl_vec_push(&s->path, path[i]);
        tsl_vec_push(&s->begin, (uint32_t)s->items.len);
    }
}

// ---------------------------------------------------------------- cutting

static void reach(tsl_slicer *s, tsl_query *q, tsl_term t) {
    tsl_varset set = tsl_term_vars(s->terms, t);
    for (uint32_t i = 0; i < set.n; i++) {
        uint32_t var = set.vars[i];
        tsl_vec_lengthen(&s->var_seen, var + 1);
        if (s->var_seen.data[var] == s->stamp)
            continue;
        s->var_seen.data[var] = s->stamp;
        tsl_vec_push(&q->vars, var);
    }
}

static void add_chosen(tsl_slicer *s, tsl_query *q) {
    tsl_vec_sort(&s->chosen, tsl_vec_by_u32);
    for (size_t i = 0; i < s->chosen.len; i++)
        tsl_query_add(q, s->items.data[s->chosen.data[i]]);
    q->held = q->conds.len;
    for (size_t i = 0; i < s->parts.len; i++)
        tsl_query_add(q, s->parts.data[i]);
}

void tsl_slicer_cut(tsl_slicer *s, const tsl_term *path, size_t n, tsl_term goal, tsl_model *model,
                    tsl_query *q) {
    follow_path(s, path, n);
    tsl_query_open(q, model);
    q->goal = goal;
    s->stamp++;
    tsl_vec_clear(&s->chosen);
    tsl_vec_clear(&s->parts);
    tsl_conjuncts(s->terms, goal, &s->parts);
    for (size_t i = 0; i < s->parts.len; i++)
        reach(s, q, s->parts.data[i]);
    uint32_t limit = s->begin.data[n];
    for (size_t i = 0; i < q->vars.len; i++) {
        tsl_deadline_ask();
        if (q->vars.data[i] >= s->by_var.len)
            continue;
        const tsl_u32_vec *items = &s->by_var.data[q->vars.data[i]];
        for (size_t k = 0; k < items->len && items->data[k] < limit; k++) {
            uint32_t item = items->data[k];
            if (s->item_seen.data[item] == s->stamp)
                continue;
            s->item_seen.data[item] = s->stamp;
            tsl_vec_push(&s->chosen, item);
            reach(s, q, s->items.data[item]);
        }
    }
    add_chosen(s, q);
    tsl_query_close(q);
}
