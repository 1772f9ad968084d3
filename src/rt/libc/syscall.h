// Raw system calls.
#ifndef TSLRT_LIBC_SYSCALL_H
#define TSLRT_LIBC_SYSCALL_H

void tslrt_raw_states(void); // the program has some: notes which hidden state they may change

#endif
