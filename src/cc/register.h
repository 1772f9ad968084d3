// How does the runtime learn of a module?
//
// Each object carries one tsl_module and a constructor that runs before all
// others and hands it to __teasel_register.
#ifndef TSL_CC_REGISTER_H
#define TSL_CC_REGISTER_H

#include "cc/weave.h"

void tsl_register_emit(tsl_weaver *w);

#endif
