// Whole files; see file.h.
#define _GNU_SOURCE 1
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/vec.h"

// ---------------------------------------------------------------- reading

static bool read_all(int fd, const char *path, size_t max, char **bytes, size_t *len,
                     tsl_err *err) {
    TSL_VEC(char) text = {0};
    struct stat st;
    // Room for the final zero and one byte more, so that the end of a plain file
    // shows without growing again.
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (size_t)st.st_size <= max)
        tsl_vec_reserve(&text, (size_t)st.st_size + 2);
    for (;;) {
        if (text.cap - text.len < 2)
            tsl_vec_reserve(&text, text.len + (1 << 16));
        ssize_t n = read(fd, text.data + text.len, text.cap - text.len - 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            tsl_vec_drop(&text);
            return tsl_fail(err, TSL_EIO, "read %s: %s", path, strerror(errno));
        }
        if (n == 0)
            break;
        text.len += (size_t)n;
        if (text.len > max) {
            tsl_vec_drop(&text);
            return tsl_fail(err, TSL_ELIMIT, "%s is larger than %zu bytes", path, max);
        }
    }
    text.data[text.len] = 0;
    *bytes = text.data;
    *len = text.len;
    return true;
}

bool tsl_file_read_max(const char *path, size_t max, char **bytes, size_t *len, tsl_err *err) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return tsl_fail(err, TSL_EIO, "open %s: %s", path, strerror(errno));
    bool ok = read_all(fd, path, max, bytes, len, err);
    close(fd);
    return ok;
}

bool tsl_file_read(const char *path, char **bytes, size_t *len, tsl_err *err) {
    return tsl_file_read_max(path, TSL_FILE_MAX, bytes, len, err);
}

// ---------------------------------------------------------------- writing

static bool write_failed(const char *path, const char *what, tsl_err *err) {
    if (errno == ENOSPC || errno == EDQUOT)
        return tsl_fail(err, TSL_EIO,
                        "%s %s: no space left; free some or choose another folder, "
                        "the old file (if any) is unchanged",
                        what, path);
    return tsl_fail(err, TSL_EIO, "%s %s: %s", what, path, strerror(errno));
}

static bool write_all(int fd, const char *path, const char *bytes, size_t len, tsl_err *err) {
    while (len) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return write_failed(path, "write", err);
        bytes += n;
        len -= (size_t)n;
    }
    return true;
}

static bool write_in_place(const char *path, const void *bytes, size_t len, tsl_err *err) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return write_failed(path, "open", err);
    bool ok = write_all(fd, path, bytes, len, err);
    if (close(fd) != 0 && ok)
        ok = write_failed(path, "close", err);
    return ok;
}

// mkstemp keeps others out; a result is an ordinary file, so give it the mode
// that open would have given, or the one the file had.
static mode_t wanted_mode(const char *path) {
    struct stat st;
    if (stat(path, &st) == 0)
        return st.st_mode & 07777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

// The rename itself must survive a crash too.  Some file systems can't do
// this for folders; the file is there all the same.
static void sync_folder(const char *path) {
    char *copy = tsl_strdup(path);
    int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    tsl_free(copy);
}

static bool fill_temp(int fd, const char *path, const void *bytes, size_t len, tsl_err *err) {
    bool ok = write_all(fd, path, bytes, len, err);
    if (ok && (fchmod(fd, wanted_mode(path)) != 0 || fsync(fd) != 0))
        ok = write_failed(path, "write", err);
    if (close(fd) != 0 && ok)
        ok = write_failed(path, "close", err);
    return ok;
}

static bool replace(const char *path, const void *bytes, size_t len, tsl_err *err) {
    char *temp = tsl_asprintf("%s.tmp.XXXXXX", path);
    int fd = mkostemp(temp, O_CLOEXEC);
    if (fd < 0) {
        tsl_free(temp);
        return write_failed(path, "create", err);
    }
    bool ok = fill_temp(fd, path, bytes, len, err);
    if (ok && rename(temp, path) != 0)
        ok = write_failed(path, "rename to", err);
    if (!ok)
        unlink(temp);
    else
        sync_folder(path);
    tsl_free(temp);
    return ok;
}

bool tsl_file_write_atomic(const char *path, const void *bytes, size_t len, tsl_err *err) {
    struct stat st;
    // Renaming over a device or a pipe would replace it by a plain file.
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return write_in_place(path, bytes, len, err);
    char *target = realpath(path, NULL);
    bool ok = replace(target ? target : path, bytes, len, err);
    free(target);
    return ok;
}

bool tsl_file_make_folder(const char *path, tsl_err *err) {
    char *copy = tsl_strdup(path);
    for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(copy, 0777); // what matters is whether the last one works
        *slash = '/';
    }
    struct stat st;
    bool ok =
        mkdir(copy, 0777) == 0 || (errno == EEXIST && stat(copy, &st) == 0 && S_ISDIR(st.st_mode));
    int error = errno;
    tsl_free(copy);
    if (!ok)
        return tsl_fail(err, TSL_EIO, "can't make the folder %s: %s", path, strerror(error));
    return true;
}

bool tsl_file_can_write(const char *path, tsl_err *err) {
    const char *slash = strrchr(path, '/');
    char *folder = slash ? tsl_strndup(path, (size_t)(slash - path) + 1) : tsl_strdup(".");
    bool ok = access(path, F_OK) == 0 ? access(path, W_OK) == 0 : access(folder, W_OK) == 0;
    int error = errno;
    tsl_free(folder);
    if (!ok)
        return tsl_fail(err, TSL_EIO, "can't write %s: %s", path, strerror(error));
    return true;
}
