// does not: it is heard
#include <unistd.h>

int main(void) {
    for (;;)
        if (write(1, "", 0) != 0)
            return 1;
}
