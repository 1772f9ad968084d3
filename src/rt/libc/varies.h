// Results of libc that may differ from run to run; see varies.c.
#ifndef TSLRT_LIBC_VARIES_H
#define TSLRT_LIBC_VARIES_H

#include <stdbool.h>
#include <time.h>

#include "abi/libc.h"

#define TSLRT_MAX_NAMELESS 32
#define TSLRT_MAX_MADE 32
#define TSLRT_MAX_DEVICES 8

// Of the process: files outside.
typedef struct tslrt_world {
    struct timespec born; // the real time before the first run, as stamps of files have it
    uint32_t ndevices;
    struct {
        uint64_t number;
        bool of_system;
    } devices[TSLRT_MAX_DEVICES]; // of files that were opened
} tslrt_world;

void tslrt_world_begin(void); // world.c: the program is about to begin

// Does an argument of the function name a file that it looks at?
bool tslrt_names_file(const tsl_libc *row);

// A call whose result depends on the world outside begins, or has succeeded.  Weakens the claim, or
// makes the result the same in every run.
void tslrt_varies_before(const tsl_libc *row, const uint64_t *args, uint32_t site);
void tslrt_varies_after(const tsl_libc *row, const uint64_t *args, uint32_t site);
// The kernel's clock, called without libc.
void tslrt_varies_if_vdso(const void *function, uint32_t site);

// The program gets an address from accept or recvfrom, or a message with address and control data.
struct sockaddr;
struct msghdr;
void tslrt_varies_address(const struct sockaddr *address, uint32_t size, uint32_t site);
void tslrt_varies_message(const struct msghdr *message, uint32_t site);

// A file was opened.  Random devices are replaced behind the same descriptor; files whose contents
// may differ from run to run weaken the claim.
struct stat;
void tslrt_varies_opened(int fd, const struct stat *st, const char *path, int flags);
// The runtime has made up this name for the program; a name that had to be free was taken.
void tslrt_varies_made(const char *path);
void tslrt_varies_taken(int dir, const char *path);

#endif
