// Counts exit statuses of a campaign's runs; see exits.h.
#include "report/exits.h"

#include <inttypes.h>
#include <string.h>

#include "report/names.h"

// Keeps the last line that is not empty, because complaints come last.
static void keep_last_line(const tsl_trace_head *head, char *to, size_t room) {
    size_t end = head->output_bytes < TSL_OUTPUT ? head->output_bytes : TSL_OUTPUT;
    while (end && (head->output[end - 1] == '\n' || head->output[end - 1] == ' '))
        end--;
    size_t start = end;
    while (start && head->output[start - 1] != '\n')
        start--;
    size_t len = end - start < room - 1 ? end - start : room - 1;
    memcpy(to, head->output + start, len);
    to[len] = '\0';
}

void tsl_exits_add(tsl_exits *exits, const tsl_trace_head *head) {
    if (head->outcome != TSL_OUT_OK)
        return;
    exits->ended++;
    if (head->exit_status == 0)
        return;
    if (exits->failed++ == 0) {
        exits->status = head->exit_status;
        keep_last_line(head, exits->said, sizeof exits->said);
    } else if (head->exit_status != exits->status)
        exits->differ = true;
}

void tsl_exits_text(const tsl_exits *exits, tsl_buf *out) {
    if (!exits->failed)
        return;
    if (exits->failed == exits->ended)
        tsl_buf_puts(out, exits->ended == 1 ? "  the run" : "  every run");
    else
        tsl_buf_add(out, "  %" PRIu64 " of %" PRIu64 " runs", exits->failed, exits->ended);
    tsl_buf_add(out, " ended with %s %" PRId32 "; --fail-on-exit reports that as a bug\n",
                exits->differ ? "exit statuses other than 0, the first" : "exit status",
                exits->status);
    if (!exits->said[0])
        return;
    tsl_buf_puts(out, "    the last line it printed: ");
    tsl_names_clean(exits->said, strlen(exits->said), out);
    tsl_buf_putc(out, '\n');
}
