// does not: the counter is in memory of its thread
static __thread volatile unsigned long n;

int main(void) {
    while (n < 1ul << 40)
        n++;
    return 0;
}
