// The program closes every descriptor it can; later runs are not harmed.
// teasel: strategies=random runs=50
// expect: clean
#include <unistd.h>

int main(void) {
    for (int fd = 0; fd < 1024; fd++)
        close(fd);
    return 0;
}
