// Reads response files; see respfile.h.
#include "cc/respfile.h"

#include <ctype.h>

#include "base/file.h"

#define MAX_DEPTH 16 // stops a file that names itself

// Takes the next word from *at; NULL at the end.
static char *next_word(const char **at, const char *end) {
    const char *p = *at;
    tsl_buf word = {0};
    char quote = 0;
    while (p < end && isspace((unsigned char)*p))
        p++;
    if (p == end)
        return NULL;
    for (; p < end && (quote || !isspace((unsigned char)*p)); p++) {
        if (*p == '\\' && p + 1 < end)
            tsl_buf_putc(&word, *++p);
        else if (quote ? *p == quote : *p == '\'' || *p == '"')
            quote = quote ? 0 : *p;
        else
            tsl_buf_putc(&word, *p);
    }
    *at = p;
    return word.data ? tsl_buf_take(&word) : tsl_strdup("");
}

bool tsl_respfile_expand(tsl_cc_words *out, const char *word, int depth, tsl_err *err) {
    char *bytes;
    size_t len;
    if (word[0] != '@' || !tsl_file_read(word + 1, &bytes, &len, NULL)) {
        tsl_vec_push(out, word);
        return true;
    }
    if (depth == MAX_DEPTH)
        return tsl_fail(err, TSL_EUSAGE, "%s: response files name each other too deeply", word);
    const char *at = bytes;
    bool ok = true;
    for (char *next; ok && (next = next_word(&at, bytes + len));)
        ok = tsl_respfile_expand(out, next, depth + 1, err);
    tsl_free(bytes);
    return ok;
}
