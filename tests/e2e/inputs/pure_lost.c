// Functions of libc that only compute take inputs as they are: what comes out of them is not followed, and that is said.
// teasel: strategies=paths,optimal native=no
// expect: note ~ atof reads memory that depends on inputs as it is
// expect: note ~ strchrnul reads memory that depends on inputs as it is
// expect: note ~ strtok or its like reads memory that depends on inputs as it is
// expect: note ~ getsubopt reads memory that depends on inputs as it is
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "teasel.h"

int main(void) {
    char text[4] = {0}, word[4] = {0}, option[4] = "r", *rest, *value, *o = option;
    char *tokens[] = {"ro", "rw", NULL};
    text[0] = teasel_char("a");
    word[0] = teasel_char("b");
    option[1] = teasel_char("c");
    bool found = *strchrnul(text, 'q') || atof(text) > 1;
    bool cut = strtok_r(word, " ", &rest) != NULL, known = getsubopt(&o, tokens, &value) == 1;
    return found && cut && known;
}
