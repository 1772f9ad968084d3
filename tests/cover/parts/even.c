#include "../inline.h"

int even(int n);
int even(int n) { return half(2 * n); }
