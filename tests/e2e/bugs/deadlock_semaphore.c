// Nobody ever posts.
// teasel: strategies=random,dfs runs=100
// expect: deadlock at=BUG
#include <semaphore.h>

int main(void) {
    sem_t sem;
    sem_init(&sem, 0, 0);
    sem_wait(&sem); // BUG
    return 0;
}
