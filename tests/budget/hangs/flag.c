// hangs
volatile int flag;

int main(void) {
    while (!flag)
        ;
}
