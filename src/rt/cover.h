// Coverage: the map of counters, and the log of those that have counted.
#ifndef TSLRT_COVER_H
#define TSLRT_COVER_H

#include "abi/hooks.h"

void tslrt_cover_init(void);
void tslrt_cover_register(tsl_module *module);
void tslrt_cover_share(int fd, const tsl_wire *wire);
void tslrt_cover_publish(tsl_wire *wire, const tsl_module *module, uint32_t strings);
uint32_t tslrt_cover_log(void); // at the end of a run: returns how many have counted so far

#endif
