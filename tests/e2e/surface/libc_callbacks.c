// Control leaves and comes back: qsort whose comparison takes a lock, setjmp and longjmp, atexit,
// variadic functions, function pointers, thread switches inside all of them.
// teasel: strategies=random runs=300
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int comparisons;

static int compare(const void *a, const void *b) {
    pthread_mutex_lock(&lock);
    comparisons++;
    pthread_mutex_unlock(&lock);
    return *(const int *)a - *(const int *)b;
}

static int sum(int n, ...) {
    va_list args;
    int total = 0;
    va_start(args, n);
    while (n--)
        total += va_arg(args, int);
    va_end(args);
    return total;
}

static void jump(jmp_buf *env, int n) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    if (n == 0)
        longjmp(*env, 5);
    jump(env, n - 1);
}

static void *worker(void *arg) {
    int a[5] = {4, 2, 5, 1, 3};
    jmp_buf env;
    int (*volatile add)(int, ...) = sum;
    qsort(a, 5, sizeof *a, compare);
    for (int i = 0; i < 5; i++)
        assert(a[i] == i + 1);
    int code = setjmp(env);
    if (code == 0)
        jump(&env, 3);
    assert(code == 5);
    assert(add(3, 1, 2, 3) == 6);
    return arg;
}

static void at_exit(void) { assert(comparisons >= 14); }

int main(void) {
    pthread_t a, b;
    assert(atexit(at_exit) == 0);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
