// The terminal report of one bug; see text.h.
//
// Each part prints itself only if there is something to say, so that a
// short bug stays a short report.
#include "report/text.h"

#include <inttypes.h>
#include <string.h>

#include "report/deadlock.h"
#include "report/source.h"
#include "report/stack.h"

typedef struct writer {
    const tsl_bug *bug;
    tsl_names names;
    tsl_text_style style;
    tsl_buf *out;
} writer;

static void source(writer *w, const char *file, unsigned line) {
    tsl_buf text = {0};
    if (file && tsl_source_line(file, line, &text))
        tsl_buf_add(w->out, "    %5u | %s\n", line, tsl_buf_text(&text));
    tsl_buf_drop(&text);
}

static void thread_name(writer *w, unsigned thread) {
    const tsl_thread_info *info = tsl_names_find(&w->names, thread);
    tsl_names_thread(&w->names, thread, w->out);
    if (info && info->name[0]) {
        tsl_buf_puts(w->out, " \"");
        tsl_names_clean(info->name, strnlen(info->name, sizeof info->name), w->out);
        tsl_buf_putc(w->out, '"');
    }
}

static void heading(writer *w, const char *text) { tsl_buf_add(w->out, "\n  %s\n", text); }

// ---------------------------------------------------------------- what and where

static void headline(writer *w) {
    const tsl_bug *bug = w->bug;
    tsl_buf_add(w->out, "%s%s%s", w->style.color ? "\033[1;31m" : "", bug->headline,
                w->style.color ? "\033[0m" : "");
    if (bug->message[0])
        tsl_buf_add(w->out, ": %s", bug->message);
    if (bug->is_race) { // has two places; see race
        tsl_buf_putc(w->out, '\n');
        return;
    }
    tsl_buf_puts(w->out, "\n  ");
    if (bug->file)
        tsl_buf_add(w->out, "at %s:%u", bug->file, bug->line);
    else
        tsl_buf_puts(w->out, "at a place without source information");
    if (bug->function)
        tsl_buf_add(w->out, " in %s", bug->function);
    tsl_buf_puts(w->out, ", thread ");
    thread_name(w, bug->thread);
    tsl_buf_putc(w->out, '\n');
    source(w, bug->file, bug->line);
}

static void frames(writer *w, const tsl_thread_info *info) {
    tsl_frame found[TSL_STACK_MAX];
    size_t n = tsl_stack_frames(&w->names, info, found);
    for (size_t i = 0; i < n; i++) {
        tsl_buf_add(w->out, "      #%zu  ", i);
        tsl_stack_frame(&w->names, &found[i], w->out);
        tsl_buf_putc(w->out, '\n');
    }
}

static void locks(writer *w, const tsl_locks *held) {
    if (!held->len)
        tsl_buf_puts(w->out, "no lock");
    for (size_t i = 0; i < held->len; i++) {
        tsl_buf_add(w->out, "%s%s ", i ? ", " : "", tsl_lock_word(&held->data[i]));
        tsl_names_object(&w->names, held->data[i].addr, w->out);
        tsl_buf_puts(w->out, " (locked at ");
        tsl_names_site(&w->names, held->data[i].site, w->out);
        tsl_buf_putc(w->out, ')');
    }
}

static void race_side(writer *w, const tsl_race_side *side) {
    const tsl_thread_info *info = tsl_names_find(&w->names, side->thread);
    tsl_where where;
    tsl_buf_puts(w->out, "\n  ");
    thread_name(w, side->thread);
    tsl_buf_add(w->out, ": %s of %" PRIu32 " bytes%s, holding ", tsl_bug_access_word(side),
                side->access.size, tsl_bug_order_word(side->access.kind, side->order));
    locks(w, &side->locks);
    tsl_buf_puts(w->out, "\n    at ");
    if (tsl_bug_race_where(&w->names, side, &where)) {
        tsl_buf_add(w->out, "%s:%u", where.file, where.line);
        if (where.func[0])
            tsl_buf_add(w->out, " in %s", where.func);
        tsl_buf_putc(w->out, '\n');
        source(w, where.file, where.line);
    } else
        tsl_buf_puts(w->out, "a place without source information\n");
    if (info && info->nframes)
        frames(w, info);
}

// What seemed to order the two, step by step.
static void chain(writer *w) {
    const tsl_bug *bug = w->bug;
    tsl_buf_puts(w->out,
                 "  no synchronisation orders the two: a compiler or a processor may swap what "
                 "only these keep apart:\n");
    for (size_t i = 0; i < bug->chain.len; i++) {
        const tsl_race_link *link = &bug->chain.data[i];
        tsl_buf_puts(w->out, "    ");
        thread_name(w, link->thread);
        tsl_buf_add(w->out, ": %s%s", tsl_bug_kind_word(link->kind),
                    tsl_bug_order_word(link->kind, link->order));
        if (link->kind != TSL_EV_FENCE) {
            tsl_buf_puts(w->out, ", of ");
            tsl_names_object(&w->names, link->addr, w->out);
        }
        tsl_buf_puts(w->out, ", at ");
        tsl_names_site(&w->names, link->site, w->out);
        tsl_buf_putc(w->out, '\n');
    }
}

static void race(writer *w) {
    const tsl_bug *bug = w->bug;
    if (!bug->is_race)
        return;
    bool freed = bug->race[0].access.kind == TSL_EV_FREE || bug->race[1].access.kind == TSL_EV_FREE;
    if (bug->by_weak_atomics)
        chain(w);
    else
        tsl_buf_puts(w->out, "  nothing orders the two: either can come first\n");
    if (freed)
        tsl_buf_puts(w->out, "  so it may be used after it was freed\n");
    if (tsl_bug_is_volatile(bug))
        tsl_buf_puts(w->out, "  volatile orders nothing between threads; atomics and locks do\n");
    race_side(w, &bug->race[0]);
    race_side(w, &bug->race[1]);
}

static void waits(writer *w) {
    bool any = w->bug->outcome == TSL_OUT_DEADLOCK || w->bug->outcome == TSL_OUT_LIVELOCK;
    if (!any || w->bug->is_race)
        return;
    tsl_deadlock d;
    tsl_deadlock_find(w->bug->threads.data, w->bug->threads.len, &d);
    heading(w, "who waits for what:");
    for (size_t i = 0; i < d.waits.len; i++) {
        tsl_buf_puts(w->out, "    ");
        thread_name(w, d.waits.data[i]->thread);
        tsl_buf_puts(w->out, " waits for ");
        tsl_deadlock_wait(d.waits.data[i], &w->names, w->out);
        tsl_buf_puts(w->out, ", at ");
        tsl_names_site_in(&w->names, d.waits.data[i]->site, w->out);
        tsl_buf_putc(w->out, '\n');
    }
    if (d.is_cycle) {
        tsl_buf_puts(w->out, "    cycle: ");
        for (size_t i = 0; i < d.core.len; i++) {
            tsl_names_thread(&w->names, d.core.data[i]->thread, w->out);
            tsl_buf_puts(w->out, " -> ");
        }
        tsl_names_thread(&w->names, d.core.data[0]->thread, w->out);
        tsl_buf_putc(w->out, '\n');
    }
    tsl_deadlock_drop(&d);
}

static void block(writer *w) {
    const tsl_block_info *b = &w->bug->block;
    if (!b->addr)
        return;
    heading(w, "heap block:");
    tsl_buf_add(w->out, "    %" PRIu64 " bytes at 0x%" PRIx64 ", allocated by ", b->size, b->addr);
    thread_name(w, b->alloc_thread);
    tsl_buf_puts(w->out, " at ");
    tsl_names_site_in(&w->names, b->alloc_site, w->out);
    if (b->freed) {
        tsl_buf_puts(w->out, "\n    freed by ");
        thread_name(w, b->free_thread);
        tsl_buf_puts(w->out, " at ");
        tsl_names_site_in(&w->names, b->free_site, w->out);
    }
    uint64_t at = w->bug->fault_addr, end = b->addr + b->size;
    if (w->bug->access_size && at >= b->addr)
        tsl_buf_add(w->out, "\n    the access is %" PRIu64 " bytes at offset %" PRIu64 "%s",
                    w->bug->access_size, at - b->addr, at >= end ? ", behind the end" : "");
    else if (w->bug->access_size)
        tsl_buf_add(w->out, "\n    the access is %" PRIu64 " bytes, %" PRIu64 " before the start",
                    w->bug->access_size, b->addr - at);
    tsl_buf_putc(w->out, '\n');
}

// ---------------------------------------------------------------- schedule

// The steps that tell the story: the first and last of each stretch one thread ran,
// and the very last ones.
typedef struct story {
    TSL_VEC(size_t) steps; // positions in the run
    tsl_step_list threads; // of each
    size_t first;          // from which of them on it is told
    size_t switches;
} story;

static bool at_switch(const story *s, size_t i) {
    const uint32_t *threads = s->threads.data;
    enum { LAST = 5 };
    return i == 0 || i + LAST >= s->steps.len || threads[i] != threads[i - 1] ||
           threads[i] != threads[i + 1];
}

static void collect(const writer *w, story *s) {
    tsl_step_view view;
    size_t most = w->style.steps ? w->style.steps : 20, shown = 0;
    for (size_t at = 0; tsl_run_step(&w->bug->run, at, &view); at = view.next) {
        if (s->steps.len && tsl_vec_last(&s->threads) != view.op.thread)
            s->switches++;
        tsl_vec_push(&s->steps, view.event);
        tsl_vec_push(&s->threads, view.op.thread);
    }
    s->first = s->steps.len;
    while (s->first > 0 && shown < most)
        shown += at_switch(s, --s->first);
}

// Columns are as wide as what stands in them, but one long name does not push
// everything to the right.
static void column(tsl_buf *out, size_t start, size_t width) {
    size_t used = out->len - start;
    tsl_buf_pad(out, used < width ? width - used + 2 : 2);
}

static void step(writer *w, size_t position, size_t thread_width, size_t site_width) {
    tsl_step_view view;
    if (!tsl_run_step(&w->bug->run, position, &view))
        return;
    size_t start = w->out->len + 4;
    tsl_buf_puts(w->out, "    ");
    tsl_names_thread(&w->names, view.op.thread, w->out);
    column(w->out, start, thread_width);
    start = w->out->len;
    tsl_names_site(&w->names, view.site, w->out);
    column(w->out, start, site_width);
    start = w->out->len;
    tsl_buf_puts(w->out, tsl_event_name(view.op.kind));
    tsl_buf what = {0};
    tsl_names_step(&w->names, &view, &what);
    if (what.len) {
        column(w->out, start, 12);
        tsl_buf_puts(w->out, what.data);
    }
    if (view.res && tsl_event_class(view.op.kind) == TSL_CLASS_SYNC)
        tsl_buf_add(w->out, " -> %u", view.res);
    tsl_buf_drop(&what);
    tsl_buf_putc(w->out, '\n');
}

static void widths(writer *w, const story *s, size_t *thread_width, size_t *site_width) {
    tsl_buf text = {0};
    *thread_width = *site_width = 2;
    for (size_t i = s->first; i < s->steps.len; i++) {
        tsl_step_view view;
        if (!at_switch(s, i) || !tsl_run_step(&w->bug->run, s->steps.data[i], &view))
            continue;
        tsl_buf_clear(&text);
        tsl_names_thread(&w->names, view.op.thread, &text);
        *thread_width = text.len > *thread_width ? text.len : *thread_width;
        tsl_buf_clear(&text);
        tsl_names_site(&w->names, view.site, &text);
        *site_width = text.len > *site_width ? text.len : *site_width;
    }
    *site_width = *site_width < 40 ? *site_width : 40;
    tsl_buf_drop(&text);
}

static void steps(writer *w, const story *s) {
    size_t thread_width, site_width, skipped = s->first + w->bug->steps_cut;
    w->names.brief = true; // build systems give whole paths, which the stacks and headlines show
    widths(w, s, &thread_width, &site_width);
    for (size_t i = s->first; i <= s->steps.len; i++) {
        bool show = i < s->steps.len && at_switch(s, i);
        if (!show && i < s->steps.len) {
            skipped++;
            continue;
        }
        if (skipped)
            tsl_buf_add(w->out, "    ... %zu steps\n", skipped);
        skipped = 0;
        if (show)
            step(w, s->steps.data[i], thread_width, site_width);
    }
    w->names.brief = false;
}

static void inputs(writer *w) {
    const tsl_bug *bug = w->bug;
    if (!bug->inputs.len)
        return;
    heading(w, "inputs:");
    for (size_t i = 0; i < bug->inputs.len; i++) {
        const tsl_bug_input *input = &bug->inputs.data[i];
        tsl_buf_puts(w->out, "    ");
        tsl_names_clean(input->name, strlen(input->name), w->out);
        if (input->thread) {
            tsl_buf_puts(w->out, " (");
            tsl_names_thread(&w->names, input->thread, w->out);
            tsl_buf_putc(w->out, ')');
        }
        tsl_buf_add(w->out, " = %s\n", input->value);
    }
}

static void schedule(writer *w) {
    story s = {.first = 0};
    collect(w, &s);
    if (s.steps.len) {
        tsl_buf_add(w->out, "\n  schedule (%" PRIu64 " steps, %zu switches, %u threads):\n",
                    w->bug->steps, s.switches, w->bug->all_threads);
        steps(w, &s);
    }
    tsl_vec_drop(&s.steps);
    tsl_vec_drop(&s.threads);
}

// ---------------------------------------------------------------- stacks, output

static const char *state_name(unsigned state) {
    return state == TSL_THREAD_ENDED ? "ended" : state == TSL_THREAD_BLOCKED ? "blocked" : "ready";
}

static void stack(writer *w, const tsl_thread_info *info) {
    const char *start = tsl_symbols_function(w->names.symbols, info->start_routine);
    tsl_buf_puts(w->out, "    ");
    thread_name(w, info->thread);
    tsl_buf_add(w->out, " (%s", info->thread == w->bug->thread ? "here" : state_name(info->state));
    if (start)
        tsl_buf_add(w->out, ", runs %s", start);
    tsl_buf_puts(w->out, "):\n");
    frames(w, info);
}

// The culprit first, then the others; more than a few threads tell nothing new.
static void stacks(writer *w) {
    enum { MOST = 8 };
    const tsl_bug *bug = w->bug;
    size_t shown = 0, with = 0;
    for (size_t i = 0; i < bug->threads.len; i++)
        with += bug->threads.data[i].nframes > 0;
    if (!with || bug->is_race) // a race has shown the two that matter
        return;
    heading(w, "stacks:");
    for (int others = 0; others < 2; others++)
        for (size_t i = 0; i < bug->threads.len && shown < MOST; i++) {
            const tsl_thread_info *info = &bug->threads.data[i];
            if (info->nframes && (info->thread != bug->thread) == others) {
                stack(w, info);
                shown++;
            }
        }
    if (with > shown)
        tsl_buf_add(w->out, "    and %zu threads more\n", with - shown);
}

static void output(writer *w) {
    enum { LINES = 10 };
    const tsl_bug *bug = w->bug;
    const char *text = bug->output, *end = text + bug->output_len;
    if (end == text)
        return;
    if (end[-1] == '\n')
        end--;
    const char *start = end;
    for (int lines = 0; start > text; start--)
        if (start[-1] == '\n' && ++lines == LINES)
            break;
    bool cut = start > text || bug->output_total > bug->output_len;
    heading(w, cut ? "the end of its output:" : "its output:");
    while (start <= end) {
        const char *newline = memchr(start, '\n', (size_t)(end - start));
        const char *stop = newline ? newline : end;
        tsl_buf_puts(w->out, "    | ");
        tsl_names_clean(start, (size_t)(stop - start), w->out);
        tsl_buf_putc(w->out, '\n');
        start = stop + 1;
    }
}

// ---------------------------------------------------------------- all of it

void tsl_text_bug(const tsl_bug *bug, const tsl_sites *sites, tsl_symbols *symbols,
                  tsl_text_style style, tsl_buf *out) {
    writer w = {
        .bug = bug, .names = tsl_bug_names(bug, sites, symbols), .style = style, .out = out};
    headline(&w);
    race(&w);
    waits(&w);
    block(&w);
    inputs(&w);
    schedule(&w);
    stacks(&w);
    output(&w);
    if (bug->executions_to_find)
        tsl_buf_add(out, "\n  found in execution %" PRIu64 "\n", bug->executions_to_find);
    if (bug->replay)
        tsl_buf_add(out, "%sreplay: teasel replay %s\n", bug->executions_to_find ? "  " : "\n  ",
                    bug->replay);
}
