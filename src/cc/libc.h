// Which hooks does a call of a function of libc need?
//
// The answer is in the table of libc (abi/libc.def); the compiler knows only the function's name.
#ifndef TSL_CC_LIBC_H
#define TSL_CC_LIBC_H

// Bits of enum tsl_tells.  A function that is not in the table may do anything: TSL_TELLS_BEFORE.
unsigned tsl_libc_tells(const char *name);

#endif
