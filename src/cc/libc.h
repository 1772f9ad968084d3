// Does the place of a call have to tell what the function touches?
//
// By the table of libc (abi/libc.def) alone: the compiler knows the name and nothing else.
#ifndef TSL_CC_LIBC_H
#define TSL_CC_LIBC_H

// Of enum tsl_tells.  A function that is not in the table may be anything: it tells before the call.
unsigned tsl_libc_tells(const char *name);

#endif
