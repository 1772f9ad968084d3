// Thread-local variables of a library that is not instrumented, found in two ways; and of a plugin.
#ifdef PLUGIN
#ifdef NEAR_PLUGIN
#define MODEL __attribute__((tls_model("initial-exec")))
#else
#define MODEL
#endif
static _Thread_local int value MODEL = 7;
void plugin_set(int n) { value = n; }
int plugin_get(void) { return value; }
#else
static _Thread_local int value, first = 42;
static _Thread_local int fixed __attribute__((tls_model("initial-exec")));
void library_set(int n) { value = n; }
int library_get(void) { return value; }
void library_set_static(int n) { fixed = n; }
int library_get_static(void) { return fixed; }
int library_first(void) { return first++; }
void *library_address(void) { return &value; }
#endif
