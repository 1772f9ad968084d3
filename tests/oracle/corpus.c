// Kept programs; see corpus.h.
#include "oracle/corpus.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"

static int is_program(const struct dirent *entry) {
    size_t len = strlen(entry->d_name);
    return len > 3 && strcmp(entry->d_name + len - 3, ".vm") == 0;
}

bool tsl_corpus_open(tsl_corpus *corpus, const char *folder, tsl_err *err) {
    struct dirent **entries = NULL;
    *corpus = (tsl_corpus){0};
    int n = scandir(folder, &entries, is_program, alphasort);
    if (n < 0)
        return tsl_fail(err, TSL_EIO, "no folder %s", folder);
    corpus->paths = tsl_alloc_array((size_t)n + 1, sizeof *corpus->paths);
    for (int i = 0; i < n; i++) {
        corpus->paths[corpus->n++] = tsl_asprintf("%s/%s", folder, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return true;
}

void tsl_corpus_drop(tsl_corpus *corpus) {
    for (size_t i = 0; i < corpus->n; i++)
        tsl_free(corpus->paths[i]);
    tsl_free(corpus->paths);
    *corpus = (tsl_corpus){0};
}

bool tsl_corpus_keep(const char *path, const tsl_vm_program *program, const char *why,
                     tsl_err *err) {
    tsl_buf text = {0};
    tsl_buf_add(&text, "# %s\n", why);
    tsl_vm_program_print(program, &text);
    bool ok = tsl_file_write_atomic(path, text.data, text.len, err);
    tsl_buf_drop(&text);
    return ok;
}
