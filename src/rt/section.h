// Included first into every file of the runtime: its code goes into a section of
// its own, so that stack walks can tell it from the program's.
//
// Functions that stand for libc's have another one: most programs call few of them, and a process that is forked for a run has to
// find again each piece of code that it comes to.
#ifdef TSLRT_FOR_LIBC
#pragma clang section text = "teasel_libc"
#else
#pragma clang section text = "teasel_text"
#endif
