// hangs: the state is in vector registers
volatile double limit = 3;

int main(void) {
    double x = 1;
    while (x < limit)
        x = 2 / x;
}
