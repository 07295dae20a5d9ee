/* The user's folder of compiled kernels: files named by a hash of what they were made from. */
#ifndef SIM_CACHE_H
#define SIM_CACHE_H

#include "sim/arena.h"
#include "wgsim/wgsim.h"

#include <stdint.h>

/* Most bytes that stay; the files used longest ago go first. */
#define CACHE_BYTES ((uint64_t)256 << 20)

/* A running 128-bit hash: FNV-1a from two starting points. */
struct cache_key {
    uint64_t a, b;
};
struct cache_key cache_key_start(void);
void cache_key_add(struct cache_key *key, const void *bytes, uint64_t count);
void cache_key_add_text(struct cache_key *key, const char *text); /* its end counts too */

/* The folder, made if it is not there: $XDG_CACHE_HOME/wgsim, else ~/.cache/wgsim. Lives in the
 * arena. */
const char *cache_folder(struct arena *arena, struct wgsim_error *err);

/* Where the file for a key is, with the given extension. */
const char *cache_path(struct arena *arena, const char *folder, struct cache_key key,
                       const char *extension);

/* Whether a file is there; if so it counts as used now. */
int cache_has(const char *path);

/* Puts a finished temporary file of the same folder in its place, for all users of the folder at
 * once, and removes old files while there are too many bytes. */
int cache_publish(const char *folder, const char *temporary, const char *path,
                  struct wgsim_error *err);

/* Removes files beyond `limit` bytes, longest unused first, and temporaries that a killed process
 * left: those that nobody has written to for an hour. */
void cache_trim(const char *folder, uint64_t limit);

#endif
