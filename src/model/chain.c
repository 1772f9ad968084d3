#include "model/chain.h"

// A run with the direct dependences of each step on earlier ones.
typedef struct graph {
    tsl_history h;
    tsl_step_list links;      // the earlier steps, for one step after the other
    tsl_step_list first_link; // step -> index of its first link
    tsl_step_list events;     // step -> position of its event
} graph;

static void add_link(graph *g, uint32_t to) {
    if (to != TSL_NONE)
        tsl_vec_push(&g->links, to);
}

static void read_graph(graph *g, const tsl_run *run, uint32_t until) {
    tsl_step_view view;
    tsl_history_init(&g->h);
    for (size_t at = 0; g->h.steps.len <= until && tsl_run_step(run, at, &view); at = view.next) {
        uint32_t s = tsl_history_append(&g->h, &view);
        tsl_vec_push(&g->events, (uint32_t)view.event);
        tsl_vec_push(&g->first_link, (uint32_t)g->links.len);
        for (size_t i = 0; i < g->h.deps.len; i++)
            add_link(g, g->h.deps.data[i].step);
        add_link(g, g->h.steps.data[s].woken_by);
        add_link(g, g->h.steps.data[s].before);
    }
    tsl_vec_push(&g->first_link, (uint32_t)g->links.len);
}

static void drop_graph(graph *g) {
    tsl_history_drop(&g->h);
    tsl_vec_drop(&g->links);
    tsl_vec_drop(&g->first_link);
    tsl_vec_drop(&g->events);
}

// Searches breadth first, backwards from `second`.  next[s] becomes the step that follows s in the
// chain.  The direct conflict between `first` and `second` is left out: the question is what else
// orders them.
static bool search(const graph *g, uint32_t first, uint32_t second, tsl_step_list *next) {
    tsl_step_list queue = {0};
    bool is_conflict = g->h.steps.data[second].before != first;
    for (uint32_t i = 0; i <= second; i++)
        tsl_vec_push(next, TSL_NONE);
    tsl_vec_push(&queue, second);
    for (size_t i = 0; i < queue.len && next->data[first] == TSL_NONE; i++) {
        uint32_t s = queue.data[i];
        for (uint32_t k = g->first_link.data[s]; k < g->first_link.data[s + 1]; k++) {
            uint32_t to = g->links.data[k];
            bool left_out = is_conflict && s == second && to == first;
            if (to < first || next->data[to] != TSL_NONE || left_out)
                continue;
            next->data[to] = s;
            tsl_vec_push(&queue, to);
        }
    }
    tsl_vec_drop(&queue);
    return next->data[first] != TSL_NONE;
}

void tsl_chain_find(const tsl_run *run, uint32_t first, uint32_t second, tsl_step_list *events) {
    graph g = {0};
    tsl_step_list next = {0};
    tsl_vec_clear(events);
    read_graph(&g, run, second);
    if (second < g.h.steps.len && first < second && search(&g, first, second, &next)) {
        uint32_t before = first;
        for (uint32_t s = next.data[first]; s != second; before = s, s = next.data[s]) {
            const tsl_step *steps = g.h.steps.data;
            bool changes =
                steps[s].slot != steps[before].slot || steps[s].slot != steps[next.data[s]].slot;
            if (changes)
                tsl_vec_push(events, g.events.data[s]);
        }
    }
    tsl_vec_drop(&next);
    drop_graph(&g);
}
