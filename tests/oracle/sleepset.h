// A strategy for the tests only: depth-first search with sleep sets.
#ifndef TSL_ORACLE_SLEEPSET_H
#define TSL_ORACLE_SLEEPSET_H

#include "explore/strategy.h"

extern const tsl_strategy_kind tsl_oracle_sleepset;

#endif
