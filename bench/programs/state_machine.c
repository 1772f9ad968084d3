// state_machine(N): scans N input characters for numbers, names and strings.
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
    if (c == ' ')
        return START;
    return ERROR;
}

static enum state from_number(enum state state, char c) {
    if (c >= '0' && c <= '9')
        return state;
    if (state == DIGITS && c == '.')
        return POINT;
    if (state == FRACTION && c == 'e')
        return EXPONENT;
    if (c == ' ')
        return START;
    return ERROR;
}

static enum state next(enum state state, char c) {
    switch (state) {
    case START:
        return from_start(c);
    case SIGN:
        if (c >= '0' && c <= '9')
            return DIGITS;
        return ERROR;
    case POINT:
        if (c >= '0' && c <= '9')
            return FRACTION;
        return ERROR;
    case DIGITS:
    case FRACTION:
        return from_number(state, c);
    case NAME:
        if ((c >= 'a' && c <= 'z') || c == '_')
            return NAME;
        if (c == ' ')
            return START;
        return ERROR;
    case STRING:
        if (c == '"')
            return START;
        return STRING;
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
