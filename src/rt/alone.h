// A program that is started without the tool: an ordinary run, or a replay.
#ifndef TSLRT_ALONE_H
#define TSLRT_ALONE_H

#include <stdnoreturn.h>

noreturn void tslrt_run_alone(const char *replay); // the path of a replay file, or NULL

#endif
