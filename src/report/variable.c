// Names parts of variables; see variable.h.
#include "report/variable.h"

#include <dwarf.h>
#include <inttypes.h>
#include <string.h>

// ---------------------------------------------------------------- the table

static bool static_address(Dwarf_Die *die, Dwarf_Addr *addr) {
    Dwarf_Attribute attr, where;
    Dwarf_Op *ops;
    size_t count;
    if (!dwarf_attr(die, DW_AT_location, &attr) || dwarf_getlocation(&attr, &ops, &count) != 0 ||
        count != 1)
        return false;
    if (ops[0].atom == DW_OP_addr) {
        *addr = ops[0].number;
        return true;
    }
    // clang keeps addresses in a table of their own and writes an index.
    return ops[0].atom == DW_OP_addrx && dwarf_getlocation_attr(&attr, ops, &where) == 0 &&
           dwarf_formaddr(&where, addr) == 0;
}

static bool type_of(Dwarf_Die *die, Dwarf_Die *type) {
    Dwarf_Attribute attr;
    return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, type) &&
           dwarf_peel_type(type, type) == 0;
}

static void add_variable(tsl_variables *variables, Dwarf_Die *die, Dwarf_Addr bias) {
    Dwarf_Die type;
    Dwarf_Addr addr;
    Dwarf_Word size;
    if (dwarf_tag(die) == DW_TAG_variable && static_address(die, &addr) && type_of(die, &type) &&
        dwarf_aggregate_size(&type, &size) == 0)
        tsl_vec_push(&variables->all, (tsl_variable){addr + bias, size, *die});
}

static void add_module(tsl_variables *variables, Dwfl_Module *module) {
    Dwarf_Addr bias = 0;
    Dwarf_Die *cu = NULL, die;
    while ((cu = dwfl_module_nextcu(module, cu, &bias))) {
        if (dwarf_child(cu, &die) != 0)
            continue;
        do
            add_variable(variables, &die, bias);
        while (dwarf_siblingof(&die, &die) == 0);
    }
}

static int by_address(const void *a, const void *b) {
    const tsl_variable *x = a, *y = b;
    return (x->addr > y->addr) - (x->addr < y->addr);
}

static void load(tsl_variables *variables, Dwfl_Module *module) {
    for (size_t i = 0; i < variables->loaded.len; i++)
        if (variables->loaded.data[i] == module)
            return;
    tsl_vec_push(&variables->loaded, module);
    add_module(variables, module);
    tsl_vec_sort(&variables->all, by_address);
}

void tsl_variables_drop(tsl_variables *variables) {
    tsl_vec_drop(&variables->loaded);
    tsl_vec_drop(&variables->all);
}

static tsl_variable *find(tsl_variables *variables, uint64_t addr) {
    size_t low = 0, high = variables->all.len; // the last one that starts at or before addr
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (variables->all.data[middle].addr <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    tsl_variable *v = low ? &variables->all.data[low - 1] : NULL;
    return v && (addr == v->addr || addr - v->addr < v->size) ? v : NULL;
}

// ---------------------------------------------------------------- down into a type

static bool member_offset(Dwarf_Die *member, Dwarf_Word *offset) {
    Dwarf_Attribute attr;
    *offset = 0;
    return dwarf_attr(member, DW_AT_data_member_location, &attr) == NULL ||
           dwarf_formudata(&attr, offset) == 0;
}

static bool find_member(Dwarf_Die *type, uint64_t *offset, Dwarf_Die *out) {
    Dwarf_Die member, inner;
    Dwarf_Word at, size;
    if (dwarf_child(type, &member) != 0)
        return false;
    do {
        if (dwarf_tag(&member) != DW_TAG_member || !member_offset(&member, &at) ||
            !type_of(&member, &inner) || dwarf_aggregate_size(&inner, &size) != 0)
            continue;
        if (*offset >= at && *offset - at < size) {
            *offset -= at;
            *out = member;
            return true;
        }
    } while (dwarf_siblingof(&member, &member) == 0);
    return false;
}

static bool into_array(Dwarf_Die *type, uint64_t *offset, tsl_buf *out) {
    Dwarf_Die element;
    Dwarf_Word size;
    // With several dimensions the index would be wrong.
    Dwarf_Die first, second;
    if (dwarf_child(type, &first) != 0 || dwarf_siblingof(&first, &second) == 0)
        return false;
    if (!type_of(type, &element) || dwarf_aggregate_size(&element, &size) != 0 || size == 0)
        return false;
    tsl_buf_add(out, "[%" PRIu64 "]", *offset / size);
    *offset %= size;
    *type = element;
    return true;
}

// Members that start with two underscores are libc's (the insides of a mutex) and are not named.
static bool into_struct(Dwarf_Die *type, uint64_t *offset, tsl_buf *out) {
    Dwarf_Die member;
    uint64_t rest = *offset;
    if (!find_member(type, &rest, &member))
        return false;
    const char *name = dwarf_diename(&member);
    if (name && strncmp(name, "__", 2) == 0)
        return false;
    if (name)
        tsl_buf_add(out, ".%s", name);
    *offset = rest;
    return type_of(&member, type);
}

static void describe(Dwarf_Die type, uint64_t offset, tsl_buf *out) {
    enum { DEPTH = 16 };
    bool deeper = true;
    for (int depth = 0; deeper && depth < DEPTH; depth++) {
        int tag = dwarf_tag(&type);
        deeper = tag == DW_TAG_array_type       ? into_array(&type, &offset, out)
                 : tag == DW_TAG_structure_type ? into_struct(&type, &offset, out)
                                                : false; // a union could be any of its members
    }
    if (offset)
        tsl_buf_add(out, "+%" PRIu64, offset);
}

bool tsl_variables_part(tsl_variables *variables, Dwfl_Module *module, uint64_t addr,
                        tsl_buf *out) {
    Dwarf_Die type;
    load(variables, module);
    tsl_variable *v = find(variables, addr);
    const char *name = v ? dwarf_diename(&v->die) : NULL;
    if (!name || !type_of(&v->die, &type))
        return false;
    tsl_buf_add(out, "`%s", name);
    describe(type, addr - v->addr, out);
    tsl_buf_putc(out, '`');
    return true;
}
