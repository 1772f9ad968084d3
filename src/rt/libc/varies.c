// What calls of libc tell about the world outside: is it the same in every run?  What may differ is
// either replaced, or reported, which weakens the claim.
//
//     files of the system    everything in /proc and /sys, and devices: reported
//     files that changed     since the program was started, unless only this run has written them:
//                            reported, as a run may read what another one wrote; so are their time
//                            stamps and inode numbers
//     names that are taken   by something that was made since then, in calls that depend on
//                            whether a file exists: reported
//     pipes, sockets and     replaced: inodes are numbered in the order in which the run looks at
//     files without a name   them, and time stamps are the beginning of the virtual clock
//     random devices         replaced by a file of repeatable bytes
//     other rows with the    reported: numbers that the kernel hands out, free space, what other
//     flag VARIES            computers answer
//
// What the runtime makes up (time, names of temporary files) is in time.c and world.c.
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

#include "../state.h"
#include "../sys.h"
#include "ranges.h"
#include "varies.h"

// ---------------------------------------------------------------- names of files

static bool is_below(const char *path, const char *folder) {
    size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 && (path[n] == 0 || path[n] == '/');
}

static bool is_harmless_device(const char *path) {
    static const char *const names[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                        "/dev/urandom"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(path, names[i]) == 0)
            return true;
    return is_below(path, "/dev/shm");
}

static bool is_of_system(const char *path) {
    return (is_below(path, "/proc") && strcmp(path, "/proc/self/exe") != 0) ||
           is_below(path, "/sys") || (is_below(path, "/dev") && !is_harmless_device(path));
}

static void say_of_system(const char *path, uint32_t site) {
    tslrt_weaken_at(site, TSL_REASON_OUTSIDE, "%s may hold something else in every run", path);
}

static bool is_text(const tsl_libc_range *r) {
    return r->how == TSL_LIBC_READS && r->form == TSL_LIBC_TEXT && r->size == 1;
}

bool tslrt_names_file(const tsl_libc *row) {
    bool files = false, text = false;
    for (unsigned i = 0; i < TSL_LIBC_USES; i++)
        files |= row->uses[i].state == TSL_STATE_FILES;
    for (unsigned i = 0; i < TSL_LIBC_RANGES; i++)
        text |= row->ranges[i].how && is_text(&row->ranges[i]);
    return files && text;
}

static void look_at_names(const tsl_libc *row, const uint64_t *args, uint32_t site) {
    for (unsigned i = 0; i < TSL_LIBC_RANGES && row->ranges[i].how; i++) {
        const tsl_libc_range *r = &row->ranges[i];
        const char *path = is_text(r) && r->arg < TSL_CALL_ARGS ? (const char *)args[r->arg] : NULL;
        if (path && is_of_system(path))
            say_of_system(path, site);
    }
}

// ---------------------------------------------------------------- files that changed

static bool is_late(int64_t sec, uint64_t nsec) {
    return sec > tslrt->world.born.tv_sec ||
           (sec == tslrt->world.born.tv_sec && nsec >= (uint64_t)tslrt->world.born.tv_nsec);
}

static bool is_late_time(const struct timespec *t) {
    return is_late(t->tv_sec, (uint64_t)t->tv_nsec);
}

static bool changed(const struct stat *st) {
    return is_late_time(&st->st_mtim) || is_late_time(&st->st_ctim);
}

static void say_stamps(uint32_t site) {
    tslrt_weaken_at(site, TSL_REASON_OUTSIDE,
                    "time stamps and inode numbers of files that changed since the program was "
                    "started differ from run to run");
}

static void look_at_folder(const char *path, uint32_t site) {
    struct stat st;
    if (path && tslrt_sys4(SYS_newfstatat, AT_FDCWD, path, &st, 0) == 0 && changed(&st))
        tslrt_weaken_at(site, TSL_REASON_OUTSIDE,
                        "the folder %s changed since the program was started: a run may see what "
                        "another one left there",
                        path);
}

// Looks at the folder in front of the first wildcard of a pattern.
static void look_at_pattern(const char *pattern, uint32_t site) {
    char folder[256] = ".";
    size_t n = strcspn(pattern, "*?[{~");
    while (n > 0 && pattern[n - 1] != '/')
        n--;
    if (n >= sizeof folder)
        return;
    if (n > 0) {
        memcpy(folder, pattern, n);
        folder[n > 1 ? n - 1 : n] = 0;
    }
    look_at_folder(folder, site);
}

static bool is_nameless(unsigned mode, uint64_t links) {
    unsigned kind = mode & S_IFMT;
    return kind == S_IFIFO || kind == S_IFSOCK || kind == 0 || links == 0;
}

static bool number_inode(struct stat *st) {
    unsigned i = 0;
    while (i < RUN->libc.nnameless && RUN->tables.nameless[i] != st->st_ino)
        i++;
    if (i == TSLRT_MAX_NAMELESS)
        return false;
    RUN->tables.nameless[i] = st->st_ino;
    RUN->libc.nnameless += i == RUN->libc.nnameless;
    st->st_ino = 1000 + i;
    return true;
}

static void look_at_stat(struct stat *st, uint32_t site) {
    if (is_nameless(st->st_mode, st->st_nlink) && number_inode(st)) {
        st->st_atim = st->st_mtim = st->st_ctim = (struct timespec){.tv_sec = 1700000000};
        st->st_blocks = (st->st_size + 511) / 512;
        if (S_ISREG(st->st_mode))
            st->st_dev = 1;
    } else if (changed(st) || is_late_time(&st->st_atim))
        say_stamps(site);
}

static void look_at_statx(const struct statx *st, uint32_t site) {
    if (is_nameless(st->stx_mode, st->stx_nlink) ||
        is_late(st->stx_mtime.tv_sec, st->stx_mtime.tv_nsec) ||
        is_late(st->stx_ctime.tv_sec, st->stx_ctime.tv_nsec) ||
        is_late(st->stx_atime.tv_sec, st->stx_atime.tv_nsec))
        say_stamps(site);
}

// ---------------------------------------------------------------- files that are opened

// A file of repeatable bytes, the same each time the device is opened.
static long make_random(void) {
    enum { RANDOM_BYTES = 1 << 18 };
    long fd = tslrt_sys2(SYS_memfd_create, "random", 0);
    uint64_t x = 0x7ea5e1, block[512];
    for (unsigned at = 0; fd >= 0 && at < RANDOM_BYTES; at += sizeof block) {
        for (unsigned i = 0; i < 512; i++) {
            x ^= x << 13;
            x ^= x >> 7;
            block[i] = x ^= x << 17;
        }
        tslrt_sys3(SYS_write, fd, block, sizeof block);
    }
    return fd;
}

static void replace_by_random(int fd, int flags) {
    char path[32];
    long random = make_random();
    snprintf(path, sizeof path, "/proc/self/fd/%ld", random);
    int mode = flags & O_ACCMODE;
    long other = tslrt_sys4(SYS_openat, AT_FDCWD, path, mode, 0);
    // If there is no descriptor left for a second one, the program gets that for both directions.
    if (other < 0)
        tslrt_sys3(SYS_lseek, random, 0, SEEK_SET);
    long got = tslrt_sys3(SYS_dup3, other < 0 ? random : other, fd, flags & O_CLOEXEC);
    if (other >= 0)
        tslrt_sys1(SYS_close, other);
    if (random >= 0) // the program must not find a descriptor that it has not opened
        tslrt_sys1(SYS_close, random);
    if (got < 0)
        say_of_system("/dev/random", TSL_HOT->call_site);
}

static bool is_mine(const struct stat *st) {
    for (unsigned i = 0; i < RUN->libc.nmade; i++)
        if (RUN->tables.made[i].device == st->st_dev && RUN->tables.made[i].inode == st->st_ino)
            return true;
    return false;
}

// A file that this run has made contains only what this run has written.
static void remember_made(const struct stat *st) {
    if (RUN->libc.nmade < TSLRT_MAX_MADE && !is_mine(st)) {
        RUN->tables.made[RUN->libc.nmade].device = st->st_dev;
        RUN->tables.made[RUN->libc.nmade++].inode = st->st_ino;
    }
}

// ---------------------------------------------------------------- names that are taken

// An inode number on a device that does not exist stands for a name.
static struct stat of_name(const char *path) {
    struct stat st = {.st_dev = ~(dev_t)0, .st_ino = 5381};
    for (const char *p = path; *p; p++)
        st.st_ino = st.st_ino * 33 + (unsigned char)*p;
    return st;
}

// Was the file made since the program was started?  If the file system does not tell, the last
// change counts, but not for folders, which change whenever something is made in them.
static bool is_new(int dir, const char *path, const struct stat *st) {
    struct statx more;
    if (tslrt_sys5(SYS_statx, dir, path, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &more) == 0 &&
        more.stx_mask & STATX_BTIME)
        return is_late(more.stx_btime.tv_sec, more.stx_btime.tv_nsec);
    return !S_ISDIR(st->st_mode) && changed(st);
}

static void look_at_name(int dir, const char *path, uint32_t site) {
    struct stat st, name = of_name(path);
    if (tslrt_sys4(SYS_newfstatat, dir, path, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
        is_new(dir, path, &st) && !is_mine(&st) && !is_mine(&name))
        tslrt_weaken_at(site, TSL_REASON_OUTSIDE,
                        "%s was made since the program was started: a run may see what another one "
                        "left there",
                        path);
}

static void made_name(int dir, const char *path) {
    struct stat st, name = of_name(path);
    if (tslrt_sys4(SYS_newfstatat, dir, path, &st, AT_SYMLINK_NOFOLLOW) != 0)
        remember_made(&name);
}

void tslrt_varies_made(const char *path) {
    struct stat name = of_name(path);
    if (tslrt_watched())
        remember_made(&name);
}

void tslrt_varies_taken(int dir, const char *path) {
    if (tslrt_watched())
        look_at_name(dir, path, TSL_HOT->call_site);
}

static void binds_name(const struct sockaddr_un *to, size_t size, uint32_t site) {
    char path[sizeof to->sun_path + 1] = {0};
    size_t head = offsetof(struct sockaddr_un, sun_path);
    if (!to || size <= head || size > sizeof *to || to->sun_family != AF_UNIX)
        return;
    memcpy(path, to->sun_path, size - head);
    if (!*path)
        return;
    look_at_name(AT_FDCWD, path, site);
    made_name(AT_FDCWD, path);
}

static void opens_shared(const char *name, int flags, uint32_t site) {
    char path[300];
    if (!(flags & O_CREAT) || strlen(name) > 255)
        return;
    snprintf(path, sizeof path, "/dev/shm/%s", name + strspn(name, "/"));
    if (flags & O_EXCL)
        look_at_name(AT_FDCWD, path, site);
    made_name(AT_FDCWD, path);
}

// Calls whose result depends on whether a name is taken, and which of these make it.
enum { HERE = -1 };
static const struct {
    enum tsl_libc_row row;
    int8_t folder, path; // which arguments these are; HERE: the working directory
    bool makes;
} named[] = {
    {TSL_ROW_access, HERE, 0, false},     {TSL_ROW_eaccess, HERE, 0, false},
    {TSL_ROW_euidaccess, HERE, 0, false}, {TSL_ROW_faccessat, 0, 1, false},
    {TSL_ROW_mkdir, HERE, 0, true},       {TSL_ROW_mkfifo, HERE, 0, true},
    {TSL_ROW_mknod, HERE, 0, true},       {TSL_ROW_link, HERE, 1, true},
    {TSL_ROW_symlink, HERE, 1, true},     {TSL_ROW_mkdirat, 0, 1, true},
    {TSL_ROW_mkfifoat, 0, 1, true},       {TSL_ROW_mknodat, 0, 1, true},
    {TSL_ROW_symlinkat, 1, 2, true},      {TSL_ROW_linkat, 2, 3, true},
};

static void look_at_existence(const tsl_libc *row, const uint64_t *args, uint32_t site) {
    for (unsigned i = 0; i < sizeof named / sizeof *named; i++) {
        const char *path = (const char *)args[named[i].path];
        if (row != &tsl_libc_rows[named[i].row] || !path)
            continue;
        int dir = named[i].folder == HERE ? AT_FDCWD : (int)args[named[i].folder];
        look_at_name(dir, path, site);
        if (named[i].makes)
            made_name(dir, path);
    }
}

// ---------------------------------------------------------------- devices and file systems

// Is this the device of /proc or /sys, whose files the kernel makes up while they are read?  The
// kernel is asked once for each device.
static bool is_made_up(int fd, dev_t device) {
    for (unsigned i = 0; i < tslrt->world.ndevices; i++)
        if (tslrt->world.devices[i].number == device)
            return tslrt->world.devices[i].of_system;
    struct statfs fs;
    bool of_system = tslrt_sys2(SYS_fstatfs, fd, &fs) == 0 &&
                     (fs.f_type == PROC_SUPER_MAGIC || fs.f_type == SYSFS_MAGIC);
    if (tslrt->world.ndevices < TSLRT_MAX_DEVICES) {
        tslrt->world.devices[tslrt->world.ndevices].number = device;
        tslrt->world.devices[tslrt->world.ndevices++].of_system = of_system;
    }
    return of_system;
}

static void look_at_contents(int fd, const struct stat *st, const char *path, int flags) {
    if (is_made_up(fd, st->st_dev)) {
        say_of_system(path, TSL_HOT->call_site);
    } else if (S_ISREG(st->st_mode) && st->st_size == 0) {
        remember_made(st);
    } else if (S_ISREG(st->st_mode) && (flags & O_ACCMODE) != O_WRONLY && changed(st) &&
               !is_mine(st)) {
        tslrt_weaken_at(TSL_HOT->call_site, TSL_REASON_OUTSIDE,
                        "%s changed since the program was started: a run may read what another "
                        "one wrote",
                        path);
    }
}

static void look_at_device(int fd, const struct stat *st, const char *path, int flags) {
    bool memory = major(st->st_rdev) == 1;
    unsigned number = minor(st->st_rdev);
    if (memory && (number == 8 || number == 9))
        replace_by_random(fd, flags);
    else if (!(memory && (number == 3 || number == 5 || number == 7)))
        say_of_system(path, TSL_HOT->call_site);
}

void tslrt_varies_opened(int fd, const struct stat *st, const char *path, int flags) {
    if (!tslrt_watched())
        return;
    if (S_ISCHR(st->st_mode))
        look_at_device(fd, st, path, flags);
    else if (S_ISBLK(st->st_mode))
        say_of_system(path, TSL_HOT->call_site);
    else
        look_at_contents(fd, st, path, flags);
}

// ---------------------------------------------------------------- addresses and names of computers

// The kernel chooses a port, or a name of five letters, for a socket that is not bound.
void tslrt_varies_address(const struct sockaddr *address, uint32_t size, uint32_t site) {
    if (!tslrt_watched() || !address || size < sizeof address->sa_family)
        return;
    sa_family_t family = address->sa_family;
    bool unnamed = family == AF_UNIX && size == sizeof family + 6 && !address->sa_data[0];
    if (family == AF_INET || family == AF_INET6 || family == AF_NETLINK || unnamed)
        tslrt_weaken_at(site, TSL_REASON_OUTSIDE,
                        "the address of a socket may be another one in every run");
}

// The control data of a message are descriptors, or tell who has sent the message and when.
void tslrt_varies_message(const struct msghdr *message, uint32_t site) {
    if (!tslrt_watched())
        return;
    tslrt_varies_address(message->msg_name, message->msg_namelen, site);
    for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c;
         c = CMSG_NXTHDR((struct msghdr *)message, c))
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            tslrt_weaken_at(site, TSL_REASON_OUTSIDE,
                            "what comes beside a message may be something else in every run");
}

static bool is_asked_of_others(const char *name) {
    char room[16];
    return name && strcmp(name, "localhost") != 0 && inet_pton(AF_INET, name, room) != 1 &&
           inet_pton(AF_INET6, name, room) != 1;
}

static bool tells_of_peer(int level, int option) {
    static const int options[] = {SO_PEERCRED, SO_PEERGROUPS,       SO_COOKIE,
                                  SO_MEMINFO,  SO_INCOMING_NAPI_ID, SO_INCOMING_CPU};
    for (size_t i = 0; level == SOL_SOCKET && i < sizeof options / sizeof *options; i++)
        if (option == options[i])
            return true;
    return level == IPPROTO_TCP && option == TCP_INFO;
}

// ---------------------------------------------------------------- a call

static void say_varies(const char *name, uint32_t site) {
    tslrt_weaken_at(site, TSL_REASON_OUTSIDE, "what %s tells may be something else in every run",
                    name);
}

void tslrt_varies_before(const tsl_libc *row, const uint64_t *args, uint32_t site) {
    if (!tslrt_watched())
        return;
    look_at_names(row, args, site);
    look_at_existence(row, args, site);
    if (!(row->flags & TSL_LIBC_VARIES))
        return;
    switch (row - tsl_libc_rows) {
    case TSL_ROW_stat:
    case TSL_ROW_lstat:
    case TSL_ROW_fstat:
    case TSL_ROW_fstatat:
    case TSL_ROW_statx:
    case TSL_ROW_getsockname:
    case TSL_ROW_getpeername: // their results are looked at after the call
        break;
    case TSL_ROW_opendir:
    case TSL_ROW_scandir:
    case TSL_ROW_ftw:
    case TSL_ROW_nftw:
        look_at_folder((const char *)args[0], site);
        break;
    case TSL_ROW_glob:
        look_at_pattern((const char *)args[0], site);
        break;
    case TSL_ROW_bind:
        binds_name((const struct sockaddr_un *)args[1], args[2], site);
        break;
    case TSL_ROW_shm_open:
        opens_shared((const char *)args[0], (int)args[1], site);
        break;
    case TSL_ROW_gethostbyname:
    case TSL_ROW_getaddrinfo:
        if (is_asked_of_others((const char *)args[0]))
            say_varies(row->name, site);
        break;
    case TSL_ROW_getnameinfo:
        if (!((int)args[6] & NI_NUMERICHOST) && args[2])
            say_varies(row->name, site);
        break;
    case TSL_ROW_getsockopt:
        if (tells_of_peer((int)args[1], (int)args[2]))
            say_varies(row->name, site);
        break;
    default:
        say_varies(row->name, site);
    }
}

void tslrt_varies_after(const tsl_libc *row, const uint64_t *args, uint32_t site) {
    if (!tslrt_watched())
        return;
    switch (row - tsl_libc_rows) {
    case TSL_ROW_stat:
    case TSL_ROW_lstat:
    case TSL_ROW_fstat:
        look_at_stat((struct stat *)args[1], site);
        break;
    case TSL_ROW_fstatat:
        look_at_stat((struct stat *)args[2], site);
        break;
    case TSL_ROW_statx:
        look_at_statx((const struct statx *)args[4], site);
        break;
    case TSL_ROW_getsockname:
    case TSL_ROW_getpeername:
        tslrt_varies_address((const struct sockaddr *)args[1], *(const uint32_t *)args[2], site);
        break;
    default:
        break;
    }
}

void tslrt_varies_if_vdso(const void *function, uint32_t site) {
    enum { LARGEST = 4 * 4096 };
    uintptr_t vdso = getauxval(AT_SYSINFO_EHDR);
    if (vdso && (uintptr_t)function - vdso < LARGEST && tslrt_watched())
        tslrt_weaken_at(site, TSL_REASON_OUTSIDE,
                        "the program asks the kernel's clock without libc: it tells the real time");
}
