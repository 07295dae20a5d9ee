/* Checking descriptors of kernels. */
#include "sim/descriptor.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim/coro/coro.h"
#include "sim/error.h"

/* What is looked at: the descriptor and where its object lies. */
struct check {
    const struct wg_kernel *desc;
    const char *name; /* in messages */
    bool loaded;      /* else all of the program's memory will do */
    ElfW(Addr) base;  /* of the object */
    const ElfW(Phdr) * segments;
    size_t segment_count;
    bool vars[WG_MAX_VARS], overrides[WG_MAX_OVERRIDES]; /* by id: there is one */
    bool *sites;
    struct wgsim_error *err;
};

static int damaged(const struct check *check, const char *what) {
    return error_set(check->err, "%s: damaged kernel: %s", check->name, what);
}

/* ---- Where things lie ---- */

/* Bytes from an address to the end of the segment that has it, with all of those flags; 0: none
 * has. */
static size_t room_at(const struct check *check, uintptr_t address, uint32_t flags) {
    if (!check->loaded)
        return address ? SIZE_MAX : 0;
    for (size_t i = 0; i < check->segment_count; i++) {
        const ElfW(Phdr) *segment = &check->segments[i];
        uintptr_t start = check->base + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && (segment->p_flags & flags) == flags && address >= start &&
            address - start < segment->p_memsz)
            return segment->p_memsz - (address - start);
    }
    return 0;
}

static bool is_text(const struct check *check, const char *text) {
    size_t room = room_at(check, (uintptr_t)text, PF_R);

    return room && (!check->loaded || memchr(text, 0, room));
}

/* A text that need not be there. */
static bool is_text_or_none(const struct check *check, const char *text) {
    return !text || is_text(check, text);
}

/* An array of whole elements, none perhaps, from one pointer to another. */
static bool is_list(const struct check *check, const void *from, const void *to, size_t size,
                    size_t align) {
    uintptr_t first = (uintptr_t)from, end = (uintptr_t)to;

    if (first == end)
        return true;
    return first < end && first % align == 0 && (end - first) % size == 0 &&
           end - first <= room_at(check, first, PF_R);
}
#define IS_LIST(check, from, to)                                                                   \
    is_list(check, from, to, sizeof *(from), _Alignof(__typeof__(*(from))))

/* Takes any pointer to a function, by its bytes: C has no other conversion. */
static bool is_code(const struct check *check, const void *pointer_to_function) {
    uintptr_t address;

    memcpy(&address, pointer_to_function, sizeof address);
    return room_at(check, address, PF_X);
}

/* ---- What it declares ---- */

static int take_id(const struct check *check, bool *taken, uint32_t id, const char *what) {
    if (taken[id])
        return damaged(check, what);
    taken[id] = true;
    return 0;
}

/* Elements are printed and compared by their scalars. */
static bool has_sane_elements(const struct wg_var *var) {
    static const uint8_t bytes[] = {
        [WG_U32] = 4, [WG_I32] = 4, [WG_F32] = 4, [WG_F16] = 2, [WG_BOOL] = 4};

    if (var->element_bytes == 0 || var->stride < var->element_bytes)
        return false;
    if (var->scalar == WG_STRUCT)
        return var->components == 0;
    return var->scalar < WG_STRUCT && var->components >= 1 && var->components <= 4 &&
           var->element_bytes == (uint32_t)bytes[var->scalar] * var->components;
}

static int check_var(struct check *check, const struct wg_var *var) {
    if (var->id >= WG_MAX_VARS)
        return error_set(check->err, "%s: more than %d variables", check->name, WG_MAX_VARS);
    if (!is_text(check, var->name) || !is_text(check, var->type))
        return damaged(check, "a variable's name is not in it");
    if (var->space > WG_SPACE_WORKGROUP || !has_sane_elements(var))
        return damaged(check, "a variable has a type that there is not");
    if (var->count && !is_code(check, &var->count))
        return damaged(check, "a variable's count is not in it");
    return take_id(check, check->vars, var->id, "two variables have one id");
}

static int check_override(struct check *check, const struct wg_override *override) {
    if (override->id >= WG_MAX_OVERRIDES)
        return error_set(check->err, "%s: more than %d overrides", check->name, WG_MAX_OVERRIDES);
    if (!is_text(check, override->name) || !is_text_or_none(check, override->summary))
        return damaged(check, "an override's name is not in it");
    if (override->type > WG_BOOL)
        return damaged(check, "an override has a type that there is not");
    return take_id(check, check->overrides, override->id, "two overrides have one id");
}

/* A list of ids has an end inside. */
static bool has_sane_uses(const struct check *check, const uint32_t *uses) {
    size_t room = room_at(check, (uintptr_t)uses, PF_R) / sizeof *uses;

    if (!uses)
        return true;
    if ((uintptr_t)uses % sizeof *uses)
        return false;
    for (size_t i = 0; i < room; i++) {
        if (uses[i] == WG_VAR_DYNAMIC)
            return true;
        if (uses[i] >= WG_MAX_VARS || !check->vars[uses[i]])
            return false;
    }
    return false;
}

static int check_entry(const struct check *check, const struct wg_entry *entry) {
    enum { WIDEST = 128 };
    uint32_t width = entry->subgroup_size;

    if (!is_text(check, entry->name))
        return damaged(check, "an entry point's name is not in it");
    if (!is_code(check, &entry->run) || !is_code(check, &entry->size))
        return damaged(check, "an entry point's code is not in it");
    if (!has_sane_uses(check, entry->uses))
        return damaged(check, "an entry point uses a variable that is not in it");
    if (width > WIDEST || (width & (width - 1)))
        return damaged(check, "an entry point has a subgroup size that there is not");
    return 0;
}

static int check_site(const struct check *check, const struct wg_site *site) {
    enum { VECTOR_BYTES = 16 };

    if (site->id >= DESCRIPTOR_SITES)
        return error_set(check->err, "%s: more than %d places of access", check->name,
                         DESCRIPTOR_SITES);
    if (!is_text(check, site->file) || !is_text(check, site->text) ||
        !is_text(check, site->variable))
        return damaged(check, "a text of a place of access is not in it");
    if (site->op > WG_OP_ARITHMETIC || site->space > WG_SPACE_WORKGROUP)
        return damaged(check, "a place of access does what there is not");
    if (site->var != WG_VAR_DYNAMIC && (site->var >= WG_MAX_VARS || !check->vars[site->var]))
        return damaged(check, "a place of access is to a variable that is not in it");
    if (site->vector_bytes &&
        (site->vector_bytes < site->bytes || site->vector_bytes > VECTOR_BYTES))
        return damaged(check, "a place of access has a width that there is not");
    return take_id(check, check->sites, site->id, "two places of access have one id");
}

/* ---- The whole ---- */

static int check_abi(const struct wg_kernel *desc, const char *name, struct wgsim_error *err) {
    if ((desc->abi & 0xffff) != WGSIM_KERNEL_ABI)
        return error_set(err,
                         "%s: built for kernel interface %u, this wgsim has %d: compile it again",
                         name, desc->abi & 0xffff, WGSIM_KERNEL_ABI);
    if ((coro_abi & WG_ABI_CALLED_SWITCH) && !(desc->abi & WG_ABI_CALLED_SWITCH))
        return error_set(
            err, "%s: compiled with the inlined switch, which this wgsim cannot resume", name);
    return 0;
}

static int check_lists(const struct check *check) {
    const struct wg_kernel *desc = check->desc;

    if (!IS_LIST(check, desc->sites, desc->sites_end) ||
        !IS_LIST(check, desc->vars, desc->vars_end) ||
        !IS_LIST(check, desc->overrides, desc->overrides_end) ||
        !IS_LIST(check, desc->entries, desc->entries_end))
        return damaged(check, "a list is not in it");
    if (desc->entries == desc->entries_end)
        return error_set(check->err, "%s: has no entry point", check->name);
    return 0;
}

static int check_kernel(const struct check *check) {
    const struct wg_kernel *desc = check->desc;

    if (!is_text(check, desc->name) || !is_text(check, desc->source) ||
        !is_text_or_none(check, desc->summary))
        return damaged(check, "its name is not in it");
    if ((desc->plan && !is_code(check, &desc->plan)) ||
        (desc->check && !is_code(check, &desc->check)))
        return damaged(check, "its plan or check is not in it");
    return check_lists(check);
}

static int check_all(struct check *check) {
    const struct wg_kernel *desc = check->desc;

    if (check_kernel(check) < 0)
        return -1;
    for (const struct wg_var *var = desc->vars; var < desc->vars_end; var++)
        if (check_var(check, var) < 0)
            return -1;
    for (const struct wg_override *o = desc->overrides; o < desc->overrides_end; o++)
        if (check_override(check, o) < 0)
            return -1;
    for (const struct wg_entry *entry = desc->entries; entry < desc->entries_end; entry++)
        if (check_entry(check, entry) < 0)
            return -1;
    for (const struct wg_site *site = desc->sites; site < desc->sites_end; site++)
        if (check_site(check, site) < 0)
            return -1;
    return 0;
}

/* Called for each object of the process, until it is the one. */
static int find_segments(struct dl_phdr_info *info, size_t size, void *self) {
    struct check *check = self;

    (void)size;
    if (info->dlpi_addr != check->base)
        return 0;
    check->segments = info->dlpi_phdr;
    check->segment_count = info->dlpi_phnum;
    return IS_LIST(check, check->desc, check->desc + 1); /* another may have the same base */
}

int descriptor_check(const struct wg_kernel *desc, void *handle, const char *name,
                     struct wgsim_error *err) {
    struct check check = {.desc = desc, .name = name, .loaded = handle, .err = err};
    struct link_map *map;

    if (handle) {
        if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0)
            return error_set(err, "%s", dlerror());
        check.base = map->l_addr;
        dl_iterate_phdr(find_segments, &check);
    }
    if (!IS_LIST(&check, desc, desc + 1))
        return damaged(&check, "its descriptor is not in it");
    if (check_abi(desc, name, err) < 0)
        return -1;
    check.sites = calloc(DESCRIPTOR_SITES, sizeof *check.sites);
    if (!check.sites)
        return error_set(err, "out of memory");
    int result = check_all(&check);
    free(check.sites);
    return result;
}
