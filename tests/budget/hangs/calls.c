// hangs: through functions, on the stack
volatile int never;

static __attribute__((noinline)) int same(const char *a, const char *b) {
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

int main(void) {
    char text[8] = "word";
    while (same(text, "word") && !never)
        ;
}
