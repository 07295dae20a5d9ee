/* A job from what a user asks for. */
#include "sim/job_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/error.h"
#include "sim/texture_spec.h"

/* The variable that a text names: its name or "[G:]B"; NULL: none. */
static const struct wg_var *named_var(const struct kernel *kernel, const char *text) {
    uint32_t group, binding;
    const char *rest = buffer_spec_parse_binding(text, &group, &binding);
    for (const struct wg_var *var = kernel->desc->vars; var < kernel->desc->vars_end; var++) {
        if (var->space == WG_SPACE_WORKGROUP)
            continue;
        bool at = rest && !*rest && var->group == group && var->binding == binding;
        if (at || strcmp(var->name, text) == 0)
            return var;
    }
    return NULL;
}

/* The variable that a buffer is first bound to. */
static const struct wg_var *var_of(const struct kernel *kernel, const struct job_spec *spec,
                                   const struct job_spec_buffer *buffer) {
    for (const struct wg_var *var = kernel->desc->vars;
         buffer->bound && var < kernel->desc->vars_end; var++) {
        if (var->space != WG_SPACE_WORKGROUP && var->group == buffer->contents.group &&
            var->binding == buffer->contents.binding)
            return var;
    }
    for (size_t d = 0; buffer->name && d < spec->dispatch_count; d++) {
        const struct job_spec_dispatch *dispatch = &spec->dispatches[d];
        for (size_t k = 0; k < dispatch->bind_count; k++) {
            if (strcmp(dispatch->binds[k].buffer, buffer->name) == 0)
                return named_var(kernel, dispatch->binds[k].variable);
        }
    }
    return buffer->bound || !buffer->name ? NULL : named_var(kernel, buffer->name);
}

/* Of a texture the texels are expected: what describes it is in front of them only where a texture
 * is named. */
static int copy_expected(struct job *job, const struct wg_var *var, struct job_spec_buffer *from,
                         struct job_buffer *to, struct wgsim_error *err) {
    uint64_t bytes, start = texture_spec_start(var->type);
    uint8_t *expect = buffer_spec_fill(&from->expect, &bytes, err);
    if (!expect)
        return -1;
    uint64_t skip = start && from->expect.init == BUFFER_TEXTURE ? start : 0;
    uint8_t *kept = bytes - skip == to->bytes - start ? arena_alloc(&job->arena, to->bytes) : NULL;
    if (kept) {
        memcpy(kept, to->data, start);
        memcpy(kept + start, expect + skip, bytes - skip);
    }
    to->expect = kept;
    free(expect);
    if (kept)
        return 0;
    return error_set(err, "buffer %s has %llu bytes but %llu are expected", to->name,
                     (unsigned long long)(to->bytes - start), (unsigned long long)(bytes - skip));
}

/* Textures and samplers are bound to what is described as one. */
static int check_kind(const struct wg_var *var, enum buffer_init init, struct wgsim_error *err) {
    if (texture_spec_is_texture(var->type) != (init == BUFFER_TEXTURE))
        return error_set(err, "%s is of type %s: %s", var->name, var->type,
                         init == BUFFER_TEXTURE ? "no texture" : "give it texture:FORMAT:WxH");
    if (texture_spec_is_sampler(var->type) != (init == BUFFER_SAMPLER))
        return error_set(err, "%s is of type %s: %s", var->name, var->type,
                         init == BUFFER_SAMPLER ? "no sampler"
                                                : "give it sampler:nearest or sampler:linear");
    return 0;
}

static bool binds(const struct job_spec *spec, const char *name) {
    for (size_t d = 0; name && d < spec->dispatch_count; d++)
        for (size_t k = 0; k < spec->dispatches[d].bind_count; k++)
            if (strcmp(spec->dispatches[d].binds[k].buffer, name) == 0)
                return true;
    return false;
}

/* Of two buffers at one place the second needs a dispatch that binds it by its name. */
static int check_place(const struct job_spec *spec, const struct job_spec_buffer *buffer,
                       struct wgsim_error *err) {
    for (const struct job_spec_buffer *other = spec->buffers; other < buffer; other++) {
        if (buffer->name && other->name && strcmp(buffer->name, other->name) == 0)
            return error_set(err, "two buffers are called %s", buffer->name);
        if (buffer->bound && other->bound && !binds(spec, buffer->name) &&
            buffer->contents.group == other->contents.group &&
            buffer->contents.binding == other->contents.binding)
            return error_set(err, "two buffers are given for @group(%u) @binding(%u)",
                             buffer->contents.group, buffer->contents.binding);
    }
    return 0;
}

/* A buffer of a variable's type with the contents; NULL with a message that names it. */
static struct job_buffer *add_contents(struct job *job, const struct wg_var *var, const char *name,
                                       struct buffer_spec *contents, struct wgsim_error *err) {
    struct wgsim_error why;
    struct job_buffer *buffer = NULL;
    uint64_t bytes;
    uint8_t *data = NULL;
    if (buffer_spec_measure(contents, &bytes, &why) == 0) {
        if (job_check_buffer(job, name, var->id, bytes, err))
            return NULL;
        data = buffer_spec_fill(contents, &bytes, &why);
    }
    if (!data)
        error_format(err, "buffer %s: %s", name, why.message);
    else
        buffer = job_add_buffer(job, name, var->id, bytes, err);
    if (buffer)
        memcpy(buffer->data, data, bytes);
    if (buffer && contents->init == BUFFER_TEXTURE)
        texture_spec_fit(buffer->data, var->type);
    free(data);
    return buffer && job_check_binding(job, buffer, var, err) == 0 ? buffer : NULL;
}

/* Says what there is: a shader may declare the binding, but what is run does not use it. */
static int refuse_binding(const struct kernel *kernel, const struct buffer_spec *contents,
                          struct wgsim_error *err) {
    char known[128] = "";
    size_t length = 0;
    for (const struct wg_var *var = kernel->desc->vars; var < kernel->desc->vars_end; var++) {
        if (var->space == WG_SPACE_WORKGROUP || length >= sizeof known)
            continue;
        length +=
            (size_t)snprintf(known + length, sizeof known - length, "%s%u:%u %s",
                             length ? ", " : "; it uses ", var->group, var->binding, var->name);
    }
    return error_set(err, "the kernel does not use @group(%u) @binding(%u)%s%s", contents->group,
                     contents->binding, known, length >= sizeof known ? "..." : "");
}

static int add_buffer(struct job *job, const struct job_spec *spec, struct job_spec_buffer *from,
                      struct wgsim_error *err) {
    const struct wg_var *var = var_of(job->kernel, spec, from);
    if (!var && from->declared)
        return 0;
    if (!var && from->bound)
        return refuse_binding(job->kernel, &from->contents, err);
    if (!var)
        return error_set(err, "no dispatch binds the buffer %s", from->name);
    if (check_kind(var, from->contents.init, err))
        return -1;
    struct job_buffer *buffer =
        add_contents(job, var, from->name ? from->name : var->name, &from->contents, err);
    if (!buffer)
        return -1;
    buffer->rule = from->rule ? arena_strdup(&job->arena, from->rule) : NULL;
    if (from->rule && !buffer->rule)
        return error_set(err, "out of memory");
    return from->has_expect ? copy_expected(job, var, from, buffer, err) : 0;
}

/* -- bindings that the spec does not mention -----------------------------------------------------
 */

/* How far the invocations of the first dispatch reach on each axis; UINT32_MAX if farther. */
static void reach(const struct job *job, const struct job_spec *spec, const struct wg_entry *entry,
                  uint32_t size[3]) {
    union wg_value overrides[WG_MAX_OVERRIDES];
    kernel_defaults(job->kernel, overrides);
    kernel_workgroup_size(entry, overrides, size);
    for (size_t k = 0; k < 3; k++) {
        uint32_t groups = spec->dispatches[0].groups[k];
        if (groups && __builtin_mul_overflow(size[k], groups, &size[k]))
            size[k] = UINT32_MAX;
    }
}

/* UINT64_MAX if there are more. */
static uint64_t default_bytes(const struct wg_var *var, const uint32_t size[3]) {
    uint64_t bytes = (uint64_t)size[0] * size[1];
    if (var->fixed_bytes)
        return var->fixed_bytes;
    if (__builtin_mul_overflow(bytes, (uint64_t)size[2], &bytes) ||
        __builtin_mul_overflow(bytes, (uint64_t)var->stride, &bytes))
        return UINT64_MAX;
    return bytes;
}

/* Zeros, or a texture of them. */
static struct job_buffer *add_default(struct job *job, const struct wg_var *var,
                                      const uint32_t size[3], struct wgsim_error *err) {
    struct job_buffer *buffer;
    if (!texture_spec_is_texture(var->type)) {
        buffer = job_add_buffer(job, var->name, var->id, default_bytes(var, size), err);
        if (buffer)
            buffer->length_is_guessed = !var->fixed_bytes;
        return buffer;
    }
    uint64_t bytes;
    uint8_t *data = texture_spec_default(var->type, size, &bytes, err);
    buffer = data ? job_add_buffer(job, var->name, var->id, bytes, err) : NULL;
    if (buffer)
        memcpy(buffer->data, data, bytes);
    free(data);
    return buffer;
}

static uint32_t buffer_like(const struct job *job, const struct wg_var *var) {
    for (uint32_t k = 0; k < job->buffer_count; k++) {
        if (job->buffers[k].like == var->id)
            return k;
    }
    return JOB_UNBOUND;
}

/* The buffer that is first bound to a variable: its own, or the one given for its place, where
 * another entry point has another name for that. */
static uint32_t first_buffer(const struct job *job, const struct job_spec *spec,
                             const struct wg_var *var) {
    uint32_t index = buffer_like(job, var);
    uint64_t least = var->fixed_bytes ? var->fixed_bytes : var->stride;
    for (size_t k = 0; index == JOB_UNBOUND && k < spec->buffer_count; k++) {
        const struct job_spec_buffer *given = &spec->buffers[k];
        const struct wg_var *other = var_of(job->kernel, spec, given);
        if (!given->bound || !other || given->contents.group != var->group ||
            given->contents.binding != var->binding)
            continue;
        uint32_t at = buffer_like(job, other);
        if (at != JOB_UNBOUND && job->buffers[at].bytes >= least &&
            job_check_binding(job, &job->buffers[at], var, NULL) == 0)
            index = at;
    }
    return index;
}

static int add_defaults(struct job *job, const struct job_spec *spec, const struct wg_entry *entry,
                        struct wgsim_error *err) {
    uint32_t size[3];
    reach(job, spec, entry, size);
    for (const struct wg_var *var = job->kernel->desc->vars; var < job->kernel->desc->vars_end;
         var++) {
        if (var->space == WG_SPACE_WORKGROUP || first_buffer(job, spec, var) != JOB_UNBOUND)
            continue;
        struct job_buffer *buffer = add_default(job, var, size, err);
        if (!buffer)
            return -1;
        buffer->is_default = true;
    }
    return 0;
}

/* -- dispatches -------------------------------------------------------------------------------- */

static int set_overrides(const struct kernel *kernel, const struct job_spec *spec,
                         union wg_value *values, struct wgsim_error *err) {
    for (size_t k = 0; k < spec->override_count; k++) {
        const struct job_spec_override *from = &spec->overrides[k];
        const struct wg_override *override = kernel_override(kernel, from->name);
        char text[32];
        if (!override)
            return error_set(err, "the kernel has no override %s", from->name);
        snprintf(text, sizeof text, "%.17g", from->value);
        if (kernel_parse_override(override,
                                  !from->truth  ? text
                                  : from->value ? "true"
                                                : "false",
                                  &values[override->id], err))
            return -1;
    }
    return 0;
}

static int bind_named(const struct job *job, const struct job_spec_bind *bind, uint32_t *bound,
                      struct wgsim_error *err) {
    const struct wg_var *var = named_var(job->kernel, bind->variable);
    if (!var)
        return error_set(err, "the kernel has no binding %s", bind->variable);
    for (uint32_t k = 0; k < job->buffer_count; k++) {
        if (strcmp(job->buffers[k].name, bind->buffer) == 0) {
            bound[var->id] = k;
            return job_check_binding(job, &job->buffers[k], var, err);
        }
    }
    return error_set(err, "there is no buffer %s to bind to %s", bind->buffer, bind->variable);
}

/* Bindings stay from one dispatch to the next. */
static int add_dispatch(struct job *job, const struct job_spec *spec,
                        const struct job_spec_dispatch *from, uint32_t *bound,
                        struct wgsim_error *err) {
    const struct wg_entry *entry =
        kernel_entry(job->kernel, from->entry ? from->entry : spec->entry, err);
    struct job_dispatch *dispatch = entry ? job_add_dispatch(job, entry) : NULL;
    if (!entry)
        return -1;
    if (!dispatch)
        return error_set(err, "out of memory");
    memcpy(dispatch->groups, from->groups, sizeof from->groups);
    for (size_t k = 0; k < from->bind_count; k++) {
        if (bind_named(job, &from->binds[k], bound, err))
            return -1;
    }
    memcpy(dispatch->bound, bound, sizeof dispatch->bound);
    bool baked =
        job->kernel->desc->overrides == job->kernel->desc->overrides_end; /* a shader's are */
    return baked ? 0 : set_overrides(job->kernel, spec, dispatch->overrides, err);
}

int job_build(struct job *job, const struct job_spec *spec, struct wgsim_error *err) {
    uint32_t bound[WG_MAX_VARS];
    const char *first = spec->dispatches[0].entry ? spec->dispatches[0].entry : spec->entry;
    const struct wg_entry *entry = kernel_entry(job->kernel, first, err);
    if (!entry)
        return -1;
    for (size_t k = 0; k < spec->buffer_count; k++) {
        if (check_place(spec, &spec->buffers[k], err) ||
            add_buffer(job, spec, &spec->buffers[k], err))
            return -1;
    }
    if (add_defaults(job, spec, entry, err))
        return -1;
    memset(bound, 0xff, sizeof bound);
    for (const struct wg_var *var = job->kernel->desc->vars; var < job->kernel->desc->vars_end;
         var++)
        bound[var->id] =
            var->space == WG_SPACE_WORKGROUP ? JOB_UNBOUND : first_buffer(job, spec, var);
    for (size_t k = 0; k < spec->dispatch_count; k++) {
        if (add_dispatch(job, spec, &spec->dispatches[k], bound, err))
            return -1;
    }
    return job_seal(job, err);
}

/* -- numbers of another type ------------------------------------------------------------------- */

/* Whether all are 0, or some are in hexadecimal: such are meant as bits. */
static bool is_bits(const struct buffer_spec *contents) {
    const char *text = contents->text;
    if (contents->init == BUFFER_VALUES)
        return strspn(text, "0,") == strlen(text) || strchr(text, 'x');
    return contents->init == BUFFER_IOTA && contents->count * contents->type.components == 1;
}

/* Halves given for integers are packed; what texels are is in their format. */
static bool are_others(const struct buffer_spec *contents, const struct wg_var *var) {
    enum wg_scalar given = contents->type.scalar, own = (enum wg_scalar)var->scalar;
    if (contents->init != BUFFER_IOTA && contents->init != BUFFER_RANDOM &&
        contents->init != BUFFER_VALUES)
        return false;
    if (texture_spec_is_texture(var->type))
        return false;
    if (own == WG_U32 || own == WG_I32)
        return given == WG_F32 && !is_bits(contents);
    return (own == WG_F32 || own == WG_F16) && given != own && !is_bits(contents);
}

bool job_build_doubts(const struct kernel *kernel, const struct job_spec *spec,
                      const struct job_spec_buffer *buffer, struct wgsim_error *line) {
    static const char *const names[] = {"u32", "i32", "f32", "f16"};
    const struct wg_var *var = var_of(kernel, spec, buffer);
    if (!var && buffer->declared) {
        error_format(line, "%s at %u:%u is not used by what runs: the buffer is left out",
                     buffer->declared, buffer->contents.group, buffer->contents.binding);
        return true;
    }
    bool given = var && are_others(&buffer->contents, var);
    if (!given && !(var && buffer->has_expect && are_others(&buffer->expect, var)))
        return false;
    const struct buffer_spec *numbers = given ? &buffer->contents : &buffer->expect;
    error_format(line,
                 "the elements of buffer %s are %s, and the numbers %s as %s are %s by their "
                 "bits",
                 buffer->name ? buffer->name : var->name, names[var->scalar],
                 given ? "given" : "expected", names[numbers->type.scalar],
                 given ? "read" : "compared");
    return true;
}
