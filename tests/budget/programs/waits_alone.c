// Endless: waits for a flag that nobody can set.
volatile int flag;

int main(void) {
    while (!flag)
        ;
}
