// What main is given: its arguments and its environment.
//
// The program may change its arguments, so each run gets a copy, at the top of main's stack where
// the kernel would have put them.  If part of an argument is an input, it follows the given text.
// Variables of the environment that are inputs lie below, with an environment that lists them; its
// other strings are the process's own.
#include <string.h>

#include "quick.h"

extern char **environ;

static char *take(uintptr_t *top, size_t size, size_t align) {
    *top = (*top - size) & ~(uintptr_t)(align - 1);
    return (char *)*top;
}

// ---------------------------------------------------------------- arguments

// The number of the input that follows the text of argv[place], or -1.
static int input_behind(size_t place) {
    const tsl_outside *o;
    for (unsigned i = 0; (o = tslrt_outside_at(i)); i++)
        if (o->kind == TSL_OUTSIDE_ARG && o->place == place)
            return (int)i;
    return -1;
}

static size_t argument_size(size_t place) {
    int input = input_behind(place);
    return strlen(tslrt->program.argv[place]) +
           (input < 0 ? 0 : tslrt_outside_at((unsigned)input)->size) + 1;
}

static void put_argument(size_t place, char *to) {
    int input = input_behind(place);
    size_t n = strlen(tslrt->program.argv[place]);
    memcpy(to, tslrt->program.argv[place], n);
    if (input >= 0) {
        tslrt_outside_put((unsigned)input, to + n);
        n += tslrt_outside_at((unsigned)input)->size;
    }
    to[n] = 0;
}

static char **copy_arguments(uintptr_t *top) {
    size_t bytes = 0, count = (size_t)tslrt->program.argc;
    for (size_t i = 0; i < count; i++)
        bytes += argument_size(i);
    char *text = take(top, bytes, 1);
    char **argv = (char **)take(top, ((count + 2) & ~1ul) * sizeof(char *), 16);
    for (size_t i = 0; i < count; i++) {
        argv[i] = text;
        put_argument(i, text);
        text += argument_size(i);
    }
    argv[count] = NULL;
    return argv;
}

// ---------------------------------------------------------------- environment

static bool is_of(const char *entry, const char *name) {
    size_t n = strlen(name);
    return strncmp(entry, name, n) == 0 && entry[n] == '=';
}

static bool is_input(const char *entry) {
    const tsl_outside *o;
    for (unsigned i = 0; (o = tslrt_outside_at(i)); i++)
        if (o->kind == TSL_OUTSIDE_ENV && is_of(entry, o->name))
            return true;
    return false;
}

static char *make_variable(unsigned input, uintptr_t *top) {
    const tsl_outside *o = tslrt_outside_at(input);
    size_t n = strlen(o->name);
    char *text = take(top, n + 1 + o->size + 1, 1);
    memcpy(text, o->name, n);
    text[n] = '=';
    tslrt_outside_put(input, text + n + 1);
    text[n + 1 + o->size] = 0;
    return text;
}

static char **make_environment(uintptr_t *top) {
    char *made[TSL_MAX_OUTSIDE];
    unsigned inputs = 0, others = 0;
    const tsl_outside *o;
    for (unsigned i = 0; (o = tslrt_outside_at(i)); i++)
        if (o->kind == TSL_OUTSIDE_ENV)
            made[inputs++] = make_variable(i, top);
    if (!inputs)
        return tslrt->program.envp;
    for (char **e = tslrt->program.envp; *e; e++)
        others += !is_input(*e);
    char **envp = (char **)take(top, (others + inputs + 1) * sizeof(char *), 16), **to = envp;
    for (char **e = tslrt->program.envp; *e; e++)
        if (!is_input(*e))
            *to++ = *e;
    memcpy(to, made, inputs * sizeof *made);
    to[inputs] = NULL;
    environ = envp;
    tslrt_wrote(&environ, sizeof environ);
    return envp;
}

uintptr_t tslrt_arguments(uintptr_t high, char ***argv, char ***envp) {
    *argv = copy_arguments(&high);
    *envp = make_environment(&high);
    return high & ~15ul;
}
