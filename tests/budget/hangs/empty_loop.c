// hangs
int main(void) {
    for (;;)
        ;
}
