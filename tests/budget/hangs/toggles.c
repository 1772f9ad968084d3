// hangs: two states, one after the other
volatile int side;

int main(void) {
    while (side != 2)
        side ^= 1;
}
