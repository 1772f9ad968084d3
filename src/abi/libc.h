// What a call of libc touches: the shape of one row of libc.def.
//
// A row says which bytes the function reads before it returns and which it has written when it returns, and which
// hidden state it uses.  One call is one step: hidden state and reads are told before the call, writes after it,
// because only then it is known how far they reach; no other thread runs in between.
#ifndef TSL_ABI_LIBC_H
#define TSL_ABI_LIBC_H

#include <stdint.h>

enum { TSL_LIBC_ARGS = 8, TSL_LIBC_USES = 4, TSL_LIBC_RANGES = 7, TSL_LIBC_RESULT = 8 };

// Who says what the call touches.
enum tsl_libc_by {
    TSL_LIBC_LIBC, // libc does the work; the place of the call tells
    TSL_LIBC_TOLD, // the runtime does the work, or calls libc; the place of the call tells
    TSL_LIBC_OWN,  // the runtime does the work and tells it itself
};

// When the writes of a call have happened, by what it returned.
enum tsl_libc_ok {
    TSL_LIBC_ALWAYS,
    TSL_LIBC_ZERO,     // it returned 0
    TSL_LIBC_NONZERO,  // or anything else
    TSL_LIBC_NONNEG,   // as an int, not below 0
    TSL_LIBC_POSITIVE, // as a long, above 0
};

enum tsl_libc_flag {
    TSL_LIBC_BLOCKS =
        1u << 0, // may wait for something outside of the process or for another thread
    TSL_LIBC_CANCEL = 1u << 1,  // is a cancellation point
    TSL_LIBC_FOLLOWS = 1u << 2, // lets inputs through: what it stores and returns depends on them
    TSL_LIBC_QUIET = 1u << 3, // of the runtime: does nothing but what its events tell (rt/await.c)
    TSL_LIBC_FROM_OUTSIDE = 1u << 4, // with it memory may change though no thread takes a step
    TSL_LIBC_CALLS_BACK = 1u << 5,   // calls functions of the program
    TSL_LIBC_PRINTS = 1u << 6,       // has a format: its strings are read
    TSL_LIBC_SCANS = 1u << 7,        // has a format: its conversions are stored
    TSL_LIBC_REDIRECTS = 1u << 8,    // standard output may be something else from now on
    TSL_LIBC_VARIES =
        1u << 9, // what it tells may be something else in every run (rt/libc/varies.c)
};

// How many bytes a range has.
enum tsl_libc_form {
    TSL_LIBC_NO_RANGE,
    TSL_LIBC_FIXED,      // `size`
    TSL_LIBC_ARG,        // argument x times `size`
    TSL_LIBC_TIMES,      // argument x times argument y
    TSL_LIBC_TEXT,       // up to and with the first 0, in elements of `size`
    TSL_LIBC_TEXT_UP_TO, // and not more than argument x elements
    TSL_LIBC_FOUND,      // up to and with the byte that argument x is
    TSL_LIBC_CHARACTER,  // one character of the locale, in not more than argument x bytes
    TSL_LIBC_CHARACTERS, // a text, of which x characters are wanted if argument y is there; if it is wide, x bytes of them
    TSL_LIBC_SUBJECT, // of regexec: a text, or as much of it as the first match in argument x says
    TSL_LIBC_GOT,     // the result times `size`
    TSL_LIBC_GOT_TIMES,   // the result times argument x
    TSL_LIBC_GOT_TEXT,    // the result and one more, times `size`
    TSL_LIBC_GOT_UP_TO,   // as before, but not more than argument x elements
    TSL_LIBC_GOT_LENGTH,  // the result, but not more than argument x
    TSL_LIBC_GOT_IF,      // the result times `size`, if argument x is not 0
    TSL_LIBC_AT_LENGTH,   // so many bytes as the 32-bit word says that argument x points to
    TSL_LIBC_WORDS,       // elements of `size` up to and with the first that begins with a NULL
    TSL_LIBC_FAMILY,      // of an internet address; argument x is its family
    TSL_LIBC_PAGES,       // one for each page of argument x bytes
    TSL_LIBC_MESSAGE,     // `size` and argument x
    TSL_LIBC_GOT_MESSAGE, // `size` and the result
    TSL_LIBC_TEXTS, // not there, but all that the pointers of the record there lead to; x is its layout
    TSL_LIBC_ENTRY,   // the name in an entry of a folder
    TSL_LIBC_ENTRIES, // all entries that a call has read anew into the folder in argument x
    TSL_LIBC_ZONE,    // the time zone's name of a struct tm, if the format in argument x wants it
};

enum tsl_libc_how {
    TSL_LIBC_READS = 1,
    TSL_LIBC_WRITES = 2,
    TSL_LIBC_BEHIND = 4, // not at the argument but at what it points to
};

// Records whose texts lie together in memory of libc's own.
enum tsl_libc_layout {
    TSL_LAYOUT_PASSWD,
    TSL_LAYOUT_GROUP,
    TSL_LAYOUT_HOST,
    TSL_LAYOUT_SERVICE,
    TSL_LAYOUT_PROTOCOL,
    TSL_LAYOUT_NET,
    TSL_LAYOUT_MOUNT,
    TSL_LAYOUT_OPTIONS, // of a file system that is mounted
};

typedef struct tsl_libc_range {
    uint8_t arg; // or TSL_LIBC_RESULT
    uint8_t how; // of enum tsl_libc_how
    uint8_t form, x, y;
    uint16_t size;
} tsl_libc_range;

// Hidden state: one of libc's own, or that of what an argument points to or numbers.
enum tsl_libc_state {
    TSL_STATE_NONE,
#define TSL_STATE(name, safe, text) TSL_STATE_##name,
#include "states.def"
#undef TSL_STATE
    TSL_STATES
};

// Uses that are not one access of one state.
enum tsl_libc_special {
    TSL_USE_IN = TSL_STATES, // a stream is read
    TSL_USE_OUT,             // or printed to
    TSL_USE_MOVES,      // or its place in the file is changed, after what it held back was written
    TSL_USE_OPENS,      // a file is opened, in the mode that an argument spells
    TSL_USE_OPENS_AS,   // or with these flags
    TSL_USE_CONVERSION, // what a conversion remembers by itself, `role` says which; `arg` is none,
                        // or the argument that would be used instead
    TSL_USE_THREAD,     // attributes of the calling thread
    TSL_USE_FINDS,      // the time zone, if nobody has looked for it yet
    TSL_USE_SECONDS,    // the time zone, if the format in `arg` reads seconds since the epoch
};

// Streams that are no argument.
enum { TSL_LIBC_STDIN = 100, TSL_LIBC_STDOUT, TSL_LIBC_STDERR };

typedef struct tsl_libc_use {
    uint8_t state; // of enum tsl_libc_state or tsl_libc_special
    uint8_t arg;   // of those that are about an argument
    uint8_t role;  // of enum tsl_role
} tsl_libc_use;

typedef struct tsl_libc {
    char name
        [40]; // no pointer: the table would be relocated in every process, and copied by every fork
    uint8_t by, class_, ok;
    uint16_t flags;
    tsl_libc_use uses[TSL_LIBC_USES];
    tsl_libc_range ranges[TSL_LIBC_RANGES];
} tsl_libc;

// Objects without an address of their own, see conflict.h.
#define TSL_OBJECT_STATE 64u        // and the number of the state
#define TSL_OBJECT_DESCRIPTOR 4096u // and its number
#define TSL_OBJECT_FILE 0x8000u     // and fifteen bits that its name gives

#endif
