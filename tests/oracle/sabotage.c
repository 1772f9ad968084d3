// Which rule is broken: the number in TSL_BREAK, read before main.  Only in builds with
// -DTSL_SABOTAGE.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/sabotage.h"
#include "base/num.h"

enum tsl_sabotage tsl_sabotage;

__attribute__((constructor)) static void choose_rule(void) {
    const char *text = getenv("TSL_BREAK");
    uint64_t number = TSL_BREAK_NOTHING;
    if (text &&
        (tsl_num_u64(text, strlen(text), &number) != TSL_NUM_OK || number >= TSL_BREAK_COUNT)) {
        fprintf(stderr, "TSL_BREAK=%s is not the number of a rule (0 to %d)\n", text,
                TSL_BREAK_COUNT - 1);
        exit(99);
    }
    tsl_sabotage = (enum tsl_sabotage)number;
}
