// All the ways to change memory without a store, while another thread accesses it; and to have it under two addresses.
//
//     ./ways WAY beside     the change comes beside the other thread's accesses
//     ./ways WAY ordered    it comes behind them
//     ./ways                prints the ways, with what is to be found beside
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SIZE = 4096, LARGE = 1 << 20 };
static char *p, *q; // q is another address of the same memory, if there is one
static size_t size = SIZE;
static int fd;

static void *map_file(void) { return mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0); }

static void anonymous(void) {
    p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
static void large(void) {
    size = LARGE;
    anonymous();
}
static void segment(void) {
    int id = shmget(IPC_PRIVATE, SIZE, 0600);
    p = shmat(id, NULL, 0);
    q = shmat(id, NULL, 0);
    shmctl(id, IPC_RMID, NULL);
}
static void memory_file(void) {
    fd = memfd_create("ways", 0);
    ftruncate(fd, SIZE);
    p = map_file();
    q = p;
}
static void mapped_twice(void) {
    memory_file();
    q = map_file();
}
static void private_view(void) {
    memory_file();
    q = mmap(NULL, SIZE, PROT_READ, MAP_PRIVATE, fd, 0);
}
static void remapped_twice(void) {
    p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    q = mremap(p, 0, SIZE, MREMAP_MAYMOVE);
}

static void unmaps(void) { munmap(p, size); }
static void protects(void) { mprotect(p, size, PROT_NONE); }
static void protects_from_writing(void) { mprotect(p, size, PROT_READ); }
static void clears(void) { madvise(p, size, MADV_DONTNEED); }
static void maps_over(void) {
    mmap(p, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}
static void moves(void) { mremap(p, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, p - (64 << 20)); }
static void detaches(void) { shmdt(p); }
static void raw_unmaps(void) { syscall(SYS_munmap, p, size); }
static void raw_protects(void) { syscall(SYS_mprotect, p, size, PROT_NONE); }
static void raw_clears(void) { syscall(SYS_madvise, p, size, MADV_DONTNEED); }
static void raw_maps_over(void) {
    syscall(SYS_mmap, p, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
            0L);
}
static void raw_moves(void) {
    syscall(SYS_mremap, p, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, p - (64 << 20));
}

static void stores(void) { q[0] = 9; }
static void looks(void) { assert(q[0] != 6); }
static void writes_at(void) { pwrite(fd, "9", 1, 0); }
static void writes(void) { write(fd, "9", 1); }
static void prints(void) {
    FILE *f = fdopen(dup(fd), "r+");
    fputc('9', f);
    fflush(f);
}
static void reads(void) {
    char c;
    assert(pread(fd, &c, 1, 0) != 1 || c != 6);
}
static void sends(void) {
    int other = memfd_create("other", 0);
    char c;
    sendfile(other, fd, &(off_t){0}, 1);
    assert(pread(other, &c, 1, 0) != 1 || c != 6);
}
static void shortens(void) { ftruncate(fd, 0); }

static const struct {
    const char *name, *found; // crash, assertion; weaker: the claim has to be
    void (*setup)(void), (*change)(void);
} ways[] = {{"munmap", "crash", anonymous, unmaps},
            {"munmap_large", "crash", large, unmaps},
            {"mprotect", "crash", anonymous, protects},
            {"mprotect_read", "crash", anonymous, protects_from_writing},
            {"madvise", "assertion", anonymous, clears},
            {"madvise_large", "assertion", large, clears},
            {"mmap_fixed", "assertion", anonymous, maps_over},
            {"mremap", "crash", anonymous, moves},
            {"shmdt", "crash", segment, detaches},
            {"raw_munmap", "crash", anonymous, raw_unmaps},
            {"raw_mprotect", "crash", anonymous, raw_protects},
            {"raw_madvise", "assertion", anonymous, raw_clears},
            {"raw_mmap", "assertion", anonymous, raw_maps_over},
            {"raw_mremap", "crash", anonymous, raw_moves},
            {"mapped_twice", "weaker", mapped_twice, stores},
            {"mapped_privately", "weaker", private_view, looks},
            {"mremap_twice", "weaker", remapped_twice, stores},
            {"shmat_twice", "weaker", segment, stores},
            {"pwrite", "weaker", memory_file, writes_at},
            {"write", "weaker", memory_file, writes},
            {"stream", "weaker", memory_file, prints},
            {"pread", "weaker", memory_file, reads},
            {"sendfile", "weaker", memory_file, sends},
            {"ftruncate", "weaker", memory_file, shortens}};
enum { WAYS = sizeof ways / sizeof *ways };

static void *accesses(void *arg) {
    p[0] = 5;
    p[0] = (char)(p[0] + 1);
    assert(p[0] == 6);
    return arg;
}

int main(int argc, char **argv) {
    pthread_t thread;
    unsigned way = 0;
    if (argc < 3) {
        for (unsigned i = 0; i < WAYS; i++)
            printf("%s %s\n", ways[i].name, ways[i].found);
        return 0;
    }
    while (way < WAYS && strcmp(ways[way].name, argv[1]) != 0)
        way++;
    if (way == WAYS)
        return 2;
    void (*change)(void) = ways[way].change;
    int ordered = strcmp(argv[2], "ordered") == 0;
    ways[way].setup();
    pthread_create(&thread, NULL, accesses, NULL);
    if (ordered)
        pthread_join(thread, NULL);
    change();
    if (!ordered)
        pthread_join(thread, NULL);
    return 0;
}
