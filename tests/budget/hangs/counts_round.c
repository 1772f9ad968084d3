// hangs: a small counter that starts again
static volatile unsigned char n;
volatile int never;

int main(void) {
    while (!never)
        n = (n + 1) % 8;
}
