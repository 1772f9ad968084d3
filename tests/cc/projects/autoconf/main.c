#include "config.h"
#ifndef HAVE_PTHREAD_H
#error "configure did not find pthread.h"
#endif
#if SIZEOF_VOID_P != 8
#error "configure measured a pointer wrongly"
#endif
#include <pthread.h>
#include <stdio.h>

#include "stack.h"

static struct node nodes[4];

static void *push_two(void *arg) {
    struct node *n = arg;
    stack_push(&n[0]);
    stack_push(&n[1]);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int sum = 0;
    for (int i = 0; i < 4; i++)
        nodes[i].value = 1 << i;
    pthread_create(&a, NULL, push_two, &nodes[0]);
    pthread_create(&b, NULL, push_two, &nodes[2]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (struct node *n; (n = stack_pop());)
        sum += n->value;
    printf("sum %d\n", sum);
    return sum == 15 ? 0 : 1;
}
