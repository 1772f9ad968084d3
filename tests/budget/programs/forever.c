// Endless: one thread, and nothing ever changes.
int main(void) {
    for (;;)
        ;
}
