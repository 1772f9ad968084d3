// tsearch and its like: they return nodes, where the program may change the keys that they read.
//
// The program's comparison function decides which nodes are passed.  So a function of the runtime
// is put in front of it, which walks through the tree in parallel to libc.  It knows the nodes of
// glibc; if a node is not as expected, the claim is weakened.
#include <search.h>

#include "../sync/objects.h"

typedef struct node {
    const void *key;
    uintptr_t left, right; // pointers whose lowest bit is the colour
} node;

typedef int (*order)(const void *, const void *);

// A walk through a tree, on the stack of its thread.
struct tslrt_descent {
    order compare;
    const node *const *root;
    const node *at; // compared last, or NULL
    int went;       // the result of that comparison
    bool deletes;
};

static const node *without_colour(uintptr_t link) { return (const node *)(link & ~(uintptr_t)1); }

static void tell_key(const node *n) { tslrt_call_reads(&n->key, sizeof n->key, SELF->call.site); }

// The next node, by the links as they are now: libc may have rotated the tree meanwhile.
static const node *next(const struct tslrt_descent *d) {
    if (!d->at)
        return without_colour((uintptr_t)*d->root);
    return without_colour(d->went < 0 ? d->at->left : d->at->right);
}

// A deleted node with two children gets the key of its successor, which is removed instead.
static void tell_deleted(const node *n) {
    const node *successor = without_colour(n->right);
    if (!successor || !without_colour(n->left))
        return;
    while (without_colour(successor->left))
        successor = without_colour(successor->left);
    tell_key(successor);
    tslrt_call_writes(&n->key, sizeof n->key, SELF->call.site);
}

static int compare(const void *key, const void *other) {
    struct tslrt_descent *d = SELF->call.descent;
    d->at = next(d);
    if (!d->at || d->at->key != other) {
        tslrt_weaken_at(SELF->call.site, TSL_REASON_UNKNOWN_CALL,
                        "a tree of tsearch is not made as this libc is known to make it: which "
                        "nodes are read is not known");
        return d->compare(key, other);
    }
    tell_key(d->at);
    d->went = d->compare(key, other);
    SELF->call.descent = d; // the comparison function may have searched a tree itself
    if (d->deletes && d->went == 0)
        tell_deleted(d->at);
    return d->went;
}

#define DESCENT(...)                                                                               \
    SELF->call.descent = &(struct tslrt_descent){__VA_ARGS__};                                     \
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

API void __teasel_tdestroy(void *root, __free_fn_t by) {
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    tell_keys(root);
    tdestroy(root, by);
}
