// The table of libc with its sizes; see abi/libc.def.
#include <aio.h>
#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <fenv.h>
#include <getopt.h>
#include <glob.h>
#include <grp.h>
#include <locale.h>
#include <mntent.h>
#include <mqueue.h>
#include <netdb.h>
#include <poll.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <termios.h>
#include <time.h>
#include <utime.h>
#include <utmpx.h>
#include <wchar.h>
#include <wordexp.h>

#include "abi/conflict.h"
#include "ranges.h"

// ---------------------------------------------------------------- words of libc.def

#define ROLE_R TSL_ROLE_READ
#define ROLE_A TSL_ROLE_ADD
#define ROLE_W TSL_ROLE_WRITE
#define STDIN TSL_LIBC_STDIN
#define STDOUT TSL_LIBC_STDOUT
#define STDERR TSL_LIBC_STDERR
#define RESULT TSL_LIBC_RESULT
#define LIST(...)                                                                                  \
    { __VA_ARGS__ }
#define _ LIST(0)
#define USE(state, arg, role) LIST(state, arg, role)
#define STATE(state, role) USE(TSL_STATE_##state, 0, ROLE_##role)
#define IN(arg) USE(TSL_USE_IN, arg, 0)
#define OUT(arg) USE(TSL_USE_OUT, arg, 0)
#define MOVES(arg, role) USE(TSL_USE_MOVES, arg, ROLE_##role)
#define FINDS(state) USE(TSL_USE_FINDS, 0, ROLE_R)
#define SECONDS(arg) USE(TSL_USE_SECONDS, arg, ROLE_R)
#define OPENS(arg) USE(TSL_USE_OPENS, arg, 0)
#define OPENS_AS(arg) USE(TSL_USE_OPENS_AS, arg, 0)
#define STREAM(arg, role) USE(TSL_STATE_STREAM, arg, ROLE_##role)
#define HANDLE(arg, role) USE(TSL_STATE_HANDLE, arg, ROLE_##role)
#define DESCRIPTOR(arg, role) USE(TSL_STATE_DESCRIPTOR, arg, ROLE_##role)
#define DESCRIPTORS(role) STATE(DESCRIPTORS, role)
#define FILES(role) STATE(FILES, role)
#define ENVIRONMENT(role) STATE(ENVIRONMENT, role)
#define TIMEZONE(role) STATE(TIMEZONE, role)
#define LOCALE(role) STATE(LOCALE, role)
#define STRTOK(role) STATE(STRTOK, role)
#define RANDOM(role) STATE(RANDOM, role)
#define RANDOM48(role) STATE(RANDOM48, role)
#define GETOPT(role) STATE(GETOPT, role)
#define USERS(role) STATE(USERS, role)
#define GROUPS(role) STATE(GROUPS, role)
#define NETWORK(role) STATE(NETWORK, role)
#define LOGINS(role) STATE(LOGINS, role)
#define MOUNTS(role) STATE(MOUNTS, role)
#define SYSLOG(role) STATE(SYSLOG, role)
#define PROCESS(role) STATE(PROCESS, role)
#define CHILDREN(role) STATE(CHILDREN, role)
#define SIGNALS(role) STATE(SIGNALS, role)
#define MEMORY(role) STATE(MEMORY, role)
#define LOADER(role) STATE(LOADER, role)
#define KEYS(role) STATE(KEYS, role)
#define EXITS(role) STATE(EXITS, role)
#define SEARCH(role) STATE(SEARCH, role)
#define TREES(role) STATE(TREES, role)
#define CONVERSION(which) USE(TSL_USE_CONVERSION, TSL_LIBC_ARGS, which)
#define CONVERSION_IF_NO(arg, which) USE(TSL_USE_CONVERSION, arg, which)
#define THREAD(role) USE(TSL_USE_THREAD, 0, ROLE_##role)
#define SIGNGAM(role) STATE(SIGNGAM, role)
#define ECVT(role) STATE(ECVT, role)
#define QUEUES(role) STATE(QUEUES, role)
#define TIMERS(role) STATE(TIMERS, role)
#define TERMINAL(role) STATE(TERMINAL, role)
#define NAMES(role) STATE(NAMES, role)
#define STREAMS(role) STATE(STREAMS, role)
#define ERRORS(role) STATE(ERRORS, role)
#define GETDATE(role) STATE(GETDATE, role)
#define UNKNOWN(role) STATE(UNKNOWN, role)

#define RANGE(arg, how, ...) LIST(arg, how, __VA_ARGS__)
#define R(arg, form) RANGE(arg, TSL_LIBC_READS, form)
#define W(arg, form) RANGE(arg, TSL_LIBC_WRITES, form)
#define RW(arg, form) RANGE(arg, TSL_LIBC_READS | TSL_LIBC_WRITES, form)
#define RB(arg, form) RANGE(arg, TSL_LIBC_READS | TSL_LIBC_BEHIND, form)
#define WB(arg, form) RANGE(arg, TSL_LIBC_WRITES | TSL_LIBC_BEHIND, form)
#define SIZE(type) TSL_LIBC_FIXED, 0, 0, sizeof(type)
#define BYTES(n) TSL_LIBC_ARG, n, 0, 1
#define EACH(n, type) TSL_LIBC_ARG, n, 0, sizeof(type)
#define TIMES(n, m) TSL_LIBC_TIMES, n, m, 1
#define TEXT TSL_LIBC_TEXT, 0, 0, 1
#define WTEXT TSL_LIBC_TEXT, 0, 0, sizeof(wchar_t)
#define UP_TO_SIX TSL_LIBC_TEXT, 6, 0, 1
#define UP_TO(n) TSL_LIBC_TEXT_UP_TO, n, 0, 1
#define WUP_TO(n) TSL_LIBC_TEXT_UP_TO, n, 0, sizeof(wchar_t)
#define GOT TSL_LIBC_GOT, 0, 0, 1
#define GOT_EACH(type) TSL_LIBC_GOT, 0, 0, sizeof(type)
#define GOT_IF_EACH(n, type) TSL_LIBC_GOT_IF, n, 0, sizeof(type)
#define GOT_TIMES(n) TSL_LIBC_GOT_TIMES, n, 0, 1
#define GOT_TEXT TSL_LIBC_GOT_TEXT, 0, 0, 1
#define GOT_UP_TO(n) TSL_LIBC_GOT_UP_TO, n, 0, 1
#define GOT_UP_TO_EACH(n, type) TSL_LIBC_GOT_UP_TO, n, 0, sizeof(type)
#define GOT_LENGTH(n) TSL_LIBC_GOT_LENGTH, n, 0, 1
#define LENGTH_AT(n) TSL_LIBC_AT_LENGTH, n, 0, 1
#define WORDS TSL_LIBC_WORDS, 0, 0, sizeof(void *)
#define RECORDS(type) TSL_LIBC_WORDS, 0, 0, sizeof(type)
#define FOUND(n) TSL_LIBC_FOUND, n, 0, 1
#define CHARACTER(n) TSL_LIBC_CHARACTER, n, 0, 1
#define CHARACTERS(n, to) TSL_LIBC_CHARACTERS, n, to, 1
#define WCHARACTERS(n, to) TSL_LIBC_CHARACTERS, n, to, sizeof(wchar_t)
#define SUBJECT(n) TSL_LIBC_SUBJECT, n, 0, 1
#define FAMILY(n) TSL_LIBC_FAMILY, n, 0, 1
#define PAGES(n) TSL_LIBC_PAGES, n, 0, 1
#define MESSAGE(n) TSL_LIBC_MESSAGE, n, 0, sizeof(long)
#define GOT_MESSAGE TSL_LIBC_GOT_MESSAGE, 0, 0, sizeof(long)
#define TEXTS(layout) TSL_LIBC_TEXTS, TSL_LAYOUT_##layout, 0, 1
#define ENTRY TSL_LIBC_ENTRY, 0, 0, 1
#define ENTRIES(n) TSL_LIBC_ENTRIES, n, 0, 1
#define ZONE(n) TSL_LIBC_ZONE, n, 0, 1
#define WZONE(n) TSL_LIBC_ZONE, n, 0, sizeof(wchar_t)
#if defined(__x86_64__)
#define TEN_BYTES TSL_LIBC_FIXED, 0, 0, 10 // the used bytes of a long double
#else
#define TEN_BYTES TSL_LIBC_FIXED, 0, 0, 16
#endif

#define BLOCKS TSL_LIBC_BLOCKS
#define CANCEL TSL_LIBC_CANCEL
#define FOLLOWS TSL_LIBC_FOLLOWS
#define QUIET TSL_LIBC_QUIET
#define FROM_OUTSIDE TSL_LIBC_FROM_OUTSIDE
#define CALLS_BACK TSL_LIBC_CALLS_BACK
#define PRINTS TSL_LIBC_PRINTS
#define SCANS TSL_LIBC_SCANS
#define REDIRECTS TSL_LIBC_REDIRECTS
#define VARIES TSL_LIBC_VARIES
#define CLOSES_OTHERS TSL_LIBC_CLOSES_OTHERS
#define TELLS_NUMBERS TSL_LIBC_TELLS_NUMBERS
#define GIVES_NAMES TSL_LIBC_GIVES_NAMES

#define TSL_LIBC(name_, by_, class__, ok_, flags_, uses_, ranges_)                                 \
    {.name = #name_,                                                                               \
     .by = TSL_LIBC_##by_,                                                                         \
     .class_ = TSL_EXTERN_##class__,                                                               \
     .ok = TSL_LIBC_##ok_,                                                                         \
     .flags = flags_,                                                                              \
     .uses = LIST uses_,                                                                           \
     .ranges = LIST ranges_},

// In a section away from other constants, because the table is large and few runs need it.
__attribute__((section("teasel_table"))) const tsl_libc tsl_libc_rows[] = {
#include "abi/libc.def"
};

// ---------------------------------------------------------------- names

static const tsl_libc *find(const char *name, size_t n) {
    for (unsigned i = 0; i < sizeof tsl_libc_rows / sizeof *tsl_libc_rows; i++) {
        const char *row = tsl_libc_rows[i].name;
        if (row[0] == name[0] && strncmp(row, name, n) == 0 && row[n] == 0)
            return &tsl_libc_rows[i];
    }
    return NULL;
}

static const char *behind(const char *name, const char *prefix) {
    size_t n = strlen(prefix);
    return strncmp(name, prefix, n) == 0 ? name + n : name;
}

const tsl_libc *tsl_libc_find(const char *name) {
    static const char *const suffixes[] = {"64", "_unlocked"};
    if (strcmp(name, "__teasel_file_access") == 0)
        name = "access";
    name = behind(behind(behind(name, "__teasel_"), "__isoc99_"), "__isoc23_");
    size_t n = strlen(name);
    const tsl_libc *row = find(name, n);
    for (unsigned i = 0; !row && i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t less = strlen(suffixes[i]);
        if (n > less && strcmp(name + n - less, suffixes[i]) == 0)
            row = find(name, n - less);
    }
    return row;
}
