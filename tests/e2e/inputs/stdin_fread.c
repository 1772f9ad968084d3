// A block of standard input: its length and a checksum must be right.
// teasel: strategies=optimal flags=--stdin=12,--solver-check native=no
// expect: assertion at=BUG
// expect: mispredicted count=0
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct packet {
    char magic[4];
    uint32_t length, sum;
};

int main(void) {
    struct packet p;
    if (fread(&p, sizeof p, 1, stdin) != 1 || memcmp(p.magic, "PKT1", 4) != 0)
        return 0;
    if (p.length != 17 || p.sum != (p.length ^ 0x5a5a5a5au))
        return 0;
    assert(!"a whole packet"); // BUG
}
