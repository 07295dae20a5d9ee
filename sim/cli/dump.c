/* Dumps of buffers. */
#include "sim/cli/dump.h"

#include <stdio.h>
#include <string.h>

#include "sim/buffer_spec.h"
#include "sim/error.h"
#include "sim/half.h"
#include "sim/texture_spec.h"

const struct cli_option dump_option_table[] = {
    {"dump", NULL, 0, CLI_LIST, 0, "[G:]B[:FILE]", NULL,
     "print a binding's contents after the run, or write them to a file; may be repeated"},
    {0},
};

int dumps_check_json(const struct cli_list *options, bool json, struct wgsim_error *err) {
    for (size_t i = 0; json && i < options->count; i++)
        if (options->items[i][strspn(options->items[i], "0123456789:")] == '\0')
            return error_set(err, "with --json, --dump needs a file, as in --dump %s:out.bin",
                             options->items[i]);
    return 0;
}

/* ---- Contents as text ---- */

static void print_scalar(const struct wg_var *var, const uint8_t *at) {
    uint32_t bits = 0;
    float value;
    memcpy(&bits, at, var->scalar == WG_F16 ? 2 : 4);
    memcpy(&value, &bits, 4);
    if (var->scalar == WG_F32)
        printf("%.9g", (double)value);
    else if (var->scalar == WG_F16)
        printf("%.5g", (double)half_to_float((uint16_t)bits));
    else if (var->scalar == WG_I32)
        printf("%d", (int)bits);
    else
        printf("%u", bits);
}

/* Elements one after the other, those of several components in parentheses; structures as words, of
 * textures the texels. */
static void print_contents(const struct wg_var *var, const struct job_buffer *buffer) {
    struct wg_var words = {.scalar = WG_U32, .components = 1, .stride = 4};
    const struct wg_var *as = var->scalar == WG_STRUCT || var->stride == 0 ? &words : var;
    printf("%s:", buffer->name);
    for (uint64_t at = texture_spec_start(var->type); at + as->stride <= buffer->bytes;
         at += as->stride) {
        printf(as->components > 1 ? " (" : " ");
        for (uint32_t k = 0; k < as->components; k++) {
            fputs(k ? ", " : "", stdout);
            print_scalar(as, buffer->data + at + k * (as->scalar == WG_F16 ? 2 : 4));
        }
        fputs(as->components > 1 ? ")" : "", stdout);
    }
    putchar('\n');
}

/* ---- What to dump ---- */

static int find(struct dump *dump, const char **path, const char *text, const struct job *job,
                struct wgsim_error *err) {
    uint32_t group, binding;
    const char *rest = buffer_spec_parse_binding(text, &group, &binding);
    if (!rest || (*rest && (*rest != ':' || !rest[1])))
        return error_set(err, "'%s' is not a binding to dump, [GROUP:]BINDING[:FILE]", text);
    *path = *rest ? rest + 1 : NULL;
    for (size_t k = 0; k < job->buffer_count; k++) {
        const struct wg_var *var = job->kernel->vars[job->buffers[k].like];
        if (var->group != group || var->binding != binding)
            continue;
        *dump = (struct dump){.var = var, .buffer = &job->buffers[k]};
        return 0;
    }
    return error_set(err, "there is no @group(%u) @binding(%u) to dump", group, binding);
}

/* A buffer is printed once, and a file holds one thing; a pipe or device takes several. */
static int check_once(const struct dumps *dumps, const struct dump *dump, const char *trace_path,
                      struct wgsim_error *err) {
    const char *path = dump->file.path;
    if (path && dump->file.target < 0 && trace_path && strcmp(path, trace_path) == 0)
        return error_set(err, "--dump and --trace name the same file, %s", path);
    for (size_t k = 0; k < dumps->count; k++) {
        const char *other = dumps->items[k].file.path;
        if (path && other && dump->file.target < 0 && strcmp(path, other) == 0)
            return error_set(err, "two buffers are dumped to %s", path);
        if (!path && !other && dumps->items[k].buffer == dump->buffer)
            return error_set(err, "%s is dumped twice", dump->buffer->name);
    }
    return 0;
}

int dumps_open(struct dumps *dumps, const struct cli_list *options, const struct job *job,
               const char *trace_path, struct wgsim_error *err) {
    const char *path;
    dumps->count = 0;
    for (size_t k = 0; k < options->count; k++) {
        struct dump *dump = &dumps->items[k];
        if (find(dump, &path, options->items[k], job, err) < 0 ||
            (path && new_file_open(&dump->file, path, err) < 0))
            return -1;
        int result = check_once(dumps, dump, trace_path, err);
        dumps->count++;
        if (result < 0)
            return -1;
    }
    return 0;
}

int dumps_write(struct dumps *dumps, struct wgsim_error *err) {
    for (size_t k = 0; k < dumps->count; k++) {
        struct dump *dump = &dumps->items[k];
        if (!dump->file.path) {
            print_contents(dump->var, dump->buffer);
            continue;
        }
        uint64_t start = texture_spec_start(dump->var->type);
        new_file_write(&dump->file, dump->buffer->data + start, dump->buffer->bytes - start);
        if (new_file_publish(&dump->file, err) < 0)
            return -1;
    }
    return 0;
}

void dumps_release(struct dumps *dumps) {
    for (size_t k = 0; k < dumps->count; k++)
        new_file_release(&dumps->items[k].file);
    dumps->count = 0;
}
