// String, memory, number and sorting functions that Teasel brings along behave as libc's.
// teasel: strategies=random,dfs runs=20
// expect: complete on=dfs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int n) { return (n > 0) - (n < 0); }

static int by_value(const void *a, const void *b) {
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static void lengths(void) {
    assert(strlen("") == 0 && strlen("teasel") == 6);
    assert(strnlen("teasel", 3) == 3 && strnlen("tea", 9) == 3);
}

static void copies(void) {
    char b[16];
    assert(strcpy(b, "tea") == b && memcmp(b, "tea", 4) == 0);
    assert(strncpy(b, "ab", 5) == b && memcmp(b, "ab\0\0\0", 5) == 0);
    strncpy(b, "abcdef", 3);
    assert(b[2] == 'c' && b[3] == 0);
    assert(stpcpy(b, "four") == b + 4);
    assert(strcat(b, "teen") == b && strcmp(b, "fourteen") == 0);
    assert(strncat(b, "XYZ", 2) == b && strcmp(b, "fourteenXY") == 0);
    memcpy(b, "0123456789", 11);
    assert(memmove(b + 2, b, 5) == b + 2 && memcmp(b, "01012347", 8) == 0);
    memcpy(b, "0123456789", 11);
    memmove(b, b + 2, 5);
    assert(memcmp(b, "23456567", 8) == 0);
    assert(memset(b, 'x', 3) == b && memcmp(b, "xxx56", 5) == 0);
}

static void comparisons(void) {
    assert(strcmp("a", "a") == 0 && sign(strcmp("a", "b")) == -1 && sign(strcmp("b", "a")) == 1);
    assert(sign(strcmp("ab", "a")) == 1 && sign(strcmp("\xff", "a")) == 1);
    assert(strncmp("abc", "abd", 2) == 0 && sign(strncmp("abc", "abd", 3)) == -1);
    assert(strncmp("a", "b", 0) == 0);
    assert(strcasecmp("TeAsEl", "tEaSeL") == 0 && sign(strcasecmp("a", "B")) == -1);
    assert(strncasecmp("TEAx", "teaY", 3) == 0);
    assert(memcmp("a\0b", "a\0b", 3) == 0 && sign(memcmp("a\0b", "a\0c", 3)) == -1);
    assert(bcmp("ab", "ab", 2) == 0 && bcmp("ab", "ac", 2) != 0);
}

static void searches(void) {
    const char *s = "teasel teasel";
    assert(strchr(s, 'a') == s + 2 && strchr(s, 0) == s + 13 && strchr(s, 'z') == NULL);
    assert(strrchr(s, 'a') == s + 9 && strrchr(s, 'z') == NULL);
    assert(strstr(s, "sel") == s + 3 && strstr(s, "") == s && strstr(s, "sole") == NULL);
    assert(strspn(s, "tea") == 3 && strcspn(s, " ") == 6);
    assert(strpbrk(s, "xs") == s + 3 && strpbrk(s, "xyz") == NULL);
    assert(memchr(s, 'l', 13) == s + 5 && memchr(s, 'l', 5) == NULL);
}

static void numbers(void) {
    char *end;
    assert(atoi("42") == 42 && atoi(" -7x") == -7 && atol("+9") == 9 && atoll("x") == 0);
    assert(strtol("0x1fz", &end, 0) == 31 && *end == 'z');
    assert(strtol("077", &end, 0) == 63 && *end == 0);
    assert(strtol("z1", &end, 36) == 35 * 36 + 1);
    assert(strtol("  -12 ", &end, 10) == -12 && *end == ' ');
    const char *none = "none";
    assert(strtol(none, &end, 10) == 0 && end == none);
    errno = 0;
    assert(strtol("99999999999999999999", NULL, 10) == LONG_MAX && errno == ERANGE);
    errno = 0;
    assert(strtol("-99999999999999999999", NULL, 10) == LONG_MIN && errno == ERANGE);
    errno = 0;
    assert(strtoul("18446744073709551615", NULL, 10) == ULONG_MAX && errno == 0);
    assert(strtoul("18446744073709551616", NULL, 10) == ULONG_MAX && errno == ERANGE);
    assert(strtoll("-5", NULL, 10) == -5 && strtoull("ff", NULL, 16) == 255);
}

static void sorting(void) {
    int a[50], key = 37;
    for (int i = 0; i < 50; i++)
        a[i] = i * 37 % 50;
    qsort(a, 50, sizeof *a, by_value);
    for (int i = 0; i < 50; i++)
        assert(a[i] == i);
    assert(bsearch(&key, a, 50, sizeof *a, by_value) == a + 37);
    key = 99;
    assert(bsearch(&key, a, 50, sizeof *a, by_value) == NULL);
    qsort(a, 0, sizeof *a, by_value);
}

int main(void) {
    lengths();
    copies();
    comparisons();
    searches();
    numbers();
    sorting();
    return 0;
}
