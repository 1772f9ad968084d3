// Endless: computes without end.
unsigned long total;

int main(void) {
    for (unsigned long i = 0;; i++)
        total += i * i;
}
