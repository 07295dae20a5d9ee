/* WGSL's names in C. */
#include "sim/spelling.h"

#include <ctype.h>
#include <string.h>

#include "sim/buf.h"

/* Those that texts use. */
static const struct {
    const char *wgsl, *c;
} names[] = {
    {"arrayLength(&", "wg_array_length("},
    {"workgroupBarrier", "wg_workgroup_barrier"},
    {"storageBarrier", "wg_storage_barrier"},
    {"workgroupUniformLoad", "wg_uniform_load"},
    {"atomicCompareExchangeWeak", "wg_atomic_compare_exchange"},
    {"atomicAdd", "wg_atomic_add"},
    {"atomicMax", "wg_atomic_max"},
    {"atomicMin", "wg_atomic_min"},
    {"atomicLoad", "wg_atomic_load"},
    {"atomicStore", "wg_atomic_store"},
    {"atomicExchange", "wg_atomic_exchange"},
    {"subgroupAdd", "wg_subgroup_add"},
    {"subgroupMax", "wg_subgroup_max"},
    {"subgroupMin", "wg_subgroup_min"},
    {"local_invocation_index", "wg_local_invocation_index"},
    {"subgroup_size", "wg_subgroup_size"},
    {"dispatchWorkgroups()", "a dispatch"},
};

bool spelling_is_c(const struct wg_kernel *kernel) {
    size_t length = kernel->source ? strlen(kernel->source) : 0;

    return length > 2 && strcmp(kernel->source + length - 2, ".c") == 0;
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Which name stands at a place of a text; -1: none. */
static int name_at(const char *text, const char *at) {
    if (at > text && is_word(at[-1]))
        return -1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i].wgsl);
        if (strncmp(at, names[i].wgsl, length) == 0 &&
            !(is_word(at[length - 1]) && is_word(at[length])))
            return (int)i;
    }
    return -1;
}

const char *spelling_in_c(struct arena *arena, const char *text) {
    struct buf out = {0};
    const char *from = text;

    for (const char *at = text; *at;) {
        int name = name_at(text, at);
        if (name < 0) {
            at++;
            continue;
        }
        buf_append(&out, from, (size_t)(at - from));
        buf_puts(&out, names[name].c);
        from = at += strlen(names[name].wgsl);
    }
    if (!out.data && !out.failed)
        return text;
    buf_puts(&out, from);
    const char *kept = out.failed ? NULL : arena_strdup(arena, out.data);
    buf_release(&out);
    return kept;
}
