// What a call of libc touches: the shape of one row of libc.def.
//
// A row says which bytes the function reads, which bytes it has written when it returns, and which
// hidden state it uses.  One call is one step.  Hidden state and reads are told before the call;
// writes are told after it, when their length is known.  No other thread runs in between.
#ifndef TSL_ABI_LIBC_H
#define TSL_ABI_LIBC_H

#include <stdint.h>

enum { TSL_LIBC_ARGS = 8, TSL_LIBC_USES = 4, TSL_LIBC_RANGES = 7, TSL_LIBC_RESULT = 8 };

// Which part of the runtime tells what the call touches.
enum tsl_libc_by {
    TSL_LIBC_LIBC, // libc does the work; code at the call site tells
    TSL_LIBC_TOLD, // the runtime does the work, or calls libc; code at the call site tells
    TSL_LIBC_OWN,  // the runtime's function does the work and tells
};

// What a call returns if its writes have happened.
enum tsl_libc_ok {
    TSL_LIBC_ALWAYS,
    TSL_LIBC_ZERO,     // 0
    TSL_LIBC_NONZERO,  // anything but 0
    TSL_LIBC_NONNEG,   // an int not below 0
    TSL_LIBC_POSITIVE, // a long above 0
};

enum tsl_libc_flag {
    TSL_LIBC_BLOCKS =
        1u << 0, // may wait for something outside of the process or for another thread
    TSL_LIBC_CANCEL = 1u << 1,  // is a cancellation point
    TSL_LIBC_FOLLOWS = 1u << 2, // lets inputs through: what it stores and returns depends on them
    TSL_LIBC_QUIET = 1u << 3, // a function of the runtime: its events tell all it does (rt/await.c)
    TSL_LIBC_FROM_OUTSIDE = 1u << 4,   // after the call, memory may change without a step
    TSL_LIBC_CALLS_BACK = 1u << 5,     // calls functions of the program
    TSL_LIBC_PRINTS = 1u << 6,         // has a format, and reads strings that the format names
    TSL_LIBC_SCANS = 1u << 7,          // has a format, and stores what the format converts
    TSL_LIBC_REDIRECTS = 1u << 8,      // standard output may be another file from now on
    TSL_LIBC_VARIES = 1u << 9,         // its result may differ from run to run (rt/libc/varies.c)
    TSL_LIBC_CLOSES_OTHERS = 1u << 10, // closes descriptors that it is not given
    // A program with such a call can see the order in which descriptors were handed out, by their
    // numbers or because none was left.
    TSL_LIBC_TELLS_NUMBERS = 1u << 11,
    // With such a call, a file may have two names or another name than a stream was opened under,
    // or streams may be closed that are not known.
    TSL_LIBC_GIVES_NAMES = 1u << 12,
};

// How many bytes a range has.
enum tsl_libc_form {
    TSL_LIBC_NO_RANGE,
    TSL_LIBC_FIXED,      // `size`
    TSL_LIBC_ARG,        // argument x times `size`
    TSL_LIBC_TIMES,      // argument x times argument y
    TSL_LIBC_TEXT,       // elements of `size` up to the first 0, which is included
    TSL_LIBC_TEXT_UP_TO, // the same, but at most argument x elements
    TSL_LIBC_FOUND,      // up to the byte whose value is argument x, which is included
    TSL_LIBC_CHARACTER,  // one character of the locale, in at most argument x bytes
    TSL_LIBC_CHARACTERS, // a text; if argument y is there, x characters of it (wide: x bytes)
    TSL_LIBC_SUBJECT,    // of regexec: a text, or the part that the first match in argument x names
    TSL_LIBC_GOT,        // the result times `size`
    TSL_LIBC_GOT_TIMES,  // the result times argument x
    TSL_LIBC_GOT_TEXT,   // the result plus 1, times `size`
    TSL_LIBC_GOT_UP_TO,  // the same, but at most argument x elements
    TSL_LIBC_GOT_LENGTH, // the result, but at most argument x
    TSL_LIBC_GOT_IF,     // the result times `size`, if argument x is not 0
    TSL_LIBC_AT_LENGTH,  // the 32-bit number that argument x points to
    TSL_LIBC_WORDS,      // elements of `size` up to the first that begins with NULL, included
    TSL_LIBC_FAMILY,     // the size of an internet address of family x
    TSL_LIBC_PAGES,      // one for each page of argument x bytes
    TSL_LIBC_MESSAGE,    // `size` plus argument x
    TSL_LIBC_GOT_MESSAGE, // `size` plus the result
    TSL_LIBC_TEXTS,   // not the record there, but the texts its pointers lead to; x is its layout
    TSL_LIBC_ENTRY,   // the name in an entry of a folder
    TSL_LIBC_ENTRIES, // all entries that a call has just read into the folder in argument x
    TSL_LIBC_ZONE,    // the time zone's name in a struct tm, if the format in argument x wants it
};

enum tsl_libc_how {
    TSL_LIBC_READS = 1,
    TSL_LIBC_WRITES = 2,
    TSL_LIBC_BEHIND = 4, // not at the argument, but at the pointer it points to
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

// Hidden state of libc, or of what an argument points to or numbers (a stream, a descriptor).
enum tsl_libc_state {
    TSL_STATE_NONE,
#define TSL_STATE(name, safe, text) TSL_STATE_##name,
#include "states.def"
#undef TSL_STATE
    TSL_STATES
};

// Uses of hidden state that are not one access of one state.
enum tsl_libc_special {
    TSL_USE_IN = TSL_STATES, // a stream is read
    TSL_USE_OUT,             // a stream is printed to
    TSL_USE_MOVES,           // a stream's place in its file changes, after its buffer was written
    TSL_USE_OPENS,           // a file is opened, in the mode that an argument spells
    TSL_USE_OPENS_AS,        // a file is opened, with the flags in an argument
    TSL_USE_CONVERSION, // what conversion number `role` remembers; `arg` is none, or the argument
                        // that the call would use instead
    TSL_USE_THREAD,     // attributes of the calling thread
    TSL_USE_FINDS,      // the time zone, if no call has looked for it yet
    TSL_USE_SECONDS,    // the time zone, if the format in `arg` reads seconds since the epoch
};

// Stand for streams that are no argument.
enum { TSL_LIBC_STDIN = 100, TSL_LIBC_STDOUT, TSL_LIBC_STDERR };

typedef struct tsl_libc_use {
    uint8_t state; // of enum tsl_libc_state or tsl_libc_special
    uint8_t arg;   // of uses that are about an argument
    uint8_t role;  // of enum tsl_role
} tsl_libc_use;

typedef struct tsl_libc {
    char name[40]; // a pointer would be relocated in every process, and copied by every fork
    uint8_t by, class_, ok;
    uint16_t flags;
    tsl_libc_use uses[TSL_LIBC_USES];
    tsl_libc_range ranges[TSL_LIBC_RANGES];
} tsl_libc;

// Hidden objects, which have no address of their own; see conflict.h.
#define TSL_OBJECT_STATE 64u        // and the number of the state
#define TSL_OBJECT_DESCRIPTOR 4096u // and its number
#define TSL_OBJECT_FILE 0x8000u     // and fifteen bits that its name gives

#endif
