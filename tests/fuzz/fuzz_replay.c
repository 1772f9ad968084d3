// Fuzz target for the parser of replay files.
//
// What it accepts must be written as a text that is read and written as the same text again.  What
// it refuses must leave an empty replay and a message of one line.
//
//     clang-19 -fsanitize=fuzzer,address ...      under libFuzzer
//     cc -DTSL_FUZZ_MAIN ... && ./fuzz DIR|FILE   every file once, no fuzzer needed
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "trace/replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_accepted(const tsl_replay *replay) {
    tsl_buf first = {0}, second = {0};
    tsl_replay again;
    tsl_err err = {0};
    tsl_replay_format(replay, &first);
    tsl_replay_init(&again);
    bool ok = tsl_replay_parse("again", first.data, first.len, &again, &err);
    TSL_BUG_ON(!ok, "own text refused: %s\n%s", err.text, first.data);
    tsl_replay_format(&again, &second);
    TSL_BUG_ON(strcmp(first.data, second.data) != 0, "%s---\n%s", first.data, second.data);
    tsl_replay_drop(&again);
    tsl_buf_drop(&first);
    tsl_buf_drop(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tsl_replay replay;
    tsl_err err = {0};
    tsl_replay_init(&replay);
    if (tsl_replay_parse("fuzz", (const char *)data, size, &replay, &err)) {
        check_accepted(&replay);
    } else {
        TSL_BUG_ON(err.code == TSL_EOK || strchr(err.text, '\n'), "message: %s", err.text);
        TSL_BUG_ON(replay.program || replay.plan.items.len, "left over: %s", err.text);
    }
    tsl_replay_drop(&replay);
    return 0;
}

#ifdef TSL_FUZZ_MAIN
#include "fuzz_main.h"
#endif
