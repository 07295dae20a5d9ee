/* The built-in kernels: the objects in the program's folder of kernels. */
#include "sim/cli/builtins.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/paths.h"
#include "sim/error.h"

static int is_object(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);

    return length > 3 && strcmp(entry->d_name + length - 3, ".so") == 0;
}

static int by_name(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static int keep_names(struct builtins *builtins, struct dirent **entries, size_t count) {
    builtins->names = arena_alloc(&builtins->arena, (count + 1) * sizeof *builtins->names);
    if (!builtins->names)
        return -1;
    for (size_t i = 0; i < count; i++) {
        char *name = arena_strdup(&builtins->arena, entries[i]->d_name);
        if (!name)
            return -1;
        name[strlen(name) - 3] = 0;
        builtins->names[builtins->count++] = name;
    }
    if (count)
        qsort(builtins->names, count, sizeof *builtins->names, by_name);
    return 0;
}

int builtins_read(struct builtins *builtins, struct wgsim_error *err) {
    *builtins = (struct builtins){0};
    arena_init(&builtins->arena);
    const char *folder = paths_kernel_folder(&builtins->arena);
    struct dirent **entries = NULL;
    int count = folder ? scandir(folder, &entries, is_object, NULL) : -1;
    int result = 0;
    if (count < 0)
        result = error_set(err, "cannot list the kernels in %s: %s", folder ? folder : "?",
                           strerror(errno));
    else if (keep_names(builtins, entries, (size_t)count) < 0)
        result = error_set(err, "out of memory");
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    if (result < 0)
        builtins_release(builtins);
    return result;
}

void builtins_release(struct builtins *builtins) {
    arena_release(&builtins->arena);
}
