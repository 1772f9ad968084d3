// Included first into every file of the runtime: its code goes into a section of
// its own, so that stack walks can tell it from the program's.
#pragma clang section text = "teasel_text"
