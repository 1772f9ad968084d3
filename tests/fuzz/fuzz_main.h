// A main function for a fuzz target without a fuzzer: runs it once on every file named by the
// arguments.
#ifndef TSL_FUZZ_MAIN_H
#define TSL_FUZZ_MAIN_H

#include <dirent.h>
#include <stdio.h>

#include "base/file.h"
#include "base/mem.h"

static bool run_file(const char *path) {
    char *bytes = NULL;
    size_t len = 0;
    tsl_err err = {0};
    if (!tsl_file_read(path, &bytes, &len, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return false;
    }
    LLVMFuzzerTestOneInput((const uint8_t *)bytes, len);
    tsl_free(bytes);
    return true;
}

static unsigned run_dir(DIR *dir, const char *path) {
    unsigned files = 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        char *file = tsl_asprintf("%s/%s", path, entry->d_name);
        files += run_file(file);
        tsl_free(file);
    }
    return files;
}

int main(int argc, char **argv) {
    unsigned files = 0;
    for (int i = 1; i < argc; i++) {
        DIR *dir = opendir(argv[i]);
        files += dir ? run_dir(dir, argv[i]) : run_file(argv[i]);
        if (dir)
            closedir(dir);
    }
    printf("%u files\n", files);
    return files ? 0 : 1; // an empty corpus means that the path is wrong
}

#endif
