// Long: a constructor takes its time before main.
__attribute__((constructor)) static void slow(void) {
    for (volatile unsigned long i = 0; i < 100000000000ul; i++)
        ;
}

int main(void) { return 0; }
