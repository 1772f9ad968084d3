// Output of the program: captured, not printed.
//
// Under the tool, descriptors 1 and 2 are one file in memory, which keeps the order of the output.
// If a run ends in the middle, bytes that are still in stdout's buffer are taken from there.
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "state.h"
#include "sys.h"

static size_t unflushed(FILE *file, const char **bytes) {
    *bytes = file->_IO_write_base;
    ptrdiff_t n = file->_IO_write_ptr - file->_IO_write_base;
    return n > 0 && n < 1 << 20 ? (size_t)n : 0;
}

// The last bytes written to the file, then the last bytes of stdio's buffer.
void tslrt_output_collect(tsl_trace_head *trace) {
    if (tslrt->kind != RT_SERVED)
        return;
    const char *rest;
    size_t nrest = unflushed(stdout, &rest);
    long size = tslrt_sys3(SYS_lseek, tslrt->wire->output_fd, 0, SEEK_END);
    if (size < 0)
        size = 0;
    trace->output_total = (uint64_t)size + nrest;
    if (nrest > TSL_OUTPUT) {
        rest += nrest - TSL_OUTPUT;
        nrest = TSL_OUTPUT;
    }
    size_t room = TSL_OUTPUT - nrest;
    size_t take = (size_t)size < room ? (size_t)size : room;
    long got = take ? tslrt_sys4(SYS_pread64, tslrt->wire->output_fd, trace->output, take,
                                 size - (long)take)
                    : 0;
    take = got > 0 ? (size_t)got : 0;
    memcpy(trace->output + take, rest, nrest);
    trace->output_bytes = (uint32_t)(take + nrest);
}

// Called only after runs that called code that is not instrumented: others can't have printed.
void tslrt_output_reset(void) {
    int fd = tslrt->wire->output_fd;
    tslrt_sys3(SYS_fcntl, fd, F_SETFL, 0); // the program may have set O_APPEND or O_NONBLOCK
    tslrt_sys3(SYS_fcntl, tslrt->wire->stdin_fd, F_SETFL, 0);
    tslrt_sys2(SYS_ftruncate, fd, 0);
    tslrt_sys3(SYS_lseek, fd, 0, SEEK_SET);
    tslrt_sys3(SYS_dup3, fd, 1, 0);
    tslrt_sys3(SYS_dup3, fd, 2, 0);
    tslrt_sys3(SYS_dup3, tslrt->wire->stdin_fd, 0, 0);
    tslrt_sys3(SYS_lseek, 0, 0, SEEK_SET);
}
