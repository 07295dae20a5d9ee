/* The folder of compiled kernels. */
#include "sim/cache.h"

#include "sim/error.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct cache_key cache_key_start(void) {
    return (struct cache_key){0xcbf29ce484222325u, 0x6c62272e07bb0142u};
}

void cache_key_add(struct cache_key *key, const void *bytes, uint64_t count) {
    const unsigned char *p = bytes;
    for (uint64_t k = 0; k < count; k++) {
        key->a = (key->a ^ p[k]) * 0x100000001b3u;
        key->b = (key->b ^ p[k]) * 0x9e3779b97f4a7c15u;
    }
}

void cache_key_add_text(struct cache_key *key, const char *text) {
    cache_key_add(key, text, strlen(text) + 1);
}

static int make_folder(char *path, struct wgsim_error *err) {
    for (char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
        if (slash)
            *slash = '\0';
        if (mkdir(path, 0700) && errno != EEXIST)
            return error_set(err, "cannot make the cache folder %s: %s", path, strerror(errno));
        if (!slash)
            return 0;
        *slash = '/';
    }
}

const char *cache_folder(struct arena *arena, struct wgsim_error *err) {
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *path = base && base[0] == '/'   ? arena_printf(arena, "%s/wgsim", base)
                 : home && home[0] == '/' ? arena_printf(arena, "%s/.cache/wgsim", home)
                                          : NULL;
    if (!path) {
        error_format(err, "no folder for compiled kernels: neither XDG_CACHE_HOME nor HOME is set");
        return NULL;
    }
    return make_folder(path, err) ? NULL : path;
}

const char *cache_path(struct arena *arena, const char *folder, struct cache_key key,
                       const char *extension) {
    return arena_printf(arena, "%s/%016llx%016llx%s", folder, (unsigned long long)key.a,
                        (unsigned long long)key.b, extension);
}

int cache_has(const char *path) {
    if (access(path, R_OK))
        return 0;
    utimensat(AT_FDCWD, path, NULL, 0); /* where the folder can be written */
    return 1;
}

int cache_publish(const char *folder, const char *temporary, const char *path,
                  struct wgsim_error *err) {
    if (rename(temporary, path))
        return error_set(err, "cannot write %s: %s", path, strerror(errno));
    cache_trim(folder, CACHE_BYTES);
    return 0;
}

/* -- bounds ------------------------------------------------------------------------------------ */

enum { STALE_SECONDS = 3600 }; /* no compilation takes so long */

struct entry {
    char name[64];
    struct timespec used;
    uint64_t bytes;
};

static int by_use(const void *left, const void *right) {
    const struct entry *a = left, *b = right;
    if (a->used.tv_sec != b->used.tv_sec)
        return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
    return (a->used.tv_nsec > b->used.tv_nsec) - (a->used.tv_nsec < b->used.tv_nsec);
}

/* Fills one entry from a file of the folder; 0 for files that are not the cache's. */
static int read_entry(int folder, const char *name, struct entry *entry) {
    struct stat info;
    if (name[0] == '.' || strlen(name) >= sizeof entry->name ||
        fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) || !S_ISREG(info.st_mode))
        return 0;
    if (strncmp(name, "new-", 4) == 0 && info.st_mtime < time(NULL) - STALE_SECONDS) {
        unlinkat(folder, name, 0);
        return 0;
    }
    memcpy(entry->name, name, strlen(name) + 1);
    entry->used = info.st_mtim;
    entry->bytes = (uint64_t)info.st_size;
    return 1;
}

static struct entry *read_entries(DIR *dir, size_t *count) {
    struct entry *entries = NULL;
    size_t capacity = 0;
    *count = 0;
    for (struct dirent *file; (file = readdir(dir));) {
        if (*count == capacity) {
            struct entry *more = realloc(entries, (capacity = capacity * 2 + 64) * sizeof *entries);
            if (!more)
                break;
            entries = more;
        }
        *count += (size_t)read_entry(dirfd(dir), file->d_name, &entries[*count]);
    }
    return entries;
}

void cache_trim(const char *folder, uint64_t limit) {
    DIR *dir = opendir(folder);
    if (!dir)
        return;
    size_t count;
    struct entry *entries = read_entries(dir, &count);
    uint64_t total = 0;
    for (size_t k = 0; k < count; k++)
        total += entries[k].bytes;
    if (total > limit) {
        qsort(entries, count, sizeof *entries, by_use);
        for (size_t k = 0; k < count && total > limit / 4 * 3; k++) {
            if (unlinkat(dirfd(dir), entries[k].name, 0) == 0)
                total -= entries[k].bytes;
        }
    }
    free(entries);
    closedir(dir);
}
