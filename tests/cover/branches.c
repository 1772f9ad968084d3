// Every kind of branch; what is reached stands beside it.
#include <stdlib.h>

static int choose(int a, int b) {
    int x = 0; // an assignment that is nothing but a line
    if (a)     // true only
        x = 1;
    if (b)     // false only
        x = 2; // never
    else
        x += 3;
    if (a && b) // a true, b false
        x = 4;  // never
    if (a || b) // a true, b never asked
        x++;
    return x;
}

static int loops(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) { // both
        if (i == 1)               // both
            continue;
        if (i == 100) // false only
            break;    // never
        sum += i;
    }
    while (sum > 1000) // false only
        sum /= 2;      // never
    do {
        sum--;
    } while (sum > 0); // both
    return sum;
}

static int pick(int n) {
    switch (n) { // of five ways: 1 and 2 are one, 3, and the default
    case 0:
        return 10; // never
    case 1:
    case 2:
        n++;
    case 3: // fallen into, and jumped to
        n += 2;
        break;
    case 4:
        break; // never
    default:
        n = 0;
        break;
    }
    return n;
}

static int conditional(int a, int b) {
    int constant = a ? 7 : 8; // a select: true only
    int value = b ? a : b;    // false only
    return constant + (b ? abs(a) : value);
}

static int never(int a) { return a ? 1 : 2; }

int main(int argc, char **argv) {
    (void)argv;
    int sum = choose(argc, 0) + loops(3) + pick(1) + pick(3) + pick(9) + conditional(argc, 0);
    if (sum == -1)
        exit(never(sum));
    return 0;
}
