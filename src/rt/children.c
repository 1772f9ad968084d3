// Which processes are the children of a process?  The kernel lists them in a file.
#include <fcntl.h>

#include "children.h"
#include "libc/character.h"
#include "print.h"
#include "sys.h"

unsigned tslrt_children(unsigned parent, unsigned *pids, unsigned most) {
    char path[64], text[4096];
    tslrt_format(path, sizeof path, "/proc/%u/task/%u/children", parent, parent);
    long fd = tslrt_sys4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    long len = fd < 0 ? 0 : tslrt_sys3(SYS_read, fd, text, sizeof text);
    if (fd >= 0)
        tslrt_sys1(SYS_close, fd);
    unsigned n = 0, pid = 0;
    for (long i = 0; i < len && n < most; i++) {
        bool digit = text[i] >= '0' && text[i] <= '9';
        if (!digit && pid)
            pids[n++] = pid;
        pid = digit ? pid * 10 + (unsigned)(text[i] - '0') : 0; // a blank follows each number
    }
    return n;
}
