/* Jobs. */
#include "sim/job.h"

#include <string.h>

#include "sim/error.h"
#include "sim/room.h"
#include "sim/texture_spec.h"

void job_init(struct job *job, const struct kernel *kernel) {
    *job = (struct job){.kernel = kernel};
    arena_init(&job->arena);
}

void job_release(struct job *job) {
    arena_release(&job->arena);
}

/* Room for one more member; the old array stays in the arena. */
static void *grown(struct job *job, void *items, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity)
        return items;
    size_t wanted = *capacity ? *capacity * 2 : 8;
    void *larger = arena_alloc(&job->arena, wanted * size);
    if (!larger)
        return NULL;
    if (count)
        memcpy(larger, items, count * size);
    *capacity = wanted;
    return larger;
}

/* WebGPU aligns bindings to 256 bytes; 64 are enough for sectors and for vector accesses. */
static uint8_t *aligned_bytes(struct arena *arena, uint64_t bytes) {
    uint8_t *data = bytes < SIZE_MAX / 2 ? arena_alloc(arena, (size_t)bytes + 64) : NULL;

    return data ? (uint8_t *)(((uintptr_t)data + 63) / 64 * 64) : NULL;
}

/* Not worth a look at the machine. */
#define SMALL_BYTES (UINT64_C(1) << 26)

/* A buffer is kept as it is, as it was at first, and as it was before the dispatch under way. */
enum { COPIES = 3 };

int job_check_buffer(struct job *job, const char *name, uint32_t like, uint64_t bytes,
                     struct wgsim_error *err) {
    const struct wg_var *var = job->kernel->vars[like];
    uint64_t before = 0;

    if (job->limits && !texture_spec_is_texture(var->type) && bytes % 4)
        return error_set(err, "buffer %s has %llu bytes: WebGPU binds buffers by multiples of 4",
                         name, (unsigned long long)bytes);
    if (job->limits && !texture_spec_is_texture(var->type) &&
        limits_check_buffer(job->limits, name, bytes, var->space == WG_SPACE_UNIFORM, err) < 0) {
        job->over_limits = true;
        return -1;
    }
    for (size_t i = 0; i < job->buffer_count; i++)
        before += job->buffers[i].initial ? 0 : job->buffers[i].bytes;
    uint64_t room = bytes < SMALL_BYTES ? UINT64_MAX : room_left() / COPIES;
    if (bytes < room && before < room - bytes)
        return 0;
    return error_set(err,
                     "no memory for buffer %s: %llu bytes, of which a run keeps %d copies, and the "
                     "machine can give %llu",
                     name, (unsigned long long)bytes, COPIES, (unsigned long long)room_left());
}

struct job_buffer *job_add_buffer(struct job *job, const char *name, uint32_t like, uint64_t bytes,
                                  struct wgsim_error *err) {
    if (job_check_buffer(job, name, like, bytes, err) < 0)
        return NULL;
    struct job_buffer *buffers =
        grown(job, job->buffers, job->buffer_count, &job->buffer_capacity, sizeof *buffers);
    char *own_name = arena_strdup(&job->arena, name);
    uint8_t *data = aligned_bytes(&job->arena, bytes);

    if (!buffers || !own_name || !data) {
        error_format(err, "no memory for buffer %s: %llu bytes", name, (unsigned long long)bytes);
        return NULL;
    }
    job->buffers = buffers;
    struct job_buffer *buffer = &job->buffers[job->buffer_count++];
    *buffer = (struct job_buffer){.name = own_name, .like = like, .data = data, .bytes = bytes};
    return buffer;
}

struct job_dispatch *job_add_dispatch(struct job *job, const struct wg_entry *entry) {
    struct job_dispatch *dispatches = grown(job, job->dispatches, job->dispatch_count,
                                            &job->dispatch_capacity, sizeof *dispatches);

    if (!dispatches)
        return NULL;
    job->dispatches = dispatches;
    struct job_dispatch *dispatch = &job->dispatches[job->dispatch_count++];
    *dispatch = (struct job_dispatch){.entry = entry};
    for (size_t i = 0; i < WG_MAX_VARS; i++)
        dispatch->bound[i] = JOB_UNBOUND;
    kernel_defaults(job->kernel, dispatch->overrides);
    return dispatch;
}

int job_seal(struct job *job, struct wgsim_error *err) {
    for (size_t i = 0; i < job->buffer_count; i++) {
        struct job_buffer *buffer = &job->buffers[i];
        if (buffer->initial)
            continue;
        buffer->initial = aligned_bytes(&job->arena, buffer->bytes);
        if (!buffer->initial)
            return error_set(err, "out of memory for buffer %s of %llu bytes", buffer->name,
                             (unsigned long long)buffer->bytes);
        memcpy(buffer->initial, buffer->data, buffer->bytes);
    }
    return 0;
}

void job_reset(struct job *job) {
    for (size_t i = 0; i < job->buffer_count; i++)
        memcpy(job->buffers[i].data, job->buffers[i].initial, job->buffers[i].bytes);
}

uint64_t job_elements(const struct job *job, const struct job_buffer *buffer) {
    uint32_t stride = job->kernel->vars[buffer->like]->stride;

    return stride ? buffer->bytes / stride : 0;
}

static uint64_t least_bytes(const struct wg_var *var) {
    return var->fixed_bytes ? var->fixed_bytes : var->element_bytes;
}

/* "texture", "sampler" or "buffer" */
static const char *kind_of(const char *type) {
    return texture_spec_is_texture(type)   ? "texture"
           : texture_spec_is_sampler(type) ? "sampler"
                                           : "buffer";
}

int job_check_binding(const struct job *job, const struct job_buffer *buffer,
                      const struct wg_var *var, struct wgsim_error *err) {
    const char *is = kind_of(job->kernel->vars[buffer->like]->type), *wanted = kind_of(var->type);
    struct wgsim_error why;

    if (strcmp(is, wanted) != 0)
        return error_set(err, "%s %s cannot be bound to %s, a %s", is, buffer->name, var->name,
                         wanted);
    if (!texture_spec_is_texture(var->type) ||
        texture_spec_check(buffer->data, buffer->bytes, var->type, &why) == 0)
        return 0;
    bool apart = strcmp(buffer->name, var->name) != 0;
    return error_set(err, "texture %s%s%s: %s", buffer->name, apart ? " cannot be bound to " : "",
                     apart ? var->name : "", why.message);
}

static int bind_one(const struct job *job, const struct job_dispatch *dispatch,
                    const struct wg_var *var, struct wg_view *views, struct wgsim_error *err) {
    uint32_t index = dispatch->bound[var->id];

    if (index == JOB_UNBOUND)
        return error_set(err, "no buffer is bound to %s (@group(%u) @binding(%u))", var->name,
                         var->group, var->binding);
    const struct job_buffer *buffer = &job->buffers[index];
    if (buffer->bytes < least_bytes(var))
        return error_set(err, "buffer %s has %llu bytes, %s needs at least %llu", buffer->name,
                         (unsigned long long)buffer->bytes, var->name,
                         (unsigned long long)least_bytes(var));
    if (job_check_binding(job, buffer, var, err) < 0)
        return -1;
    views[var->id] = (struct wg_view){buffer->data, buffer->bytes};
    if (!var->fixed_bytes && var->stride && buffer->bytes >= var->stride)
        views[var->id].bytes -= buffer->bytes % var->stride;
    return 0;
}

/* Whether one buffer is bound to two variables of which one is written: WebGPU's usage rule. */
static int check_aliases(const struct job *job, const struct job_dispatch *dispatch,
                         struct wgsim_error *err) {
    const struct kernel *kernel = job->kernel;

    for (size_t a = 0; a < kernel->var_limit; a++)
        for (size_t b = a + 1; b < kernel->var_limit; b++) {
            const struct wg_var *one = kernel->vars[a], *two = kernel->vars[b];
            if (!one || !two || dispatch->bound[a] == JOB_UNBOUND ||
                dispatch->bound[a] != dispatch->bound[b] ||
                (one->space != WG_SPACE_STORAGE && two->space != WG_SPACE_STORAGE) ||
                !kernel_entry_uses(dispatch->entry, one->id) ||
                !kernel_entry_uses(dispatch->entry, two->id))
                continue;
            return error_set(err,
                             "buffer %s is bound to both %s and %s, and one of them is written",
                             job->buffers[dispatch->bound[a]].name, one->name, two->name);
        }
    return 0;
}

int job_bind(const struct job *job, const struct job_dispatch *dispatch, struct wg_view *views,
             struct wgsim_error *err) {
    memset(views, 0, (WG_MAX_VARS + 1) * sizeof *views);
    for (size_t id = 0; id < job->kernel->var_limit; id++) {
        const struct wg_var *var = job->kernel->vars[id];
        if (!var || var->space == WG_SPACE_WORKGROUP ||
            !kernel_entry_uses(dispatch->entry, var->id))
            continue;
        if (bind_one(job, dispatch, var, views, err) < 0)
            return -1;
    }
    return check_aliases(job, dispatch, err);
}
