// Where a stream reads from.
#ifndef TSLRT_STREAM_H
#define TSLRT_STREAM_H

#include <stdio.h>

#include "../rt.h"

// What the next character of a stream is of.
tslrt_source tslrt_stream_source(FILE *file);
// How many bytes were read since.
size_t tslrt_stream_read(FILE *file, tslrt_source from);

// lockfile.c: waits while another thread holds the stream.
void tslrt_file_wait(FILE *file, uint32_t site);

#endif
