// does not: an input may end it
#include <teasel.h>

int main(void) {
    while (teasel_int("go on") != 77)
        ;
}
