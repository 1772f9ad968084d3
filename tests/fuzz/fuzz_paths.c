// Fuzz target for the parser of paths files.
//
// What it accepts must be written as a text that is read and written as the same text again.  What
// it refuses must leave an empty list and a message of one line.  Exported files must contain
// nothing that confuses a compiler or a terminal.
//
//     clang-19 -fsanitize=fuzzer,address ...      under libFuzzer
//     cc -DTSL_FUZZ_MAIN ... && ./fuzz DIR|FILE   every file once, no fuzzer needed
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "report/ctest.h"
#include "report/path.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_exported(const tsl_paths *paths) {
    tsl_buf out = {0};
    if (!paths->list.len)
        return;
    tsl_ctest(paths, &out);
    // The rest of the text has macros, with continued lines.
    size_t tables = (size_t)(strstr(out.data, "---- in the program") - out.data);
    for (size_t i = 0; i < out.len; i++)
        TSL_BUG_ON((out.data[i] < 0x20 && out.data[i] != '\n') || out.data[i] == 0x7f ||
                       (i < tables && out.data[i] == '\n' && i && out.data[i - 1] == '\\'),
                   "byte 0x%02x at %zu of\n%s", out.data[i], i, out.data);
    tsl_buf_clear(&out);
    for (size_t i = 0; i < paths->list.len; i++) {
        tsl_texts files = {0};
        tsl_path_files_of(&paths->list.data[i], &files);
        tsl_path_text(paths, i, &files, &out);
        for (size_t k = 0; k < files.len; k++)
            TSL_BUG_ON(!*files.data[k] || strpbrk(files.data[k], "/. \n"), "%s", files.data[k]);
        tsl_texts_drop(&files);
    }
    for (size_t i = 0; i < out.len; i++)
        TSL_BUG_ON((unsigned char)out.data[i] < 0x20 && out.data[i] != '\n', "%s", out.data);
    tsl_buf_drop(&out);
}

static void check_accepted(const tsl_paths *paths) {
    tsl_buf first = {0}, second = {0};
    tsl_paths again = {0};
    tsl_err err = {0};
    tsl_paths_format(paths, &first);
    bool ok = tsl_paths_parse("again", first.data, first.len, &again, &err);
    TSL_BUG_ON(!ok, "own text refused: %s\n%s", err.text, first.data);
    tsl_paths_format(&again, &second);
    TSL_BUG_ON(strcmp(first.data, second.data) != 0, "%s---\n%s", first.data, second.data);
    check_exported(&again);
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
