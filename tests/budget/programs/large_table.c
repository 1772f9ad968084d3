// Greedy: to save its variables before the first run takes longer than the first run may take.
static char table[1ul << 27];

__attribute__((constructor)) static void fill(void) {
    for (unsigned long at = 0; at < sizeof table; at += 4096)
        table[at] = 1;
}

int main(void) { return table[4096] != 1; }
