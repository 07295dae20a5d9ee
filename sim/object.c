/* Reading the symbol table of an ELF shared object. Only objects for this machine are of interest,
 * so ElfW types in its byte order suffice. */
#include "sim/object.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/buf.h"
#include "sim/error.h"
#include "sim/read_file.h"

struct object {
    const uint8_t *bytes;
    size_t length;
    const ElfW(Ehdr) * header;
    const ElfW(Shdr) * sections;
    const char *section_names;
    size_t section_names_length;
};

static bool inside(const struct object *object, uint64_t offset, uint64_t length) {
    return offset <= object->length && length <= object->length - offset;
}

/* The string at `offset` of a string table, or "" where it does not end inside. */
static const char *string_at(const char *table, size_t length, uint64_t offset) {
    if (offset >= length || !memchr(table + offset, 0, length - offset))
        return "";
    return table + offset;
}

static const char *section_name(const struct object *object, const ElfW(Shdr) * section) {
    return string_at(object->section_names, object->section_names_length, section->sh_name);
}

static int open_sections(struct object *object, const char *path, struct wgsim_error *err) {
    const ElfW(Ehdr) *header = (const void *)object->bytes;

    if (object->length < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
        return error_set(err, "%s: not a shared object", path);
    if (header->e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
        header->e_type != ET_DYN)
        return error_set(err, "%s: not a shared object for this machine", path);
    if (header->e_shentsize != sizeof(ElfW(Shdr)) || header->e_shoff % sizeof(uint64_t) ||
        !inside(object, header->e_shoff, (uint64_t)header->e_shnum * sizeof(ElfW(Shdr))) ||
        header->e_shstrndx >= header->e_shnum)
        return error_set(err, "%s: damaged shared object (section table)", path);
    object->header = header;
    object->sections = (const void *)(object->bytes + header->e_shoff);
    const ElfW(Shdr) *names = &object->sections[header->e_shstrndx];
    if (!inside(object, names->sh_offset, names->sh_size))
        return error_set(err, "%s: damaged shared object (section names)", path);
    object->section_names = (const char *)object->bytes + names->sh_offset;
    object->section_names_length = names->sh_size;
    return 0;
}

/* What the dynamic linker maps must be there: touching more than the file has is a SIGBUS. */
static int check_segments(const struct object *object, const char *path, struct wgsim_error *err) {
    const ElfW(Ehdr) *header = object->header;

    if (header->e_phentsize != sizeof(ElfW(Phdr)) || header->e_phoff % sizeof(uint64_t) ||
        !inside(object, header->e_phoff, (uint64_t)header->e_phnum * sizeof(ElfW(Phdr))))
        return error_set(err, "%s: damaged shared object (program headers)", path);
    const ElfW(Phdr) *segments = (const void *)(object->bytes + header->e_phoff);
    for (size_t i = 0; i < header->e_phnum; i++)
        if (!inside(object, segments[i].p_offset, segments[i].p_filesz) && segments[i].p_filesz)
            return error_set(err, "%s: damaged shared object (program headers)", path);
    return 0;
}

/* Sections that hold only what is constant once it is relocated, or what the linker made. */
static bool is_constant(const char *name) {
    static const char *const constant[] = {".data.rel.ro",    ".dynamic",    ".got",
                                           ".init_array",     ".fini_array", "wg_",
                                           ".tm_clone_table", ".eh_frame"};

    for (size_t i = 0; i < sizeof constant / sizeof constant[0]; i++)
        if (strncmp(name, constant[i], strlen(constant[i])) == 0)
            return true;
    return false;
}

/* Objects of the C runtime's start files. */
static bool is_runtime(const char *name) {
    static const char *const runtime[] = {"completed.", "__dso_handle", "__TMC_END__", "_edata",
                                          "_end",       "__bss_start",  "__data_start"};

    for (size_t i = 0; i < sizeof runtime / sizeof runtime[0]; i++)
        if (strncmp(name, runtime[i], strlen(runtime[i])) == 0)
            return true;
    return false;
}

/* Whether a symbol is of those that are looked for. */
typedef bool pick(const struct object *object, const ElfW(Sym) * symbol, const char *name);

static bool is_writable_object(const struct object *object, const ElfW(Sym) * symbol,
                               const char *name) {
    int type = ELF64_ST_TYPE(symbol->st_info);

    if ((type != STT_OBJECT && type != STT_TLS && type != STT_COMMON) ||
        symbol->st_shndx == SHN_UNDEF || is_runtime(name))
        return false;
    if (symbol->st_shndx == SHN_COMMON)
        return true;
    if (symbol->st_shndx >= object->header->e_shnum)
        return false;
    const ElfW(Shdr) *section = &object->sections[symbol->st_shndx];
    return (section->sh_flags & SHF_WRITE) && !is_constant(section_name(object, section));
}

/* A function from elsewhere that ends the program without a word, or goes on elsewhere than behind
 * its call: the engine would not get control back. Those that end it by a signal, as abort() and a
 * failed assert() do, are not among them: that is a crash, which is told. */
static bool is_way_out(const struct object *object, const ElfW(Sym) * symbol, const char *name) {
    static const char *const names[] = {
        "exit",       "_exit",         "_Exit",      "quick_exit", "daemon",        "err",
        "errx",       "verr",          "verrx",      "error",      "error_at_line", "pthread_exit",
        "thrd_exit",  "execl",         "execle",     "execlp",     "execv",         "execve",
        "execvp",     "execvpe",       "execveat",   "fexecve",    "longjmp",       "_longjmp",
        "siglongjmp", "__longjmp_chk", "setcontext", "swapcontext"};

    (void)object;
    for (size_t i = 0; symbol->st_shndx == SHN_UNDEF && i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

enum { NAMES_SHOWN = 5 };

/* Names the symbols of one table that are picked; returns how many there are, or -1 if it is
 * damaged. */
static long list_symbols(const struct object *object, const ElfW(Shdr) * table, pick *picked,
                         struct buf *names) {
    long found = 0;

    if (table->sh_link >= object->header->e_shnum || table->sh_entsize != sizeof(ElfW(Sym)) ||
        table->sh_offset % sizeof(uint64_t) || !inside(object, table->sh_offset, table->sh_size))
        return -1;
    const ElfW(Shdr) *strings = &object->sections[table->sh_link];
    if (!inside(object, strings->sh_offset, strings->sh_size))
        return -1;
    const ElfW(Sym) *symbols = (const void *)(object->bytes + table->sh_offset);
    for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++) {
        const char *name = string_at((const char *)object->bytes + strings->sh_offset,
                                     strings->sh_size, symbols[i].st_name);
        if (!picked(object, &symbols[i], name))
            continue;
        if (found++ < NAMES_SHOWN)
            buf_printf(names, "%s%s", names->len ? ", " : "", name);
    }
    return found;
}

/* What no symbol may be, by the type of the table that tells it. */
struct ban {
    uint32_t table;
    pick *picked;
    const char *what, *why;
};

static const struct ban bans[] = {
    {SHT_SYMTAB, is_writable_object, "defines writable objects",
     "kernels keep no state outside invocation, workgroup and storage memory"},
    {SHT_DYNSYM, is_way_out, "calls functions that do not come back",
     "kernels end by return alone"},
};

static int check_symbols(const struct object *object, const char *path, const struct ban *ban,
                         struct wgsim_error *err) {
    for (size_t i = 0; i < object->header->e_shnum; i++) {
        struct buf names = {0};
        if (object->sections[i].sh_type != ban->table)
            continue;
        long found = list_symbols(object, &object->sections[i], ban->picked, &names);
        if (found > 0)
            error_format(err, "%s: %s (%s%s): %s", path, ban->what, names.data ? names.data : "",
                         found > NAMES_SHOWN ? ", ..." : "", ban->why);
        else if (found < 0)
            error_format(err, "%s: damaged shared object (symbol table)", path);
        buf_release(&names);
        return found == 0 ? 0 : -1;
    }
    return 0;
}

/* A stripped object names nothing: more than the C runtime's own few bytes is refused all the same.
 */
static int check_sizes(const struct object *object, const char *path, struct wgsim_error *err) {
    for (size_t i = 0; i < object->header->e_shnum; i++) {
        const ElfW(Shdr) *section = &object->sections[i];
        const char *name = section_name(object, section);
        if ((section->sh_flags & SHF_WRITE) && !is_constant(name) && section->sh_size > 16)
            return error_set(err,
                             "%s: defines writable objects (%llu bytes in %s): kernels keep no "
                             "state outside invocation, workgroup and storage memory",
                             path, (unsigned long long)section->sh_size, name);
    }
    return 0;
}

static int check_object(const struct object *object, const char *path, struct wgsim_error *err) {
    for (size_t i = 0; i < sizeof bans / sizeof bans[0]; i++)
        if (check_symbols(object, path, &bans[i], err) < 0)
            return -1;
    return check_sizes(object, path, err);
}

int object_check(const char *path, struct wgsim_error *err) {
    struct object object = {0};
    struct stat status = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), result = -1;

    if (fd < 0)
        return error_set(err, "cannot read %s: %s", path, strerror(errno));
    fstat(fd, &status);
    if (check_regular(path, &status, err) < 0) {
        close(fd);
        return -1;
    }
    object.length = (size_t)status.st_size;
    void *bytes = object.length ? mmap(NULL, object.length, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
    close(fd);
    if (!bytes || bytes == MAP_FAILED)
        return error_set(err, "%s: not a shared object", path);
    object.bytes = bytes;
    if (open_sections(&object, path, err) == 0 && check_segments(&object, path, err) == 0)
        result = check_object(&object, path, err);
    munmap(bytes, object.length);
    return result;
}
