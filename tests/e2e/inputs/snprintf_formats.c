// What is followed of snprintf is what glibc does: else it would be said, and nothing be
// complete.
// teasel: strategies=optimal flags=--solver-check,--seconds=100 native=no runs=100000
// expect: complete
// expect: mispredicted count=0
#include <stdio.h>
#include <string.h>
#include <teasel.h>

int main(void) {
    char text[80], s[3];
    size_t room = TEASEL_CHOOSE(2) ? sizeof text : 4;
    int x = teasel_short("x"), c = teasel_char("c") & 3, n = 0;
    TEASEL_INPUT(s);
    s[2] = 0;
    switch (TEASEL_CHOOSE(12)) {
    case 0:
        n = snprintf(text, room, "%5d|%-6d|%06d", x, x, x);
        break;
    case 1:
        n = snprintf(text, room, "%x %X %o %u", x, x, x, x);
        break;
    case 2:
        n = snprintf(text, room, "%hhd %hu %lld %zx", x, x, (long long)x, (size_t)c);
        break;
    case 3:
        n = snprintf(text, room, "%4s|%-4s|%.1s|%.*s", s, s, s, c, s);
        break;
    case 4:
        n = snprintf(text, room, "%*d|%-*d", c, x, 4, c);
        break;
    case 5:
        n = snprintf(text, room, "%+d %.3d %#x % d", c, c, c, c);
        break;
    case 6:
        n = snprintf(text, room, "%f %d %e %s %d %d %d %d", 1.5, x, 2.5, s, 1, 2, c, 5);
        break;
    case 7:
        n = snprintf(text, room, "%c%%%3c|%-3c", x, x, 'y');
        break;
    case 8:
        n = snprintf(text, room, "%p %ls %d", (void *)0, L"wide", x);
        break;
    case 9:
        n = snprintf(text, room, "%*.*Lf %d", 9, 2, 3.25L, c);
        break;
    case 10:
        n = snprintf(text, room, "%s %d", (char *)0, c);
        break;
    default:
        n = snprintf(NULL, 0, "%d %s", x, s);
        room = 0;
    }
    return n < 0 || (room && strlen(text) >= room);
}
