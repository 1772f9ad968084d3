// Which function does a program get that looks one up by name?
//
// With RTLD_NEXT, or with a handle of dlopen, dlsym finds libc's own function.  If the runtime has
// a function of that name, libc's would bypass the runtime, and work on objects that only the
// runtime understands.  So the program gets the runtime's.
#include <dlfcn.h>

#include "../census.h"
#include "../image.h"
#include "ranges.h"

// The program defines a function of that name itself, so the runtime's is not linked.
static void *given_as_it_is(void *found, const char *name) {
    const tsl_libc *row = tsl_libc_find(name);
    if (row && row->by == TSL_LIBC_OWN)
        tslrt_weaken(
            TSL_REASON_UNCONTROLLED,
            "the program defines %s itself and looks up that of libc, which is not controlled",
            name);
    return found;
}

__attribute__((visibility("default"))) void *__teasel_found(void *found, const char *name) {
    if (!found || tslrt_is_runtime(found) || tslrt_is_instrumented(found) ||
        !tslrt_is_of_libc(found))
        return found;
    void *first = dlsym(RTLD_DEFAULT, name);
    if (!first || first == found)
        return found;
    return tslrt_is_runtime(first) ? first : given_as_it_is(found, name);
}
