// What can come out of a call that reads and writes, while another thread changes what it reads and then what it writes?
//
//     copies expect: prints the outcomes that are possible, as exit codes
//     under Teasel:  chooses a call, runs it in a second thread, and exits with what came out
//
// TWO: reading and writing are steps of their own, so the other thread may run in between, and what is written then is what was
// read.  ONE: all of the call is one step.  LOOK: it reads two places in one step and writes nothing shared.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <wchar.h>

#ifdef TEASEL
#include "teasel.h"
#else
static unsigned teasel_choose(unsigned n) { return n - n; }
#endif

struct part {
    char text[24];
};
static struct part from, to;
static struct part *pfrom = &from, *pto = &to;
static char found;

static char sign(int order) { return order == 0 ? '0' : order < 0 ? '1' : '2'; }

#define ROWS(TWO, ONE, LOOK)                                                                       \
    TWO(assignment, to = from)                                                                     \
    TWO(assignment_through_pointers, *pto = *pfrom)                                                \
    TWO(memcpy, memcpy(&to, &from, sizeof to))                                                     \
    TWO(memmove, memmove(to.text, from.text, strlen("3") + 1))                                     \
    TWO(mempcpy, mempcpy(to.text, from.text, 2))                                                   \
    TWO(strcpy, strcpy(to.text, from.text))                                                        \
    TWO(stpcpy, stpcpy(to.text, from.text))                                                        \
    TWO(strncpy, strncpy(to.text, from.text, 5))                                                   \
    TWO(strcat, strcat(to.text, from.text))                                                        \
    TWO(strncat, strncat(to.text, from.text, 5))                                                   \
    ONE(snprintf, snprintf(to.text, sizeof to.text, "%s", from.text))                              \
    ONE(sscanf, sscanf(from.text, "%c", to.text))                                                  \
    ONE(stpncpy, stpncpy(to.text, from.text, 3))                                                   \
    ONE(wmemcpy, wmemcpy((wchar_t *)to.text, (wchar_t *)from.text, 1))                             \
    LOOK(memcmp, memcmp(from.text, to.text, 2))                                                    \
    LOOK(strcmp, strcmp(from.text, to.text))                                                       \
    LOOK(strncmp, strncmp(from.text, to.text, 2))                                                  \
    LOOK(strcasecmp, strcasecmp(from.text, to.text))                                               \
    LOOK(strspn, (int)strspn(from.text, to.text) - 1)                                              \
    LOOK(strstr, strstr(from.text, to.text) ? 0 : -1)

#define CALL(name, call)                                                                           \
    static void *call_##name(void *p) {                                                            \
        call;                                                                                      \
        return p;                                                                                  \
    }
#define LOOK_CALL(name, call)                                                                      \
    static void *call_##name(void *p) {                                                            \
        char seen = sign(call);                                                                    \
        found = seen;                                                                              \
        return p;                                                                                  \
    }
ROWS(CALL, CALL, LOOK_CALL)

enum kind { KIND_TWO, KIND_ONE, KIND_LOOK };
#define ROW_TWO(name, call) {#name, call_##name, KIND_TWO},
#define ROW_ONE(name, call) {#name, call_##name, KIND_ONE},
#define ROW_LOOK(name, call) {#name, call_##name, KIND_LOOK},
static const struct {
    const char *name;
    void *(*call)(void *p);
    enum kind kind;
} rows[] = {ROWS(ROW_TWO, ROW_ONE, ROW_LOOK)};
enum { NROWS = sizeof rows / sizeof *rows, EACH = 5 };

// 1: what the other thread put there was copied; 2: what it wrote itself is there; 3: what was there first.
static void print_expected(void) {
    static const char *const outcomes[] = {"123", "12", "12"};
    for (unsigned i = 0; i < NROWS; i++)
        for (const char *o = outcomes[rows[i].kind]; *o; o++)
            printf("%u %s\n", EACH * i + (unsigned)(*o - '0'), rows[i].name);
}

// Equal before and behind, the first one less in between: 2 and 1.
static int outcome_of(enum kind kind) {
    char c = kind == KIND_LOOK ? (found == '0' ? '2' : found == '1' ? '1' : '4') : to.text[0];
    return c >= '1' && c <= '3' ? c - '0' : 4;
}

int main(int argc, char **argv) {
    pthread_t other;
    if (argc > 1 && strcmp(argv[1], "expect") == 0) {
        print_expected();
        return 0;
    }
    unsigned i = teasel_choose(NROWS);
    from.text[0] = '3';
    to.text[0] = rows[i].kind == KIND_LOOK ? '3' : 0;
    pthread_create(&other, NULL, rows[i].call, NULL);
    from.text[0] = '1';
    to.text[0] = rows[i].kind == KIND_LOOK ? '1' : '2';
    pthread_join(other, NULL);
    return (int)(EACH * i) + outcome_of(rows[i].kind);
}
