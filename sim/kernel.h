/* A loaded kernel: the descriptor of a shared object, its sites by id, its entries and overrides by
 * name. */
#ifndef SIM_KERNEL_H
#define SIM_KERNEL_H

#include <stddef.h>

#include "wgsim/kernel.h"
#include "wgsim/wgsim.h"

struct kernel {
    const struct wg_kernel *desc;
    void *handle;
    const struct wg_site **sites; /* by id; NULL where an id is not used */
    size_t site_limit;            /* ids are below */
    const struct wg_var **vars;   /* by id */
    size_t var_limit;
    bool barriers; /* some site is a barrier */
    /* What workgroups do may depend on when others do what: it has atomics other than adds whose
     * result is unused (or other operations that commute, all of one kind), or prints. */
    bool order_matters;
};

/* Loads and checks a kernel object. The path needs a slash, or is looked up by the dynamic linker.
 */
int kernel_load(struct kernel *kernel, const char *path, struct wgsim_error *err);
/* The same of an object that was compiled from `source`: messages name that. */
int kernel_load_compiled(struct kernel *kernel, const char *path, const char *source,
                         struct wgsim_error *err);
/* Uses a descriptor that is part of the calling program. */
int kernel_init(struct kernel *kernel, const struct wg_kernel *desc, const char *name,
                struct wgsim_error *err);
void kernel_release(struct kernel *kernel);

static inline size_t kernel_entry_count(const struct kernel *k) {
    return (size_t)(k->desc->entries_end - k->desc->entries);
}
/* NULL name: the only entry. */
const struct wg_entry *kernel_entry(const struct kernel *kernel, const char *name,
                                    struct wgsim_error *err);
const struct wg_override *kernel_override(const struct kernel *kernel, const char *name);
const struct wg_var *kernel_var(const struct kernel *kernel, const char *name);
/* Whether an entry statically uses a variable. */
bool kernel_entry_uses(const struct wg_entry *entry, uint32_t var);

/* Default values of all overrides, by id; `values` has WG_MAX_OVERRIDES members. */
void kernel_defaults(const struct kernel *kernel, union wg_value *values);
/* Reads text as a value of the override's type. */
int kernel_parse_override(const struct wg_override *override, const char *text,
                          union wg_value *value, struct wgsim_error *err);

/* Bytes of an entry's workgroup variables for given overrides: the sum of their sizes, each rounded
 * up to
 * 16. Refuses sizes beyond 2^32. */
int kernel_workgroup_bytes(const struct kernel *kernel, const struct wg_entry *entry,
                           const union wg_value *overrides, uint64_t *bytes,
                           struct wgsim_error *err);
/* Elements of a workgroup variable for given overrides. */
uint64_t kernel_var_count(const struct wg_var *var, const union wg_value *overrides);
/* Workgroup size of an entry for given overrides. */
void kernel_workgroup_size(const struct wg_entry *entry, const union wg_value *overrides,
                           uint32_t size[3]);

#endif
