/* Where the program's own files are. */
#include "sim/cli/paths.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *paths_program(struct arena *arena) {
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
    return arena_strdup(arena, slash ? path : ".");
}

/* The build tree's kernels/, or NULL for an installed program. */
static const char *build_kernels(struct arena *arena) {
    const char *program = paths_program(arena);
    const char *folder = program ? arena_printf(arena, "%s/kernels", program) : NULL;
    struct stat info;
    return folder && stat(folder, &info) == 0 && S_ISDIR(info.st_mode) ? folder : NULL;
}

const char *paths_kernel_folder(struct arena *arena) {
    const char *built = build_kernels(arena);
    return built ? built : WGSIM_KERNEL_OBJECTS;
}

const char *paths_kernel_object(struct arena *arena, const char *name) {
    return arena_printf(arena, "%s/%s.so", paths_kernel_folder(arena), name);
}

const char *paths_kernel_source(struct arena *arena, const char *name, const char *extension) {
    const char *folder = build_kernels(arena) ? WGSIM_SOURCE_TREE "/kernels" : WGSIM_KERNEL_SOURCES;
    return arena_printf(arena, "%s/%s.%s", folder, name, extension);
}

const char *paths_source_root(struct arena *arena) {
    return build_kernels(arena) ? WGSIM_SOURCE_TREE : WGSIM_KERNEL_SOURCES "/..";
}

const char *paths_include(struct arena *arena) {
    return build_kernels(arena) ? WGSIM_SOURCE_TREE "/include" : WGSIM_INCLUDES;
}

const char *paths_device_worker(struct arena *arena) {
    const char *folder = paths_program(arena);
    const char *built = folder ? arena_printf(arena, "%s/wgsim-webgpu", folder) : NULL;
    return built && access(built, X_OK) == 0 ? built : WGSIM_LIBEXEC "/wgsim-webgpu";
}
