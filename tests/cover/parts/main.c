#include "../inline.h"

int even(int n);

static int unused(int n) { return half(n); }

int main(int argc, char **argv) {
    (void)argv;
    return argc > 1 ? unused(argc) + half(3) : even(0);
}
