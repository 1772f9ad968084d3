// depth_3.c with two preemptions at most: nothing is wrong.
// teasel: strategies=optimal flags=--bound-preemptions,2
// expect: clean
// expect: verdict ~ complete up to 2 preemptions
#include "depth_3.c"
