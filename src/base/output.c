// Writes whole files so that each is old or new, never a mixture; see file.h.
//
// The bytes go to a new file in the same folder, with a name that nobody can guess and that must
// not exist yet (mkostemp: O_CREAT | O_EXCL).  The bytes are brought to the disk, and the new file
// is renamed to the old name.  rename replaces a symbolic link and never follows it.
//
// The tool waits for the disk only DISK_SECONDS in all, because hundreds of findings must not take
// it past its budget.  Later files are whole, too; only a crash of the machine may lose them.
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"

// ---------------------------------------------------------------- what went wrong

static const char *advice(int error) {
    switch (error) {
    case ENOSPC:
    case EDQUOT:
        return "no space left; free some or choose another folder";
    case EFBIG:
        return "the file is larger than allowed (ulimit -f, or the file system); raise the limit "
               "or choose "
               "another folder";
    case ENOENT:
    case ENOTDIR:
        return "No such file or directory; make its folder first";
    case EACCES:
    case EPERM:
    case EROFS:
        return "its folder can't be written; choose another folder";
    case EISDIR:
        return "that is a folder; name a file";
    case EPIPE:
    case ENXIO:
        return "nobody reads the pipe";
    default:
        return strerror(error);
    }
}

static bool failed(const char *path, const char *what, tsl_err *err) {
    return tsl_fail(err, TSL_EIO, "can't %s %s: %s", what, path, advice(errno));
}

// The same for files that are replaced; the message also says that the old file is unchanged.
static bool not_replaced(const char *path, const char *what, tsl_err *err) {
    struct stat st;
    int error = errno;
    bool old = lstat(path, &st) == 0;
    return tsl_fail(err, TSL_EIO, "can't %s %s: %s%s", what, path, advice(error),
                    old ? "; the old file is unchanged" : "");
}

// ---------------------------------------------------------------- bytes

// That the reader went away, or the file may not grow, is an error, and must not kill the tool.
typedef struct calm {
    struct sigaction pipe, size;
} calm;

static void calm_begin(calm *c) {
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignore, &c->pipe);
    sigaction(SIGXFSZ, &ignore, &c->size);
}

static void calm_end(const calm *c) {
    int error = errno;
    sigaction(SIGPIPE, &c->pipe, NULL);
    sigaction(SIGXFSZ, &c->size, NULL);
    errno = error;
}

// Waits for a slow reader, but not once the user has asked for the end.
static bool has_room(int fd) {
    struct pollfd wanted = {.fd = fd, .events = POLLOUT};
    while (poll(&wanted, 1, 100) <= 0)
        if (tsl_deadline_interrupted()) {
            errno = EINTR;
            return false;
        }
    return true;
}

static bool write_all(int fd, const char *bytes, size_t len) {
    calm c;
    calm_begin(&c);
    bool ok = true;
    while (ok && len) {
        ssize_t n = write(fd, bytes, len);
        if (n >= 0) {
            bytes += n;
            len -= (size_t)n;
        }
        ok = n >= 0 || errno == EINTR || (errno == EAGAIN && has_room(fd));
    }
    calm_end(&c);
    return ok;
}

// ---------------------------------------------------------------- in place

static int standard_output = STDOUT_FILENO; // where files called `-` go

bool tsl_file_take_stdout(tsl_err *err) {
    fflush(stdout);
    int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return tsl_fail(err, TSL_EIO, "can't write to standard output: %s", strerror(errno));
    standard_output = fd;
    return true;
}

// Which of our own descriptors a name stands for, or -1.  These names are links of the system.
static int descriptor_of(const char *path) {
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    uint64_t fd;
    if (strcmp(path, "-") == 0)
        return standard_output;
    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        size_t n = strlen(folders[i]);
        if (strncmp(path, folders[i], n) == 0 &&
            tsl_num_u64(path + n, strlen(path + n), &fd) == TSL_NUM_OK && fd < INT32_MAX)
            return (int)fd;
    }
    return -1;
}

static bool finish(int fd, const char *path, bool ok, tsl_err *err) {
    if (!ok)
        failed(path, "write", err);
    if (close(fd) != 0 && ok)
        ok = failed(path, "close", err);
    return ok;
}

// Writes behind what was printed there, not over it: the position in the file is shared.
static bool write_descriptor(int number, const char *path, const void *bytes, size_t len,
                             tsl_err *err) {
    if (strcmp(path, "-") == 0)
        path = "standard output";
    fflush(stdout);
    int fd = fcntl(number, F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
        return tsl_fail(err, TSL_EIO, "can't write %s: that descriptor is not open", path);
    return finish(fd, path, write_all(fd, bytes, len), err);
}

#define READER_SECONDS 0.2

// Opening a named pipe without a reader would wait for ever.
static int open_in_place(const char *path) {
    double begun = tsl_clock_now();
    for (;;) {
        int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK);
        if (fd >= 0 || errno != ENXIO || tsl_clock_now() - begun > READER_SECONDS)
            return fd;
        poll(NULL, 0, 10);
    }
}

static bool write_in_place(const char *path, const void *bytes, size_t len, tsl_err *err) {
    struct stat st;
    int fd = open_in_place(path);
    if (fd < 0)
        return failed(path, "open", err);
    if (fstat(fd, &st) != 0 || S_ISREG(st.st_mode)) { // it was something else a moment ago
        close(fd);
        return tsl_fail(err, TSL_EIO, "can't write %s: somebody replaces it; choose another folder",
                        path);
    }
    return finish(fd, path, write_all(fd, bytes, len), err);
}

// ---------------------------------------------------------------- replacing

// mkostemp lets only us read the file.  A result is an ordinary file, so it gets the mode that open
// would have given it, or the mode of the old file.
static mode_t wanted_mode(const char *path) {
    struct stat st;
    if (lstat(path, &st) == 0 && S_ISREG(st.st_mode))
        return st.st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

// The folder that holds a file; the caller frees it.
static char *folder_of(const char *path) {
    size_t len = (size_t)(tsl_file_base(path) - path);
    return len ? tsl_strndup(path, len) : tsl_strdup(".");
}

#define DISK_SECONDS 0.1

static bool wait_for_disk(int fd) {
    static double waited;
    if (waited > DISK_SECONDS)
        return true;
    double begun = tsl_clock_now();
    bool ok = fsync(fd) == 0;
    waited += tsl_clock_now() - begun;
    return ok;
}

// The rename must survive a crash, too.  Some file systems can't bring folders to the disk; the
// file is there all the same.
static void sync_folder(const char *path) {
    char *folder = folder_of(path);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        wait_for_disk(fd);
        close(fd);
    }
    tsl_free(folder);
}

static bool fill_temp(int fd, const char *path, const void *bytes, size_t len) {
    bool ok = write_all(fd, bytes, len) && fchmod(fd, wanted_mode(path)) == 0 && wait_for_disk(fd);
    int error = errno;
    if (close(fd) != 0 && ok)
        return false;
    errno = error;
    return ok;
}

static bool replace(const char *path, const void *bytes, size_t len, tsl_err *err) {
    char *temp = tsl_asprintf("%s.tmp.XXXXXX", path);
    int fd = mkostemp(temp, O_CLOEXEC);
    bool ok = fd >= 0 && fill_temp(fd, path, bytes, len) && rename(temp, path) == 0;
    int error = errno;
    if (ok)
        sync_folder(path);
    else if (fd >= 0)
        unlink(temp);
    tsl_free(temp);
    errno = error;
    return ok || not_replaced(path, "write", err);
}

// ---------------------------------------------------------------- a file

// The type of the file there, without following a link; 0 if there is none.
static mode_t type_of(const char *path) {
    struct stat st;
    return lstat(path, &st) == 0 ? st.st_mode & S_IFMT : 0;
}

static bool is_written_in_place(mode_t type) { return type == S_IFCHR || type == S_IFIFO; }

static bool is_replaced(mode_t type) { return type == 0 || type == S_IFREG || type == S_IFLNK; }

static bool refuse(const char *path, mode_t type, tsl_err *err) {
    return tsl_fail(err, TSL_EIO, "can't write %s: that is a %s; name a file", path,
                    type == S_IFDIR   ? "folder"
                    : type == S_IFBLK ? "disk"
                                      : "socket");
}

bool tsl_file_write_atomic(const char *path, const void *bytes, size_t len, tsl_err *err) {
    int fd = descriptor_of(path);
    if (fd >= 0)
        return write_descriptor(fd, path, bytes, len, err);
    mode_t type = type_of(path);
    if (is_written_in_place(type))
        return write_in_place(path, bytes, len, err);
    return is_replaced(type) ? replace(path, bytes, len, err) : refuse(path, type, err);
}

bool tsl_file_write_text(const char *path, tsl_buf *text, tsl_err *err) {
    bool ok = tsl_file_write_atomic(path, tsl_buf_text(text), text->len, err);
    tsl_buf_drop(text);
    return ok;
}

bool tsl_file_is_stream(const char *path) {
    return descriptor_of(path) >= 0 || is_written_in_place(type_of(path));
}

bool tsl_file_can_write(const char *path, tsl_err *err) {
    mode_t type = type_of(path);
    if (descriptor_of(path) >= 0)
        return true;
    if (!is_written_in_place(type) && !is_replaced(type))
        return refuse(path, type, err);
    if ((is_written_in_place(type) || type == S_IFREG) && access(path, W_OK) != 0)
        return tsl_fail(err, TSL_EIO, "can't write %s: %s; name another file", path,
                        strerror(errno));
    char *folder = folder_of(path);
    bool ok = is_written_in_place(type) || access(folder, W_OK | X_OK) == 0;
    tsl_free(folder);
    return ok || failed(path, "write", err);
}

bool tsl_file_is_replaced_by(const char *name, const char *path) {
    struct stat one, other;
    return lstat(path, &other) == 0 && S_ISREG(other.st_mode) && stat(name, &one) == 0 &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

// ---------------------------------------------------------------- a file that others write

char *tsl_file_stage(const char *path, tsl_err *err) {
    char *folder = tsl_asprintf("%s.tmp.XXXXXX", path);
    mode_t type = type_of(path);
    char *staged = NULL;
    if (!is_replaced(type))
        refuse(path, type, err);
    else if (!mkdtemp(folder))
        not_replaced(path, "write", err);
    else
        staged = tsl_asprintf("%s/%s", folder, tsl_file_base(path));
    tsl_free(folder);
    return staged;
}

bool tsl_file_publish(const char *staged, const char *path, tsl_err *err) {
    bool ok = rename(staged, path) == 0 || not_replaced(path, "write", err);
    tsl_file_unstage(staged);
    return ok;
}

void tsl_file_unstage(const char *staged) {
    char *folder = folder_of(staged);
    unlink(staged);
    rmdir(folder);
    tsl_free(folder);
}
