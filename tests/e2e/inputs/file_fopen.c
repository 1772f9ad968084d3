// A file that is not there is an input: lines of it, with fopen and fgets.
// teasel: strategies=optimal flags=--file=settings.ini=9,--solver-check native=no
// expect: assertion at=BUG
// expect: mispredicted count=0
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    struct stat st;
    char line[16];
    FILE *file = fopen("./settings.ini", "r");
    if (!file || access("settings.ini", R_OK) != 0 || stat("settings.ini", &st) != 0)
        return 1;
    while (fgets(line, sizeof line, file))
        if (strncmp(line, "size=", 5) == 0 && atoi(line + 5) == 199)
            assert(st.st_size != 9); // BUG
    fclose(file);
    return 0;
}
