// Which processes are the children of a process?  The kernel lists them in a file.
#include <stdbool.h>

#include "children.h"
#include "print.h"

unsigned tslrt_children(unsigned parent, unsigned *pids, unsigned most) {
    char path[64], text[4096];
    tslrt_format(path, sizeof path, "/proc/%u/task/%u/children", parent, parent);
    tslrt_read_text(path, text, sizeof text);
    unsigned n = 0, pid = 0;
    for (const char *at = text; *at && n < most; at++) {
        bool digit = *at >= '0' && *at <= '9';
        if (!digit && pid)
            pids[n++] = pid;
        pid = digit ? pid * 10 + (unsigned)(*at - '0') : 0; // a blank follows each number
    }
    return n;
}
