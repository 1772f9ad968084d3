// A sequence of steps that may have to be explored (optimal.c), written down: whatever it is.
//
// Choices, results that are not known, arrivals at barriers: all is looked at step by step, and
// the answer to a question may be that it is not known.  optimal.c does without for
// the usual case.
#ifndef TSL_EXPLORE_SEQUENCE_H
#define TSL_EXPLORE_SEQUENCE_H

#include "explore/tree.h"

enum tsl_answer {
    TSL_ANSWER_NO,
    TSL_ANSWER_YES,
    TSL_ANSWER_UNKNOWN,
    TSL_ANSWER_OTHER_CHOICE // yes, but for another alternative of a choice
};

// The sequence, either as steps of a history or on its own.  Steps that a branch on the
// way down has covered are gone.
typedef struct tsl_sequence {
    size_t n;
    bool *gone;
    size_t from; // all in front of it are gone
    bool last_is_sure;
    const tsl_op *last;
    uint32_t inputs; // that lead there
    // What the way down has shown: the last step of the history that a branch stands for, and
    // whether some branch stands for none.
    uint32_t used;
    bool strange;
    // of a history
    const tsl_history *h;
    const tsl_cursor *cursor;  // whose it is
    uint32_t first;            // the step it is to come before
    const tsl_step_list *rest; // all but the last
    uint32_t second;           // the last, if it does what it did in the history, or TSL_NONE
    uint32_t woken_by;         // the step that lets the last one run, or TSL_NONE
    uint32_t without;          // the arrival it races with and that is gone, or TSL_NONE
    // on its own
    const tsl_doubt *doubt;
} tsl_sequence;

// Adds it to the wakeup tree that hangs from the node before step `depth`, unless something
// there covers it.
void tsl_sequence_insert(tsl_tree *tree, tsl_cursor *c, size_t depth, tsl_sequence *v);
// A result has become known, perhaps: looks at what waits for it.
void tsl_sequence_settle(tsl_tree *tree, tsl_node *node);

// Of the sequence only what e' can't do without is needed, and what wakes everything that
// sleeps on the way there (tree->awaken): the less it says, the more traces it stands for.
void tsl_sequence_shorten(tsl_tree *tree, tsl_sequence *v);
// All that is left of it is needed.
void tsl_sequence_use_all(tsl_sequence *v);
// Adds what is left.
void tsl_sequence_add(tsl_tree *tree, tsl_node *node, const tsl_sequence *v, bool risky);

#endif
