// How do the generators write instructions?
//
// Each of them includes this file behind its own `maker`, which has a generator of random numbers `rng`, the `code` that is
// being written, and how many instructions that may still get, `room`.
#ifndef TSL_VM_MAKER_H
#define TSL_VM_MAKER_H

static inline unsigned below(maker *g, unsigned n) { return (unsigned)tsl_rng_below(&g->rng, n); }
static inline bool one_in(maker *g, unsigned n) { return below(g, n) == 0; }

static inline void put(maker *g, tsl_vm_ins ins) {
    if (g->code->len < TSL_VM_CODE)
        g->code->ins[g->code->len++] = ins;
    g->room--;
}

static inline void put_on(maker *g, unsigned op, unsigned obj) {
    put(g, (tsl_vm_ins){.op = (uint8_t)op, .obj = (uint8_t)obj, .reg = TSL_VM_NO_REG});
}

static inline void put_value(maker *g, unsigned op, unsigned v) {
    put(g, (tsl_vm_ins){.op = (uint8_t)op, .v = (uint16_t)v, .reg = TSL_VM_NO_REG});
}

#endif
