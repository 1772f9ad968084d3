// Included first into every file of the runtime: its code goes into a section of
// its own, so that stack walks can tell it from the program's.
//
// Functions that replace libc's have another section: most programs call few of them, and a process
// that is forked for a run takes a page fault for each page of code it comes to.
#ifdef TSLRT_FOR_LIBC
#pragma clang section text = "teasel_libc"
#else
#pragma clang section text = "teasel_text"
#endif
