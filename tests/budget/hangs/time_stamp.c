// does not: it waits for the time stamp
int main(void) {
    while (__builtin_ia32_rdtsc() != 0)
        ;
}
