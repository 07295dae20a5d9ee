/* A job: buffers, and dispatches of one kernel over them in order. */
#ifndef SIM_JOB_H
#define SIM_JOB_H

#include "sim/arena.h"
#include "sim/kernel.h"
#include "sim/limits.h"

#define JOB_UNBOUND UINT32_MAX

struct job_buffer {
    const char *name;
    uint32_t like;    /* id of the variable whose element type it has */
    uint8_t *data;    /* contents, changed by runs */
    uint8_t *initial; /* contents before the first run */
    uint64_t bytes;
    const uint8_t *expect;  /* contents wanted afterwards, as many bytes; NULL: not known */
    const char *rule;       /* by which a cross-check compares it; NULL: not said */
    bool is_default;        /* nobody gave it: it is zeros */
    bool length_is_guessed; /* nor said how many elements it has */
};

struct job_dispatch {
    const struct wg_entry *entry;
    uint32_t groups[3];
    union wg_value overrides[WG_MAX_OVERRIDES];
    uint32_t bound[WG_MAX_VARS]; /* by variable: index of its buffer, or JOB_UNBOUND */
};

struct job {
    const struct kernel *kernel;
    const struct limits *limits; /* of its buffers, to be set after job_init; NULL: none */
    bool over_limits;            /* a buffer was refused for them */
    struct arena arena;          /* holds all that follows */
    struct job_buffer *buffers;
    size_t buffer_count, buffer_capacity;
    struct job_dispatch *dispatches;
    size_t dispatch_count, dispatch_capacity;
};

void job_init(struct job *job, const struct kernel *kernel);
void job_release(struct job *job);

/* Whether a buffer can be added: limits allow it, and there is memory for all copies of it. */
int job_check_buffer(struct job *job, const char *name, uint32_t like, uint64_t bytes,
                     struct wgsim_error *err);
/* Adds a buffer of `bytes` zeroed bytes; contents are written to .data before job_seal. NULL: it
 * cannot be added. The pointer holds until the next one is added. */
struct job_buffer *job_add_buffer(struct job *job, const char *name, uint32_t like, uint64_t bytes,
                                  struct wgsim_error *err);
/* Adds a dispatch with nothing bound, zero groups and default overrides. The pointer holds until
 * the next one is added. */
struct job_dispatch *job_add_dispatch(struct job *job, const struct wg_entry *entry);
/* Keeps the initial contents of all buffers. */
int job_seal(struct job *job, struct wgsim_error *err);
/* Puts the initial contents back, for another run. */
void job_reset(struct job *job);

/* Elements of a buffer. */
uint64_t job_elements(const struct job *job, const struct job_buffer *buffer);

/* Whether a buffer is what can be bound to a variable: a texture of a format that it takes, a
 * sampler, or neither of them. */
int job_check_binding(const struct job *job, const struct job_buffer *buffer,
                      const struct wg_var *var, struct wgsim_error *err);

/* Checks that every variable that a dispatch uses is bound to a buffer that is large enough, and
 * that no binding is used twice; fills `views` (WG_MAX_VARS + 1 members), each of whole elements.
 */
int job_bind(const struct job *job, const struct job_dispatch *dispatch, struct wg_view *views,
             struct wgsim_error *err);

#endif
