/* What decides a run. */
#include "sim/trace/inputs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "sim/device_file.h"
#include "sim/error.h"
#include "sim/json_text.h"
#include "sim/trace/hash.h"

char *trace_hex(char *text, uint64_t hash) {
    snprintf(text, 17, "%016" PRIx64, hash);
    return text;
}

static json_t *hex(uint64_t hash) {
    char text[17];

    return json_string(trace_hex(text, hash));
}

/* ---- The kernel: what its text says, not how a compiler translated it ---- */

static uint64_t hash_site(const struct wg_site *site) {
    uint64_t hash =
        hash_text(hash_text(hash_text(HASH_START, site->file), site->text), site->variable);

    hash = hash_word(hash, (uint64_t)site->line << 32 | site->column);
    return hash_word(hash, (uint64_t)site->op << 16 | (uint64_t)site->flags << 8 | site->bytes);
}

static uint64_t hash_var(uint64_t hash, const struct wg_var *var) {
    hash = hash_text(hash_text(hash, var->name), var->type);
    return hash_word(hash, (uint64_t)var->space << 32 | var->stride);
}

/* Sites come in the order of the compiler: their hashes are summed. */
static uint64_t hash_kernel(const struct kernel *kernel) {
    const struct wg_kernel *desc = kernel->desc;
    uint64_t hash = hash_text(HASH_START, desc->name), sites = 0;

    for (size_t id = 0; id < kernel->site_limit; id++)
        if (kernel->sites[id])
            sites += hash_site(kernel->sites[id]);
    for (size_t id = 0; id < kernel->var_limit; id++)
        if (kernel->vars[id])
            hash = hash_var(hash, kernel->vars[id]);
    return hash_word(hash, sites);
}

/* ---- Files ---- */

static int hash_file(const char *path, uint64_t *hash, struct wgsim_error *err) {
    char buffer[8192];
    FILE *file = fopen(path, "rb");
    size_t count;

    if (!file)
        return error_set(err, "cannot read %s: %s", path, strerror(errno));
    for (*hash = HASH_START; (count = fread(buffer, 1, sizeof buffer, file)) == sizeof buffer;)
        *hash = hash_blocks(*hash, buffer, count);
    *hash = hash_bytes(*hash, buffer, count);
    int number = ferror(file) ? errno : 0;
    fclose(file);
    return number ? error_set(err, "cannot read %s: %s", path, strerror(number)) : 0;
}

static int add_files(json_t *inputs, const struct trace_subject *subject, struct wgsim_error *err) {
    json_t *files = json_object();
    uint64_t hash;

    json_object_set_new(inputs, "files", files);
    for (size_t i = 0; i < subject->file_count; i++) {
        if (hash_file(subject->files[i], &hash, err) < 0)
            return -1;
        json_object_set_new(files, subject->files[i], hex(hash));
    }
    return 0;
}

/* ---- Buffers and dispatches ---- */

static json_t *contents(const struct job *job, bool initial) {
    json_t *array = json_array();

    for (size_t i = 0; i < job->buffer_count; i++) {
        const struct job_buffer *buffer = &job->buffers[i];
        const uint8_t *bytes = initial && buffer->initial ? buffer->initial : buffer->data;
        json_array_append_new(array, json_pack("{s:s, s:I, s:o}", "name", buffer->name, "bytes",
                                               (json_int_t)buffer->bytes, "hash",
                                               hex(hash_bytes(HASH_START, bytes, buffer->bytes))));
    }
    return array;
}

json_t *trace_contents(const struct job *job) {
    return contents(job, false);
}

static json_t *dispatch_json(const struct job *job, const struct job_dispatch *dispatch) {
    json_t *overrides = json_object();
    const struct wg_kernel *desc = job->kernel->desc;

    for (const struct wg_override *o = desc->overrides; o < desc->overrides_end; o++)
        json_object_set_new(overrides, o->name,
                            o->type == WG_F32
                                ? json_real((double)dispatch->overrides[o->id].f)
                                : json_integer((json_int_t)dispatch->overrides[o->id].u));
    return json_pack("{s:s, s:[I, I, I], s:o}", "entry", dispatch->entry->name, "groups",
                     (json_int_t)dispatch->groups[0], (json_int_t)dispatch->groups[1],
                     (json_int_t)dispatch->groups[2], "overrides", overrides);
}

static json_t *dispatches_json(const struct job *job) {
    json_t *array = json_array();

    for (size_t i = 0; i < job->dispatch_count; i++)
        json_array_append_new(array, dispatch_json(job, &job->dispatches[i]));
    return array;
}

json_t *trace_inputs(const struct trace_subject *subject, struct wgsim_error *err) {
    const struct job *job = subject->job;
    json_t *inputs =
        json_pack("{s:{s:o, s:o}, s:o, s:o, s:o, s:I, s:b}", "kernel", "name",
                  json_text(job->kernel->desc->name), "hash", hex(hash_kernel(job->kernel)),
                  "dispatches", dispatches_json(job), "buffers", contents(job, true), "device",
                  device_to_json(subject->device), "seed", (json_int_t)subject->run->seed,
                  "lockstep", (int)subject->run->lockstep);

    if (!inputs) {
        error_format(err, "out of memory");
        return NULL;
    }
    if (add_files(inputs, subject, err) < 0) {
        json_decref(inputs);
        return NULL;
    }
    return inputs;
}
