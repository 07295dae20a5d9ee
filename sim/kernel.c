/* Loading kernels. */
#include "sim/kernel.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/buf.h"
#include "sim/descriptor.h"
#include "sim/error.h"
#include "sim/object.h"

#define DESCRIPTOR_PREFIX "wgsim_kernel_"
enum { NEWEST_KNOWN_ABI = 99 };

/* An object built for another interface exports the symbol under another number. */
static int missing_descriptor(void *handle, const char *path, struct wgsim_error *err) {
    for (int abi = 1; abi <= NEWEST_KNOWN_ABI; abi++) {
        char symbol[40];
        snprintf(symbol, sizeof symbol, DESCRIPTOR_PREFIX "%d", abi);
        if (dlsym(handle, symbol))
            return error_set(
                err, "%s: built for kernel interface %d, this wgsim has %d: compile it again", path,
                abi, WGSIM_KERNEL_ABI);
    }
    return error_set(err,
                     "%s: not a wgsim kernel: no WG_KERNEL in it (symbol " DESCRIPTOR_PREFIX "%d)",
                     path, WGSIM_KERNEL_ABI);
}

static bool is_atomic(const struct wg_site *site) {
    return site->op >= WG_OP_ATOMIC_LOAD && site->op <= WG_OP_ATOMIC_COMPARE_EXCHANGE;
}

/* Whether the order in which a site and those before it are run cannot be told from the outside.
 * *atomics: the operation of the atomics so far; WG_OP_LOAD: there were none. */
static bool commutes(const struct wg_site *site, uint8_t *atomics) {
    if (site->op == WG_OP_PRINT)
        return false;
    if (!is_atomic(site))
        return true;
    uint8_t op = site->op == WG_OP_ATOMIC_SUB ? WG_OP_ATOMIC_ADD : site->op;
    if (!(site->flags & WG_SITE_UNUSED) || op < WG_OP_ATOMIC_ADD || op > WG_OP_ATOMIC_XOR)
        return false;
    if (*atomics != WG_OP_LOAD && *atomics != op)
        return false;
    *atomics = op;
    return true;
}

static int index_sites(struct kernel *kernel, struct wgsim_error *err) {
    const struct wg_kernel *desc = kernel->desc;
    uint8_t atomics = WG_OP_LOAD;

    for (const struct wg_site *site = desc->sites; site < desc->sites_end; site++)
        if (site->id >= kernel->site_limit)
            kernel->site_limit = site->id + 1;
    kernel->sites = calloc(kernel->site_limit + 1, sizeof *kernel->sites);
    if (!kernel->sites)
        return error_set(err, "out of memory");
    for (const struct wg_site *site = desc->sites; site < desc->sites_end; site++) {
        kernel->sites[site->id] = site;
        if (site->op >= WG_OP_WORKGROUP_BARRIER && site->op <= WG_OP_TEXTURE_BARRIER)
            kernel->barriers = true;
        if (!commutes(site, &atomics))
            kernel->order_matters = true;
    }
    return 0;
}

static int index_vars(struct kernel *kernel, struct wgsim_error *err) {
    const struct wg_kernel *desc = kernel->desc;

    kernel->vars = calloc(WG_MAX_VARS + 1, sizeof *kernel->vars);
    if (!kernel->vars)
        return error_set(err, "out of memory");
    for (const struct wg_var *var = desc->vars; var < desc->vars_end; var++) {
        kernel->vars[var->id] = var;
        if (var->id >= kernel->var_limit)
            kernel->var_limit = var->id + 1;
    }
    return 0;
}

/* handle: NULL for what is part of the program. */
static int index_kernel(struct kernel *kernel, const struct wg_kernel *desc, void *handle,
                        const char *name, struct wgsim_error *err) {
    *kernel = (struct kernel){.desc = desc};
    if (descriptor_check(desc, handle, name, err) < 0)
        return -1;
    if (index_sites(kernel, err) < 0 || index_vars(kernel, err) < 0) {
        kernel_release(kernel);
        return -1;
    }
    return 0;
}

int kernel_init(struct kernel *kernel, const struct wg_kernel *desc, const char *name,
                struct wgsim_error *err) {
    return index_kernel(kernel, desc, NULL, name, err);
}

int kernel_load(struct kernel *kernel, const char *path, struct wgsim_error *err) {
    *kernel = (struct kernel){0};
    if (object_check(path, err) < 0)
        return -1;
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return error_set(err, "%s", dlerror());
    const struct wg_kernel *desc = dlsym(handle, "wgsim_kernel_2");
    if ((desc ? index_kernel(kernel, desc, handle, path, err)
              : missing_descriptor(handle, path, err)) < 0) {
        dlclose(handle);
        return -1;
    }
    kernel->handle = handle;
    return 0;
}

int kernel_load_compiled(struct kernel *kernel, const char *path, const char *source,
                         struct wgsim_error *err) {
    struct wgsim_error why;
    size_t length = strlen(path);

    if (kernel_load(kernel, path, &why) == 0)
        return 0;
    if (strncmp(why.message, path, length) == 0)
        return error_set(err, "%s%s", source, why.message + length);
    return error_set(err, "%s", why.message);
}

void kernel_release(struct kernel *kernel) {
    free(kernel->sites);
    free(kernel->vars);
    if (kernel->handle)
        dlclose(kernel->handle);
    *kernel = (struct kernel){0};
}

/* name: NULL, or what no entry point is called. */
static void report_no_entry(const struct kernel *kernel, const char *name,
                            struct wgsim_error *err) {
    const struct wg_kernel *desc = kernel->desc;
    struct buf names = {0};

    for (const struct wg_entry *entry = desc->entries; entry < desc->entries_end; entry++)
        buf_printf(&names, "%s%s", names.len ? ", " : "", entry->name);
    if (name)
        error_format(err, "%s: entry point '%s' is none of %s", desc->name, name,
                     names.data ? names.data : "none");
    else
        error_format(err, "%s has %zu entry points, %s: name one (--entry)", desc->name,
                     kernel_entry_count(kernel), names.data ? names.data : "");
    buf_release(&names);
}

const struct wg_entry *kernel_entry(const struct kernel *kernel, const char *name,
                                    struct wgsim_error *err) {
    const struct wg_kernel *desc = kernel->desc;

    if (!name && kernel_entry_count(kernel) == 1)
        return desc->entries;
    for (const struct wg_entry *entry = desc->entries; name && entry < desc->entries_end; entry++)
        if (strcmp(entry->name, name) == 0)
            return entry;
    report_no_entry(kernel, name, err);
    return NULL;
}

const struct wg_override *kernel_override(const struct kernel *kernel, const char *name) {
    const struct wg_kernel *desc = kernel->desc;

    for (const struct wg_override *o = desc->overrides; o < desc->overrides_end; o++)
        if (strcmp(o->name, name) == 0)
            return o;
    return NULL;
}

const struct wg_var *kernel_var(const struct kernel *kernel, const char *name) {
    const struct wg_kernel *desc = kernel->desc;

    for (const struct wg_var *var = desc->vars; var < desc->vars_end; var++)
        if (strcmp(var->name, name) == 0)
            return var;
    return NULL;
}

bool kernel_entry_uses(const struct wg_entry *entry, uint32_t var) {
    if (!entry->uses)
        return true;
    for (const uint32_t *use = entry->uses; *use != WG_VAR_DYNAMIC; use++)
        if (*use == var)
            return true;
    return false;
}

void kernel_defaults(const struct kernel *kernel, union wg_value *values) {
    const struct wg_kernel *desc = kernel->desc;

    memset(values, 0, WG_MAX_OVERRIDES * sizeof *values);
    for (const struct wg_override *o = desc->overrides; o < desc->overrides_end; o++)
        values[o->id] = o->value;
}

static int parse_number(const struct wg_override *override, const char *text,
                        union wg_value *value) {
    char *end;

    if (override->type == WG_F32) {
        value->f = strtof(text, &end);
        return end == text || *end || !isfinite(value->f) ? -1 : 0;
    }
    errno = 0;
    long long number = strtoll(text, &end, 0);
    if (errno || end == text || *end)
        return -1;
    long long most = override->type == WG_BOOL  ? 1
                     : override->type == WG_I32 ? INT32_MAX
                                                : UINT32_MAX;
    if (number < (override->type == WG_I32 ? INT32_MIN : 0) || number > most)
        return -1;
    value->u = (uint32_t)number;
    return 0;
}

int kernel_parse_override(const struct wg_override *override, const char *text,
                          union wg_value *value, struct wgsim_error *err) {
    static const char *const names[] = {"u32", "i32", "f32", "f16", "bool"};

    value->bits = 0;
    if (override->type == WG_BOOL && (!strcmp(text, "true") || !strcmp(text, "false"))) {
        value->u = text[0] == 't';
        return 0;
    }
    if (parse_number(override, text, value) < 0)
        return error_set(err, "override %s: '%s' is not a value of type %s", override->name, text,
                         names[override->type]);
    return 0;
}

/* Sizes and counts read overrides through a context that holds nothing else. */
static struct wg_ctx *sizing_context(const union wg_value *overrides, struct wg_ctx *ctx) {
    memset(ctx, 0, sizeof *ctx);
    ctx->overrides = overrides;
    return ctx;
}

uint64_t kernel_var_count(const struct wg_var *var, const union wg_value *overrides) {
    struct wg_ctx ctx;
    struct wg wg = {NULL, sizing_context(overrides, &ctx), NULL, 0};

    return var->count ? var->count(&wg) : 0;
}

void kernel_workgroup_size(const struct wg_entry *entry, const union wg_value *overrides,
                           uint32_t size[3]) {
    struct wg_ctx ctx;
    struct wg wg = {NULL, sizing_context(overrides, &ctx), NULL, 0};

    entry->size(&wg, size);
}

int kernel_workgroup_bytes(const struct kernel *kernel, const struct wg_entry *entry,
                           const union wg_value *overrides, uint64_t *bytes,
                           struct wgsim_error *err) {
    uint64_t sum = 0;

    for (size_t id = 0; id < kernel->var_limit; id++) {
        const struct wg_var *var = kernel->vars[id];
        if (!var || var->space != WG_SPACE_WORKGROUP || !kernel_entry_uses(entry, var->id))
            continue;
        uint64_t count = kernel_var_count(var, overrides);
        if (count > UINT32_MAX || count * var->stride > UINT32_MAX)
            return error_set(err, "workgroup variable %s has %llu elements of %u bytes: too large",
                             var->name, (unsigned long long)count, var->stride);
        sum += (count * var->stride + 15) / 16 * 16;
    }
    *bytes = sum;
    return 0;
}
