// What does the kernel tell in /proc?
#include <stdbool.h>
#include <string.h>

#include "print.h"
#include "proc.h"

unsigned tslrt_children(unsigned parent, unsigned *pids, unsigned most) {
    char path[64], text[4096];
    tslrt_format(path, sizeof path, "/proc/%u/task/%u/children", parent, parent);
    tslrt_read_text(path, text, sizeof text);
    unsigned n = 0, pid = 0;
    for (const char *c = text; *c && n < most; c++) {
        bool digit = *c >= '0' && *c <= '9';
        if (!digit && pid)
            pids[n++] = pid;
        pid = digit ? pid * 10 + (unsigned)(*c - '0') : 0; // a blank follows each number
    }
    return n;
}

static uintptr_t hex(const char **at) {
    uintptr_t value = 0;
    for (;; (*at)++) {
        char c = **at;
        if (c >= '0' && c <= '9')
            value = value * 16 + (uintptr_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            value = value * 16 + (uintptr_t)(c - 'a' + 10);
        else
            return value;
    }
}

size_t tslrt_mappings(char *text, size_t room, tslrt_mapping_visit *visit, void *data) {
    size_t n = tslrt_read_text("/proc/self/maps", text, room);
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        const char *at = line;
        *end = 0;
        uintptr_t low = hex(&at);
        at++; // low-high
        uintptr_t high = hex(&at);
        visit(low, high, at, data);
    }
    return n;
}
