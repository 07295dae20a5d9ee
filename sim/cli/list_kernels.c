/* Listing the built-in kernels. */
#include "sim/cli/list_kernels.h"

#include <inttypes.h>
#include <stdio.h>

#include "sim/cli/builtins.h"
#include "sim/cli/paths.h"
#include "sim/error.h"
#include "sim/kernel.h"

/* Calls `visit` with each kernel in turn. */
static int each_kernel(int (*visit)(void *self, const struct wg_kernel *desc), void *self,
                       struct wgsim_error *err) {
    struct builtins builtins;
    int result = builtins_read(&builtins, err);

    if (result < 0)
        return -1;
    for (size_t i = 0; result == 0 && i < builtins.count; i++) {
        const char *path = paths_kernel_object(&builtins.arena, builtins.names[i]);
        struct kernel kernel;
        result = path ? kernel_load(&kernel, path, err) : error_set(err, "out of memory");
        if (result < 0)
            break;
        result = visit(self, kernel.desc);
        kernel_release(&kernel);
    }
    builtins_release(&builtins);
    return result;
}

/* The compiler does not keep the order of declarations; ids do. NULL behind the last. */
static const struct wg_override *override_at(const struct wg_kernel *desc, uint32_t id) {
    for (const struct wg_override *o = desc->overrides; o < desc->overrides_end; o++)
        if (o->id == id)
            return o;
    return NULL;
}

static void override_default(const struct wg_override *override, char text[static 32]) {
    switch (override->type) {
    case WG_I32:
        snprintf(text, 32, "%" PRId32, override->value.i);
        break;
    case WG_F32:
        snprintf(text, 32, "%.9g", (double) override->value.f);
        break;
    default:
        snprintf(text, 32, "%" PRIu32, override->value.u);
    }
}

static int print_kernel(void *self, const struct wg_kernel *desc) {
    (void)self;
    printf("%-20s%s\n", desc->name, desc->summary);
    if (desc->default_size)
        printf("    --size %" PRIu64 "\n", desc->default_size);
    const struct wg_override *o;
    for (uint32_t id = 0; (o = override_at(desc, id)) != NULL; id++) {
        char value[32], option[160];
        override_default(o, value);
        snprintf(option, sizeof option, "--set %s=%s", o->name, value);
        printf("    %-32s%s\n", option, o->summary);
    }
    return 0;
}

int list_kernels_text(struct wgsim_error *err) {
    return each_kernel(print_kernel, NULL, err);
}

static json_t *override_json(const struct wg_override *override) {
    json_t *value = override->type == WG_F32   ? json_real(override->value.f)
                    : override->type == WG_I32 ? json_integer(override->value.i)
                                               : json_integer(override->value.u);

    return json_pack("{s:s, s:o, s:s}", "name", override->name, "default", value, "summary",
                     override->summary);
}

static int add_kernel(void *self, const struct wg_kernel *desc) {
    json_t *overrides = json_array();
    const struct wg_override *o;

    for (uint32_t id = 0; (o = override_at(desc, id)) != NULL; id++)
        json_array_append_new(overrides, override_json(o));
    json_array_append_new(self,
                          json_pack("{s:s, s:s, s:I, s:b, s:b, s:o}", "name", desc->name, "summary",
                                    desc->summary, "size", (json_int_t)desc->default_size, "waits",
                                    desc->flags & WG_KERNEL_WAITS, "faulty",
                                    (desc->flags & WG_KERNEL_FAULTY) != 0, "overrides", overrides));
    return 0;
}

json_t *list_kernels_json(struct wgsim_error *err) {
    json_t *kernels = json_array();

    if (each_kernel(add_kernel, kernels, err) < 0) {
        json_decref(kernels);
        return NULL;
    }
    return json_pack("{s:s, s:o}", "schema", "wgsim-kernels/1", "kernels", kernels);
}
