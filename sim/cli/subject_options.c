/* Options for what a command runs when it is a shader. */
#include "sim/cli/subject_options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/buffer_spec.h"
#include "sim/error.h"
#include "sim/half.h"
#include "sim/texture_spec.h"
#include "wgsim/wgsl_format.h"

#define AT(member) offsetof(struct subject_cli, member)

const struct cli_option subject_option_table[] = {
    {"buffer", NULL, 0, CLI_LIST, AT(buffers), "[G:]B=SPEC", NULL,
     "contents of a binding: zero:TYPE[N], iota:TYPE[N], random:TYPE[N][@seed], "
     "values:TYPE:v,v,..., file:PATH, texture:FORMAT:WxH or sampler:FILTER; may be repeated "
     "(zeros)"},
    {"dump", NULL, 0, CLI_LIST, AT(dumps), "[G:]B[:FILE]", NULL,
     "print a binding's contents after the run, or write them to a file; may be repeated"},
    {0},
};

/* -- contents as text ----------------------------------------------------------------------------
 */

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
    uint64_t first = texture_spec_is_texture(var->type) ? sizeof(struct wgsl_texture) : 0;
    printf("%s:", buffer->name);
    for (uint64_t at = first; at + as->stride <= buffer->bytes; at += as->stride) {
        printf(as->components > 1 ? " (" : " ");
        for (uint32_t k = 0; k < as->components; k++) {
            fputs(k ? ", " : "", stdout);
            print_scalar(as, buffer->data + at + k * (as->scalar == WG_F16 ? 2 : 4));
        }
        fputs(as->components > 1 ? ")" : "", stdout);
    }
    putchar('\n');
}

static int write_contents(const struct job_buffer *buffer, const char *path,
                          struct wgsim_error *err) {
    FILE *file = fopen(path, "wb");
    if (!file)
        return error_set(err, "cannot write %s: %s", path, strerror(errno));
    bool failed = fwrite(buffer->data, 1, buffer->bytes, file) != buffer->bytes;
    failed |= fclose(file) != 0;
    return failed ? error_set(err, "cannot write %s", path) : 0;
}

struct dump {
    const struct wg_var *var;
    const struct job_buffer *buffer;
    const char *path; /* NULL: standard output */
};

static int parse_dump(struct dump *dump, const char *text, const struct job *job,
                      struct wgsim_error *err) {
    uint32_t group, binding;
    const char *rest = buffer_spec_parse_binding(text, &group, &binding);
    if (!rest || (*rest && (*rest != ':' || !rest[1])))
        return error_set(err, "'%s' is not a binding to dump, [GROUP:]BINDING[:FILE]", text);
    for (size_t k = 0; k < job->buffer_count; k++) {
        const struct wg_var *var = job->kernel->vars[job->buffers[k].like];
        if (var->group != group || var->binding != binding)
            continue;
        *dump = (struct dump){var, &job->buffers[k], *rest ? rest + 1 : NULL};
        return 0;
    }
    return error_set(err, "there is no @group(%u) @binding(%u) to dump", group, binding);
}

int subject_check_dumps(const struct subject_cli *options, const struct job *job,
                        struct wgsim_error *err) {
    struct dump dump;
    for (size_t k = 0; k < options->dumps.count; k++) {
        if (parse_dump(&dump, options->dumps.items[k], job, err) < 0)
            return -1;
    }
    return 0;
}

int subject_dump(const struct subject_cli *options, const struct job *job,
                 struct wgsim_error *err) {
    struct dump dump;
    for (size_t k = 0; k < options->dumps.count; k++) {
        if (parse_dump(&dump, options->dumps.items[k], job, err) < 0)
            return -1;
        if (!dump.path)
            print_contents(dump.var, dump.buffer);
        else if (write_contents(dump.buffer, dump.path, err) < 0)
            return -1;
    }
    return 0;
}
