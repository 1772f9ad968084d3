// Sleep sets.
#ifndef TSLRT_SLEEP_H
#define TSLRT_SLEEP_H

void tslrt_sleep_begin(void);  // the prefix is used up: its last step is the first to wake a thread
void tslrt_sleep_update(void); // wakes the threads that the steps since then wake

#endif
