/*
 * Host side of wgsim: what a program that embeds the simulator calls, to unit-test its kernels,
 * say.
 *
 *     struct wgsim *sim = wgsim_new(NULL, &err); // each call may fail
 *     wgsim_load(sim, "saxpy.c", &err);
 *     wgsim_buffer(sim, "x", x, sizeof x, &err);
 *     wgsim_buffer(sim, "y", y, sizeof y, &err);
 *     wgsim_dispatch(sim, NULL, 4, 1, 1, &err);
 *     wgsim_run(sim, &err);
 *     const float *result = wgsim_read(sim, "y", NULL, &err);
 *     ... wgsim_report(sim)->verdict == WGSIM_FINISHED ...
 *     wgsim_free(sim);
 *
 * Nothing here prints or ends the program. Functions that can fail return -1 or NULL and then say
 * why in *err, which may be NULL. What they return lives until the next call for the same simulator
 * that is not const, unless said otherwise. Two simulators share nothing; one must be used by one
 * thread at a time.
 */
#ifndef WGSIM_WGSIM_H
#define WGSIM_WGSIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Why a call failed: one line, lower case, no trailing newline. */
struct wgsim_error {
    char message[1024];
};

/* ---- A simulator: a device, a kernel, its buffers ---- */

struct wgsim;

enum wgsim_order { WGSIM_ASCENDING, WGSIM_DESCENDING, WGSIM_RANDOM };
enum wgsim_placement { WGSIM_FEWEST, WGSIM_FILL, WGSIM_ROUND_ROBIN, WGSIM_STATIC };
enum wgsim_refill { WGSIM_REFILL_EAGER, WGSIM_REFILL_LAZY };
enum wgsim_pace { WGSIM_PACE_MODELLED, WGSIM_PACE_EVEN, WGSIM_PACE_RANDOM };
enum wgsim_outside { WGSIM_CLAMP, WGSIM_DROP, WGSIM_ZERO, WGSIM_TRAP };
enum wgsim_lanes { WGSIM_LANES_OF_DEVICE, WGSIM_INDEPENDENT, WGSIM_LOCKSTEP };

/* Zeroed means the defaults. */
struct wgsim_options {
    const char *device;      /* preset: "default" (NULL), "h200", ... */
    const char *device_file; /* JSON, instead of a preset; NULL: none */
    uint32_t cus;            /* compute units; 0: as the device has */
    uint32_t subgroup;       /* lanes of a subgroup; 0: as the device has */
    uint32_t registers;      /* of a lane; 0: the kernel's or the device's default */
    uint64_t seed;
    uint64_t max_steps; /* of subgroups, until a run ends as suspected; 0: 100,000,000 */
    enum wgsim_order order;
    enum wgsim_placement placement;
    enum wgsim_refill refill; /* when a freed place is given to the next workgroup */
    enum wgsim_pace pace;     /* how long a step takes */
    uint32_t resident;        /* most workgroups at once on the whole device; 0: what fits */
    uint32_t threads; /* of the host, up to 1,024: they change the time taken alone; 0: one */
    enum wgsim_outside outside; /* what an access out of bounds does */
    enum wgsim_lanes lanes;
    bool device_limits;  /* pipelines are held to the device's limits, not to WebGPU's */
    bool stress_yield;   /* invocations give up control at every access */
    bool weak_memory;    /* other workgroups see plain stores late */
    const char *include; /* folder that holds wgsim/kernel.h, for kernels in C; NULL: where it was
                            installed */
};

/* options may be NULL, and need not outlive the call. */
struct wgsim *wgsim_new(const struct wgsim_options *options, struct wgsim_error *err);
void wgsim_free(struct wgsim *sim); /* NULL is fine */

/* Loads a kernel object (.so), or compiles a kernel in C (.c) or a shader (.wgsl, all its compute
 * entry points). A simulator has one kernel; buffers, overrides and dispatches of an earlier one
 * are dropped. */
int wgsim_load(struct wgsim *sim, const char *path, struct wgsim_error *err);

/* The same with a kernel that is part of the calling program, which can hold one: &wgsim_kernel_2.
 */
struct wg_kernel;
int wgsim_use(struct wgsim *sim, const struct wg_kernel *kernel, struct wgsim_error *err);

/* Gives an override of the shader that is loaded next its value, which is compiled in. */
int wgsim_constant(struct wgsim *sim, const char *name, double value, struct wgsim_error *err);

/* ---- What to run ---- */

/* Sets an override of a kernel in C for the dispatches that are added from now on: "16", "0.5",
 * "true". */
int wgsim_set(struct wgsim *sim, const char *name, const char *value, struct wgsim_error *err);

/* Makes a buffer of a copy of `bytes` bytes (of zeros if data is NULL) and binds it to the
 * variable, in place of what was bound there. */
int wgsim_buffer(struct wgsim *sim, const char *variable, const void *data, size_t bytes,
                 struct wgsim_error *err);

/* Binds a variable to the buffer that was made for another one, for the dispatches that are added
 * from now on. */
int wgsim_bind(struct wgsim *sim, const char *variable, const char *other, struct wgsim_error *err);

/* Adds a dispatch of x * y * z workgroups; it runs in wgsim_run. entry may be NULL where the kernel
 * has one only. */
int wgsim_dispatch(struct wgsim *sim, const char *entry, uint32_t x, uint32_t y, uint32_t z,
                   struct wgsim_error *err);

/* Instead of buffers and dispatches: those that the kernel itself plans for a problem size (0: its
 * default). wgsim_run then also compares the results with the kernel's reference. */
int wgsim_plan(struct wgsim *sim, uint64_t size, struct wgsim_error *err);

/* Runs the dispatches that were added since the last run, in order, all writes of one visible to
 * the next; the same ones again if none was added since. 0 also where the kernel hangs or is wrong:
 * the report says so. */
int wgsim_run(struct wgsim *sim, struct wgsim_error *err);

/* ---- What came of it ---- */

/* The contents of the buffer made for a variable; *bytes, if not NULL, is its size. */
const void *wgsim_read(struct wgsim *sim, const char *variable, size_t *bytes,
                       struct wgsim_error *err);

enum wgsim_verdict {
    WGSIM_FINISHED,
    WGSIM_DEADLOCK,
    WGSIM_LIVELOCK,
    WGSIM_DIVERGENCE,
    WGSIM_SUSPECTED,
    WGSIM_REJECTED,
    WGSIM_TRAPPED
};
enum wgsim_severity { WGSIM_ERROR, WGSIM_WARNING, WGSIM_ADVICE };

struct wgsim_finding {
    const char *kind; /* "race", "out-of-bounds", ... */
    enum wgsim_severity severity;
    const char *text;
    const char *variable; /* or NULL */
    const char *file;     /* or NULL */
    uint32_t line;
    uint64_t count; /* how often */
};

/* Requests of subgroups; wavefronts and conflicts are of workgroup memory, sectors of storage. */
struct wgsim_counts {
    uint64_t requests, wavefronts, conflicts, sectors, bytes;
};

struct wgsim_report {
    enum wgsim_verdict verdict;
    bool wrong;      /* the results differ from the kernel's reference */
    uint64_t cycles; /* modelled */
    uint64_t barriers;
    uint32_t workgroups_per_cu; /* that fit, in the first dispatch */
    struct wgsim_counts workgroup_load, workgroup_store, workgroup_atomic;
    struct wgsim_counts storage_load, storage_store, storage_atomic;
    const struct wgsim_finding *findings; /* most severe first */
    size_t finding_count;
};

/* Of the last wgsim_run that succeeded; NULL before. */
const struct wgsim_report *wgsim_report(const struct wgsim *sim);

/* The same in full: as JSON (schema "wgsim-report/1") or as the text that `wgsim run` prints. The
 * caller frees it. */
char *wgsim_report_json(const struct wgsim *sim, struct wgsim_error *err);
char *wgsim_report_text(const struct wgsim *sim, struct wgsim_error *err);

#ifdef __cplusplus
}
#endif

#endif
