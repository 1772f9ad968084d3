// teasel: strategies=optimal,source runs=1000
// expect: clean
// expect: complete
//
// Functions that stop reading before the text ends, or of a text that does not end: nothing lies behind these blocks.
#define _GNU_SOURCE
#include <assert.h>
#include <locale.h>
#include <pthread.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>
#include <wchar.h>

static void *block(const void *content, size_t size) { return memcpy(malloc(size), content, size); }

static void *look(void *arg) {
    char *p = block("ab\0c\xc3\xa4", 6);
    wchar_t *w = block(L"ab\xe4", 3 * sizeof *w), wide[4];
    const wchar_t *from = w;
    const char *text = p + 3;
    char bytes[8];
    mbstate_t state = {0};
    char16_t half;
    assert((char *)memchr(p, 'c', 10) == p + 3 && (char *)rawmemchr(p, 0xa4) == p + 5);
    assert(arg || (mblen(p + 1, MB_CUR_MAX) == 1 && mblen(p + 4, MB_CUR_MAX) == 2));
    assert(arg || mbtowc(wide, p + 4, MB_CUR_MAX) == 2);
    assert(mbrtowc(wide, p + 4, 6, &state) == 2);
    assert(mbrlen(p + 4, 2, &state) == 2 && mbrtoc16(&half, p + 4, 9, &state) == 2);
    assert(mbstowcs(wide, p + 3, 2) == 2 && mbsrtowcs(wide, &text, 2, &state) == 2);
    assert(wcstombs(bytes, w, 4) == 4 && wcsrtombs(bytes, &from, 4, &state) == 4);
    regex_t pattern;
    regmatch_t match = {0, 2};
    assert(regcomp(&pattern, "b", 0) == 0);
    assert(regexec(&pattern, p, 1, &match, REG_STARTEND) == 0 && match.rm_so == 1);
    regfree(&pattern);
    free(p);
    free(w);
    return arg;
}

int main(void) {
    setlocale(LC_ALL, "C.UTF-8");
    pthread_t thread;
    pthread_create(&thread, NULL, look, &thread);
    look(NULL);
    pthread_join(thread, NULL);
    return 0;
}
