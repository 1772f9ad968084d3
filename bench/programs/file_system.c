// file_system(N), after Flanagan and Godefroid (POPL 2005): each of N threads gives a block to an
// inode; every inode and every block has a lock of its own.
// 2^(N-13) traces for 13 <= N <= 26: up to 13 threads never use the same block.
#include "threads.h"

#ifndef N
#define N 14
#endif

enum { INODES = 32, BLOCKS = 26 };

static pthread_mutex_t inode_lock[INODES] = {[0 ... INODES - 1] = PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t block_lock[BLOCKS] = {[0 ... BLOCKS - 1] = PTHREAD_MUTEX_INITIALIZER};
static int inode[INODES]; // its block + 1, or 0
static int busy[BLOCKS];

static void find_block(int i) {
    for (int b = 2 * i % BLOCKS, found = 0; !found; b = (b + 1) % BLOCKS) {
        pthread_mutex_lock(&block_lock[b]);
        if (!busy[b]) {
            busy[b] = 1;
            inode[i] = b + 1;
            found = 1;
        }
        pthread_mutex_unlock(&block_lock[b]);
    }
}

static void *use_inode(void *arg) {
    int i = number_of(arg) % INODES;
    pthread_mutex_lock(&inode_lock[i]);
    if (!inode[i])
        find_block(i);
    pthread_mutex_unlock(&inode_lock[i]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    start_threads(threads, 0, N, use_inode);
    join_threads(threads, N);
    return 0;
}
