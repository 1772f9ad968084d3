// Which object or cell of memory does an address belong to?
//
// The answer is a hash table of tsl_object.  Objects lie in memory and mostly take more than eight
// bytes.  An object and the cells that it reaches into are linked once both were touched, so that a
// step which overwrites or frees any byte of the object finds the object.
#include "base/err.h"
#include "model/history_inner.h"

// Is it in the hash table?  Of the cells of eight bytes only the first one is.
static bool is_indexed(const tsl_object *o) { return o->key & 1 || o->is_first; }

static void grow_index(tsl_history *h) {
    tsl_free(h->index);
    h->index_size *= 2;
    h->index = tsl_alloc(h->index_size * sizeof *h->index);
    for (size_t i = 0; i < h->objects.len; i++)
        if (is_indexed(&h->objects.data[i]))
            h->index[tsl_object_place(h, h->objects.data[i].key)] = (uint32_t)i + 1;
}

enum { LARGEST_OBJECT = 64 };

static void add_reach(tsl_history *h, uint32_t of, uint32_t other) {
    tsl_vec_push(&h->reaches, (tsl_extent){other, h->objects.data[of].reaches});
    TSL_BUG_ON(h->reaches.len >= 1u << 23, "%zu links of objects", h->reaches.len);
    h->objects.data[of].reaches = (uint32_t)h->reaches.len & 0x7fffffu;
}

static void link_reach(tsl_history *h, uint32_t object, uint32_t memory) {
    add_reach(h, object, memory);
    add_reach(h, memory, object);
}

// These eight bytes are touched for the first time.  Links them to the objects that begin before
// them and reach into them.
static void link_objects(tsl_history *h, uint32_t memory) {
    uint64_t eight = h->objects.data[memory].key >> 1;
    for (uint64_t e = eight - LARGEST_OBJECT / 8; e < eight; e++) {
        uint32_t home = tsl_object_find(h, e << 1);
        uint32_t inside = home == TSL_NONE ? TSL_NONE : h->objects.data[home].first_inside;
        for (; inside != TSL_NONE; inside = h->objects.data[inside].next)
            if ((h->objects.data[inside].key >> 1) + h->objects.data[inside].width > eight << 3)
                link_reach(h, inside, memory);
    }
}

uint32_t tsl_object_new(tsl_history *h, uint64_t key, size_t at) {
    h->index[at] = (uint32_t)h->objects.len + 1;
    tsl_vec_push(&h->objects, (tsl_object){.key = key,
                                           .last = TSL_NONE,
                                           .last_write = TSL_NONE,
                                           .memory = TSL_NONE,
                                           .first_inside = TSL_NONE,
                                           .next = TSL_NONE,
                                           .mask = key & 1 ? 0xff : 0,
                                           .is_first = !(key & 1)});
    uint32_t object = (uint32_t)h->objects.len - 1;
    if (!(key & 1)) { // the first cells of a page are linked, so that a free of a block finds them
        uint64_t *head = tsl_map_put(&h->pages, key >> TSL_PAGE_SHIFT, NULL);
        h->objects.data[object].memory = (uint32_t)*head - 1;
        *head = object + 1u;
    }
    if (h->objects.len * 2 > h->index_size)
        grow_index(h);
    if (!(key & 1) && tsl_object_may_reach(h, key >> 1))
        link_objects(h, object);
    return object;
}

// The object takes more bytes than was known.  Links it to the memory there that was touched
// before; other memory is linked when it is first touched.
static void widen(tsl_history *h, uint32_t object, uint64_t addr, uint64_t size) {
    uint64_t from = (addr + h->objects.data[object].width - 1) >> 3, to = (addr + size - 1) >> 3;
    h->objects.data[object].width = (uint32_t)size;
    for (uint64_t e = from + 1; e <= to; e++) {
        h->reached[e / 64 % (TSL_REACHED_BITS / 64)] |= 1ull << e % 64;
        uint32_t memory = tsl_object_find(h, e << 1);
        if (memory != TSL_NONE)
            link_reach(h, object, memory);
    }
}

uint32_t tsl_object_sync(tsl_history *h, uint64_t addr, uint64_t size) {
    uint32_t object = tsl_object_at(h, addr << 1 | 1);
    if (h->objects.data[object].memory == TSL_NONE) {
        uint32_t memory = tsl_object_at(h, tsl_memory_key(addr));
        h->objects.data[object].memory = memory;
        h->objects.data[object].width = 1;
        h->objects.data[object].next = h->objects.data[memory].first_inside;
        h->objects.data[memory].first_inside = object;
    }
    if (size > h->objects.data[object].width)
        widen(h, object, addr, size);
    return object;
}
