// Several threads handle faults at once: one stands in its handler while another meets a fault.
// teasel: strategies=random,pos,optimal runs=200
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

enum { PAGE = 4096, THREADS = 2 };

static char *pages;
static atomic_int repaired;
static _Thread_local sigjmp_buf back;
static _Thread_local int probing;

static void on_fault(int sig, siginfo_t *info, void *context) {
    (void)sig, (void)context;
    if (probing)
        siglongjmp(back, 1);
    repaired++;
    mprotect((void *)((uintptr_t)info->si_addr & ~(uintptr_t)(PAGE - 1)), PAGE,
             PROT_READ | PROT_WRITE);
}

static int can_be_read(volatile char *p) {
    if (sigsetjmp(back, 1))
        return 0;
    probing = 1;
    (void)*p;
    return 1;
}

static void *visit(void *arg) {
    char *own = pages + (uintptr_t)arg * PAGE;
    double kept = 1.5 * (double)(uintptr_t)arg;
    assert(!can_be_read(own));
    probing = 0;
    *own = (char)(1 + (uintptr_t)arg);
    assert(kept == 1.5 * (double)(uintptr_t)arg);
    assert(*own == (char)(1 + (uintptr_t)arg));
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    pages = mmap(NULL, THREADS * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(pages != MAP_FAILED && sigaction(SIGSEGV, &action, NULL) == 0);
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, visit, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(repaired == THREADS);
    return 0;
}
