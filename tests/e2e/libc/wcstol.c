// wcstol reads the text that it is given: a store of another thread races with it, and what it finds is explored.
// teasel: strategies=optimal,dfs runs=2000 flags=--keep-going
// expect: race at=BUG_RACE
// expect: assertion at=BUG_FOUND
#include <assert.h>
#include <pthread.h>
#include <wchar.h>

static wchar_t text[] = L"1";

static void *store(void *arg) {
    text[0] = '2'; // BUG_RACE
    return arg;
}

int main(void) {
    pthread_t thread;
    int number = 0;
    pthread_create(&thread, NULL, store, NULL);
    number = (int)wcstol(text, NULL, 10); // BUG_RACE
    assert(number == 1);                  // BUG_FOUND
    pthread_join(thread, NULL);
    return 0;
}
