// does not: the counter comes to its end, some day
volatile unsigned long n;

int main(void) {
    while (++n)
        ;
}
