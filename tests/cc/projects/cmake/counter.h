void counter_add(int n);
int counter_get(void);
int *counter_mine(void);
