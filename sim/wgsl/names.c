/* Module-scope names. */
#include <string.h>

#include "sim/wgsl/decl.h"

static uint32_t bucket_of(const char *name) {
    uint32_t hash = 2166136261u;
    for (const char *p = name; *p; p++)
        hash = (hash ^ (unsigned char)*p) * 16777619u;
    return hash % DECL_BUCKETS;
}

struct wgsl_decl *names_find(const struct wgsl_names *names, const char *name) {
    struct wgsl_decl *d = names->buckets[bucket_of(name)];
    while (d && strcmp(d->name, name) != 0)
        d = d->chain;
    return d;
}

struct wgsl_decl *names_add(struct wgsl_names *names, struct wgsl_decl *decl) {
    struct wgsl_decl *before = names_find(names, decl->name);
    if (before)
        return before;
    struct wgsl_decl **bucket = &names->buckets[bucket_of(decl->name)];
    decl->chain = *bucket;
    *bucket = decl;
    return NULL;
}
