// Reading whole files, and folders; see file.h.  Writing is in output.c.
#define _GNU_SOURCE 1
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

// ---------------------------------------------------------------- folders

// A user who can put a link in the place of a folder could choose where our files go.
static bool is_strangers_link(const char *path) {
    struct stat st;
    return lstat(path, &st) == 0 && S_ISLNK(st.st_mode) && st.st_uid != 0 && st.st_uid != geteuid();
}

static void strip_slashes(char *path) {
    for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; n--)
        path[n - 1] = 0;
}

const char *tsl_file_base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool tsl_file_make_folder(const char *path, tsl_err *err) {
    char *copy = tsl_strdup(path);
    strip_slashes(copy);
    for (char *slash = *copy ? strchr(copy + 1, '/') : NULL; slash;
         slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(copy, 0777); // only the last one must succeed
        *slash = '/';
    }
    struct stat st;
    bool ok =
        mkdir(copy, 0777) == 0 || (errno == EEXIST && stat(copy, &st) == 0 && S_ISDIR(st.st_mode));
    int error = errno;
    bool strange = ok && is_strangers_link(copy);
    tsl_free(copy);
    if (strange)
        return tsl_fail(err, TSL_EIO,
                        "%s is a symbolic link of another user, so it is not followed; remove it "
                        "or name another folder",
                        path);
    if (!ok)
        return tsl_fail(err, TSL_EIO, "can't make the folder %s: %s; name another one", path,
                        strerror(error));
    return true;
}
