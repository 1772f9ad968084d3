// Finds the files around the executable; see support.h.
#include "cc/support.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/mem.h"

static char *self_path(tsl_err *err) {
    char *path = realpath("/proc/self/exe", NULL);
    if (!path)
        tsl_fail(err, TSL_EIO, "find the executable of teasel-cc: %s", strerror(errno));
    return path;
}

// Cuts off the last component.
static void parent(char *path) {
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = 0;
}

static const char *known_arch(const char *name, size_t len) {
    static const char *const names[][2] = {
        {"x86_64", "x86_64"}, {"amd64", "x86_64"}, {"aarch64", "aarch64"}, {"arm64", "aarch64"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i][0]) == len && !strncmp(name, names[i][0], len))
            return names[i][1];
    return NULL;
}

static const char *find_arch(const char *target, tsl_err *err) {
    struct utsname host;
    if (!target && uname(&host) == 0)
        target = host.machine;
    const char *arch = target ? known_arch(target, strcspn(target, "-")) : NULL;
    if (!arch)
        tsl_fail(err, TSL_EUSAGE, "target %s: Teasel knows x86_64 and aarch64 only",
                 target ? target : "unknown");
    return arch;
}

bool tsl_support_find(tsl_support *s, const char *target, tsl_err *err) {
    memset(s, 0, sizeof *s);
    const char *arch = find_arch(target, err), *clang = getenv("TEASEL_CLANG");
    if (!arch || !(s->self = self_path(err)))
        return false;
    char *prefix = tsl_strdup(s->self);
    parent(prefix);
    parent(prefix);
    s->clang = tsl_strdup(clang && *clang ? clang : "clang-19");
    s->include = tsl_asprintf("%s/include", prefix);
    s->others = tsl_asprintf("%s/include/teasel", prefix);
    s->hooks = tsl_asprintf("%s/lib/teasel/hooks-%s.bc", prefix, arch);
    s->runtime = tsl_asprintf("%s/lib/teasel/libteasel-%s.a", prefix, arch);
    tsl_free(prefix);
    return true;
}

void tsl_support_drop(tsl_support *s) {
    free(s->self); // allocated by realpath
    tsl_free(s->clang);
    tsl_free(s->include);
    tsl_free(s->others);
    tsl_free(s->hooks);
    tsl_free(s->runtime);
}
