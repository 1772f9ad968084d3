// state_machine(N): a scanner of numbers, names and strings over N input characters.
#include <teasel.h>

#ifndef N
#define N 6
#endif

enum state { START, SIGN, DIGITS, POINT, FRACTION, EXPONENT, NAME, STRING, ERROR };

static enum state from_start(char c) {
    if (c == '-' || c == '+')
        return SIGN;
    if (c >= '0' && c <= '9')
        return DIGITS;
    if (c >= 'a' && c <= 'z')
        return NAME;
    if (c == '"')
        return STRING;
    return c == ' ' ? START : ERROR;
}

static enum state next(enum state state, char c) {
    switch (state) {
    case START:
        return from_start(c);
    case SIGN:
    case POINT:
        return c >= '0' && c <= '9' ? (state == SIGN ? DIGITS : FRACTION) : ERROR;
    case DIGITS:
        if (c >= '0' && c <= '9')
            return DIGITS;
        return c == '.' ? POINT : c == ' ' ? START : ERROR;
    case FRACTION:
        if (c >= '0' && c <= '9')
            return FRACTION;
        return c == 'e' ? EXPONENT : c == ' ' ? START : ERROR;
    case NAME:
        return (c >= 'a' && c <= 'z') || c == '_' ? NAME : c == ' ' ? START : ERROR;
    case STRING:
        return c == '"' ? START : STRING;
    default:
        return state;
    }
}

int main(void) {
    char s[N];
    enum state state = START;
    TEASEL_INPUT(s);
    for (int i = 0; i < N && state != ERROR; i++)
        state = next(state, s[i]);
    return state == ERROR;
}
