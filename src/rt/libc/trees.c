// tsearch and its like read the key of each node that they pass, and the program may store another one there:
// what they return is the node.
//
// Which nodes they pass is decided by the program's own function.  So this stands in front of it, and goes through the tree
// beside libc.  Nodes are glibc's; if one is not where it should be, the verdict is weaker.
#include <search.h>

#include "../extern.h"
#include "../sync/objects.h"

typedef struct node {
    const void *key;
    uintptr_t left, right; // their lowest bits are colours
} node;

typedef int (*order)(const void *, const void *);

// On the stack of its thread.
struct tslrt_descent {
    order compare;
    const node *const *root;
    const node *at; // compared last, NULL: none yet
    int went;       // what that came to
    bool deletes;
};

static const node *without_colour(uintptr_t link) { return (const node *)(link & ~(uintptr_t)1); }

static void tell_key(const node *n) { tslrt_call_reads(&n->key, sizeof n->key, SELF->called_at); }

// libc may have turned the tree since the last comparison, and looks at the links as they are now.
static const node *next(const struct tslrt_descent *d) {
    if (!d->at)
        return without_colour((uintptr_t)*d->root);
    return without_colour(d->went < 0 ? d->at->left : d->at->right);
}

// A node with two children gets the key of the next one, which is taken out instead.
static void tell_deleted(const node *n) {
    const node *successor = without_colour(n->right);
    if (!successor || !without_colour(n->left))
        return;
    while (without_colour(successor->left))
        successor = without_colour(successor->left);
    tell_key(successor);
    tslrt_call_writes(&n->key, sizeof n->key, SELF->called_at);
}

static int compare(const void *key, const void *other) {
    struct tslrt_descent *d = SELF->descent;
    d->at = next(d);
    if (!d->at || d->at->key != other) {
        tslrt_weaken_at(SELF->called_at, TSL_REASON_UNKNOWN_CALL,
                        "a tree of tsearch is not made as this libc is known to make it: which "
                        "nodes are read is not known");
        return d->compare(key, other);
    }
    tell_key(d->at);
    d->went = d->compare(key, other);
    SELF->descent = d; // the comparison may have searched itself
    if (d->deletes && d->went == 0)
        tell_deleted(d->at);
    return d->went;
}

#define DESCENT(...)                                                                               \
    SELF->descent = &(struct tslrt_descent){__VA_ARGS__};                                          \
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE

API void *__teasel_tsearch(const void *key, void **root, order by) {
    DESCENT(.compare = by, .root = (const node *const *)root);
    return tsearch(key, root, compare);
}

API void *__teasel_tfind(const void *key, void *const *root, order by) {
    DESCENT(.compare = by, .root = (const node *const *)root);
    return tfind(key, root, compare);
}

API void *__teasel_tdelete(const void *key, void **root, order by) {
    DESCENT(.compare = by, .root = (const node *const *)root, .deletes = true);
    return tdelete(key, root, compare);
}

static void tell_keys(const node *n) {
    if (!n)
        return;
    tell_keys(without_colour(n->left));
    tell_keys(without_colour(n->right));
    tell_key(n);
}

// Each key is given to a function of the program.
API void __teasel_tdestroy(void *root, __free_fn_t by) {
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    tell_keys(root);
    tdestroy(root, by);
}
