struct node {
    struct node *next;
    int value;
};
void stack_push(struct node *n);
struct node *stack_pop(void);
