/* What a user asks for: a shader or kernel, its overrides, buffers and dispatches; from options or
 * a job file. */
#ifndef SIM_JOB_SPEC_H
#define SIM_JOB_SPEC_H

#include "sim/arena.h"
#include "sim/buffer_spec.h"
#include "wgsim/wgsim.h"

struct job_spec_buffer {
    const char *name; /* or NULL */
    bool bound;       /* contents.group and .binding say where */
    struct buffer_spec contents;
    bool has_expect;
    struct buffer_spec expect; /* contents wanted after the job */
    const char *rule;          /* by which a cross-check compares it, or NULL */
    const char *declared;      /* the variable that the shader declares at its place, or NULL */
};

/* From this dispatch on, the variable (by name or "[G:]B") is bound to the buffer of that name. */
struct job_spec_bind {
    const char *variable, *buffer;
};

struct job_spec_dispatch {
    const char *entry; /* NULL: the job's */
    uint32_t groups[3];
    struct job_spec_bind *binds;
    size_t bind_count;
};

struct job_spec_override {
    const char *name;
    double value;
    bool truth; /* it was written as true or false */
};

/* Everything lives in the arena. */
struct job_spec {
    struct arena arena;
    const char *shader; /* path: WGSL, C or a kernel object */
    const char *entry;  /* NULL: the only one */
    struct job_spec_override *overrides;
    size_t override_count;
    struct job_spec_buffer *buffers;
    size_t buffer_count;
    struct job_spec_dispatch *dispatches;
    size_t dispatch_count;
};

/* Reads a job file; paths in it are taken from its own folder. Must be released either way. */
int job_spec_read(struct job_spec *spec, const char *path, struct wgsim_error *err);
/* The same from text; folder NULL: paths are used as they are. */
int job_spec_parse(struct job_spec *spec, const char *text, const char *folder,
                   struct wgsim_error *err);
void job_spec_release(struct job_spec *spec);

#endif
