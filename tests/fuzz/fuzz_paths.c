// Fuzz entry of the paths-file parser.
//
// Whatever it accepts must format to a text that parses to the same text again;
// whatever it refuses must leave an empty list and a one-line message.
//
//     clang-19 -fsanitize=fuzzer,address ...      under libFuzzer
//     cc -DTSL_FUZZ_MAIN ... && ./fuzz DIR|FILE   every file once, no fuzzer needed
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "trace/paths.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_accepted(const tsl_paths *paths) {
    tsl_buf first = {0}, second = {0};
    tsl_paths again = {0};
    tsl_err err = {0};
    tsl_paths_format(paths, &first);
    bool ok = tsl_paths_parse("again", first.data, first.len, &again, &err);
    TSL_BUG_ON(!ok, "own text refused: %s\n%s", err.text, first.data);
    tsl_paths_format(&again, &second);
    TSL_BUG_ON(strcmp(first.data, second.data) != 0, "%s---\n%s", first.data, second.data);
    tsl_paths_drop(&again);
    tsl_buf_drop(&first);
    tsl_buf_drop(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tsl_paths paths = {0};
    tsl_err err = {0};
    if (tsl_paths_parse("fuzz", (const char *)data, size, &paths, &err)) {
        check_accepted(&paths);
    } else {
        TSL_BUG_ON(err.code == TSL_EOK || strchr(err.text, '\n'), "message: %s", err.text);
        TSL_BUG_ON(paths.program || paths.list.len, "left over: %s", err.text);
    }
    tsl_paths_drop(&paths);
    return 0;
}

#ifdef TSL_FUZZ_MAIN
#include "fuzz_main.h"
#endif
