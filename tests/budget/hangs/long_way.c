// does not: a generator of random numbers with a long period
volatile unsigned long state = 1;

int main(void) {
    while (state != 42)
        state = state * 6364136223846793005ul + 1442695040888963407ul;
}
