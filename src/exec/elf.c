// Reads ELF files.  The runtime's section `teasel_abi` has a magic number and the version.
#include "exec/elf.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/wire.h"

enum { MARK = 0x54534c31 };

static void read_build_id(Elf_Data *data, char build[129]) {
    size_t at = 0, name, desc;
    GElf_Nhdr note;
    while (data && (at = gelf_getnote(data, at, &note, &name, &desc)) > 0) {
        const unsigned char *bytes = (const unsigned char *)data->d_buf + desc;
        if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4)
            continue;
        for (size_t i = 0; i < note.n_descsz && i < 64; i++)
            sprintf(build + 2 * i, "%02x", bytes[i]);
    }
}

// Finds the version in the section `teasel_abi`, and the build id.
static uint32_t scan(Elf *elf, char build[129]) {
    uint32_t version = 0;
    size_t names;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return 0;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
        GElf_Shdr shdr;
        if (!gelf_getshdr(scn, &shdr))
            continue;
        const char *name = elf_strptr(elf, names, shdr.sh_name);
        if (shdr.sh_type == SHT_NOTE)
            read_build_id(elf_getdata(scn, NULL), build);
        if (!name || strcmp(name, "teasel_abi") != 0)
            continue;
        Elf_Data *data = elf_getdata(scn, NULL);
        if (data && data->d_size >= 8 && ((const uint32_t *)data->d_buf)[0] == MARK)
            version = ((const uint32_t *)data->d_buf)[1];
    }
    return version;
}

static bool check_elf(const char *path, Elf *elf, char build[129], tsl_err *err) {
    GElf_Ehdr ehdr;
    if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &ehdr))
        return tsl_fail(err, TSL_EINPUT,
                        "%s is not a program (not an ELF file); give a program "
                        "built with teasel-cc, or a .c file",
                        path);
    if (ehdr.e_type != ET_EXEC && ehdr.e_type != ET_DYN)
        return tsl_fail(err, TSL_EINPUT,
                        "%s is an object file, not a program; link it with teasel-cc first", path);
    uint32_t version = scan(elf, build);
    if (version == 0)
        return tsl_fail(err, TSL_EINPUT,
                        "%s is not instrumented; build and link it with teasel-cc "
                        "(for instance: make CC=teasel-cc)",
                        path);
    if (version != TSL_ABI_VERSION)
        return tsl_fail(err, TSL_EVERSION,
                        "%s was built by another version of teasel-cc (format "
                        "%u, this is %u); build it again",
                        path, version, TSL_ABI_VERSION);
    return true;
}

bool tsl_elf_check(const char *path, char build[129], tsl_err *err) {
    struct stat st;
    build[0] = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // does not wait for a pipe's writer
    if (fd < 0)
        return tsl_fail(err, TSL_EIO, "can't open %s: %s", path, strerror(errno));
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        close(fd);
        return tsl_fail(err, TSL_EINPUT, "%s is not a program: %s", path,
                        S_ISDIR(st.st_mode) ? "it is a directory" : "it is not a plain file");
    }
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    bool ok = check_elf(path, elf, build, err);
    elf_end(elf);
    close(fd);
    if (ok && access(path, X_OK) != 0)
        return tsl_fail(err, TSL_EIO, "%s can't be executed: %s", path, strerror(errno));
    return ok;
}
