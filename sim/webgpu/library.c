/* Opening a WebGPU library. */
#include "sim/webgpu/library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "sim/error.h"

static const char *const usual_names[] = {
    "libwgpu_native.so",
    "libwgpu_native-release.so",
    "libwebgpu_dawn.so",
    "libwebgpu_wrapper.so",
};

const char *library_kind_name(enum library_kind kind) {
    static const char *const names[] = {"WebGPU library", "wgpu-native", "Dawn"};
    return names[kind];
}

/* Opens name; a bare file name is looked for in the recorded folder first. */
static void *open_named(struct library *library, const char *name, struct arena *arena) {
    void *handle = NULL;
    library->path = arena_printf(arena, "%s/lib/%s", WGSIM_WEBGPU_PREFIX, name);
    if (!strchr(name, '/') && library->path)
        handle = dlopen(library->path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        library->path = name;
        handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    return handle;
}

static void *open_any(struct library *library, const char *name, struct arena *arena,
                      struct wgsim_error *err) {
    if (!name)
        name = getenv("WGSIM_WEBGPU_LIB");
    if (name && *name) {
        void *handle = open_named(library, name, arena);
        if (!handle)
            error_format(err, "cannot open WebGPU library: %s", dlerror());
        return handle;
    }
    for (size_t i = 0; i < sizeof usual_names / sizeof *usual_names; i++) {
        void *handle = open_named(library, usual_names[i], arena);
        if (handle)
            return handle;
    }
    error_format(err, "no WebGPU library found (tried libwgpu_native.so, libwebgpu_dawn.so and the "
                      "like); name one with --webgpu-lib or WGSIM_WEBGPU_LIB");
    return NULL;
}

/* Dawn released before wgpuGetInstanceFeatures numbers the features from one lower. */
static void tell_kind(struct library *library, void *handle) {
    library->kind = dlsym(handle, "wgpuDeviceTick")   ? LIBRARY_DAWN
                    : dlsym(handle, "wgpuDevicePoll") ? LIBRARY_WGPU_NATIVE
                                                      : LIBRARY_OTHER;
    int older = library->kind == LIBRARY_DAWN && !dlsym(handle, "wgpuGetInstanceFeatures");
    library->feature_f16 = WGPUFeatureName_ShaderF16 - older;
    library->feature_subgroups = WGPUFeatureName_Subgroups - older;
    if (library->kind == LIBRARY_WGPU_NATIVE)
        library->enumerate_adapters =
            (library_enumerate_fn)(uintptr_t)dlsym(handle, "wgpuInstanceEnumerateAdapters");
}

int library_open(struct library *library, const char *name, struct arena *arena,
                 struct wgsim_error *err) {
    memset(library, 0, sizeof *library);
    void *handle = open_any(library, name, arena, err);
    if (!handle)
        return -1;
#define X(function)                                                                                \
    library->function = (WGPUProc##function)(uintptr_t)dlsym(handle, "wgpu" #function);            \
    if (!library->function)                                                                        \
        return error_set(err, "%s is no WebGPU library: it lacks wgpu" #function, library->path);
    LIBRARY_FUNCTIONS(X)
#undef X
    tell_kind(library, handle);
    return 0;
}
