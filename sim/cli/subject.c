/* The kernel that an operand names. */
#include "sim/cli/subject.h"

#include <string.h>
#include <unistd.h>

#include "sim/cli/builtins.h"
#include "sim/cli/paths.h"
#include "sim/cli/subject_shader.h"
#include "sim/cli/suggest.h"
#include "sim/cli/trial.h"
#include "sim/cli/watchdog.h"
#include "sim/error.h"

/* Options that say something to some kinds of subjects only. */
enum takes {
    TAKES_SIZE = 1,
    TAKES_SET = 2,
    TAKES_GROUPS = 4,
    TAKES_ENTRY = 8,
    TAKES_BUFFERS = 16,
    TAKES_TEXT = 32, /* how the text of a shader is read */
    TAKES_FOR_PLAN = TAKES_SIZE | TAKES_SET | TAKES_GROUPS,
    TAKES_WITHOUT_PLAN = TAKES_SET | TAKES_GROUPS | TAKES_ENTRY | TAKES_BUFFERS,
};

struct subject_kind {
    const char *suffix; /* of the operand; NULL: any */
    const char *what;   /* for messages */
    unsigned takes;     /* enum takes; 0: by whether the kernel has a plan */
    int (*open)(struct subject *subject, const struct setup *setup, struct wgsim_error *err);
    int (*fill)(const struct subject *subject, struct job *job, const struct setup *setup,
                struct wgsim_error *err);
};

/* ---- Kernel objects, C files and built-in kernels: they bring their own plan ---- */

static int open_file(struct subject *subject, const struct setup *setup, struct wgsim_error *err) {
    const char *include = paths_include(&subject->arena);

    (void)setup;
    if (!include)
        return error_set(err, "out of memory");
    return trial_open(&subject->kernel, subject->operand, include, err);
}

static int unknown_kernel(const char *name, struct wgsim_error *err) {
    struct suggestion suggestion = suggestion_for(name);
    struct builtins builtins;

    if (builtins_read(&builtins, err) < 0)
        return -1;
    for (size_t i = 0; i < builtins.count; i++)
        suggestion_offer(&suggestion, builtins.names[i]);
    if (suggestion.best)
        error_format(err, "there is no kernel '%s'; did you mean '%s'?", name, suggestion.best);
    else
        error_format(err, "there is no kernel '%s' (see 'wgsim list kernels')", name);
    builtins_release(&builtins);
    return -1;
}

static int open_builtin(struct subject *subject, const struct setup *setup,
                        struct wgsim_error *err) {
    (void)setup;
    const char *name = subject->operand;
    const char *path = strchr(name, '/') ? name : paths_kernel_object(&subject->arena, name);

    if (!path)
        return error_set(err, "out of memory");
    if (strchr(name, '/') || access(path, R_OK) != 0)
        return unknown_kernel(name, err);
    subject->source_root = paths_source_root(&subject->arena);
    return kernel_load(&subject->kernel, path, err);
}

/* A kernel without a plan gets its buffers and its dispatch from the options, as a shader does. */
static int fill_by_options(const struct subject *subject, struct job *job,
                           const struct setup *setup, struct wgsim_error *err) {
    bool given[WG_MAX_OVERRIDES] = {false};

    if (subject_shader_fill(subject, job, setup, err) < 0)
        return -1;
    for (size_t i = 0; i < setup->plan.set_count; i++)
        if (plan_set(&subject->kernel, setup->plan.set[i], job->dispatches[0].overrides, given,
                     err) < 0)
            return -1;
    return 0;
}

static int fill_by_plan(const struct subject *subject, struct job *job, const struct setup *setup,
                        struct wgsim_error *err) {
    if (!subject->kernel.desc->plan && subject->options)
        return fill_by_options(subject, job, setup, err);
    return plan_job(job, &setup->plan, err);
}

/* ---- The table ---- */

static const struct subject_kind kinds[] = {
    {".so", NULL, 0, open_file, fill_by_plan},
    {".c", NULL, 0, open_file, fill_by_plan},
    {".wgsl", "a shader", TAKES_WITHOUT_PLAN | TAKES_TEXT, subject_shader_open,
     subject_shader_fill},
    {".json", "a job file", TAKES_TEXT, subject_job_open, subject_job_fill},
    {NULL, NULL, 0, open_builtin, fill_by_plan},
};

/* An option that would say nothing is refused. */
static int check_options(const struct subject *subject, const struct setup *setup,
                         struct wgsim_error *err) {
    const struct shader_cli *shader = &subject->options->shader;
    bool planned = subject->kernel.desc->plan;
    unsigned takes = subject->kind->takes ? subject->kind->takes
                     : planned            ? TAKES_FOR_PLAN
                                          : TAKES_WITHOUT_PLAN;
    const char *what = subject->kind->what ? subject->kind->what
                       : planned           ? "a kernel with a plan of its own"
                                           : "a kernel without a plan";
    const struct {
        enum takes what;
        bool given;
        const char *option;
    } asked[] = {
        {TAKES_SIZE, setup->plan.size_given, "size"},
        {TAKES_SET, setup->plan.set_count, "set"},
        {TAKES_GROUPS, setup->groups_given, "groups"},
        {TAKES_ENTRY, shader->entry, "entry"},
        {TAKES_BUFFERS, subject->options->buffers.count, "buffer"},
        {TAKES_TEXT, shader->defines.count, "define"},
        {TAKES_TEXT, shader->include_dirs.count, "include"},
        {TAKES_TEXT, shader->dialect, "dialect"},
    };

    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        if (asked[i].given && !(takes & asked[i].what))
            return error_set(err, "%s is %s: it takes no --%s", subject->operand, what,
                             asked[i].option);
    return 0;
}

static bool ends_with(const char *text, const char *suffix) {
    size_t length = strlen(text), tail = strlen(suffix);

    return length > tail && strcmp(text + length - tail, suffix) == 0;
}

static const struct subject_kind *kind_of(const char *operand) {
    const struct subject_kind *kind = kinds;

    while (kind->suffix && !ends_with(operand, kind->suffix))
        kind++;
    return kind;
}

int subject_open(struct subject *subject, const char *operand, const struct setup *setup,
                 const struct subject_cli *options, struct wgsim_error *err) {
    static const struct subject_cli none;
    *subject = (struct subject){
        .operand = operand, .kind = kind_of(operand), .options = options ? options : &none};
    arena_init(&subject->arena);
    return subject->kind->open(subject, setup, err);
}

bool subject_is_file(const struct subject *subject) {
    return subject->kind->suffix;
}

size_t subject_files(const struct subject *subject, const char *files[SUBJECT_FILES]) {
    size_t count = 0;

    if (subject_is_file(subject))
        files[count++] = subject->operand;
    if (subject->spec.shader)
        files[count++] = subject->spec.shader;
    return count;
}

void subject_release(struct subject *subject) {
    kernel_release(&subject->kernel);
    job_spec_release(&subject->spec);
    json_decref(subject->diagnostics);
    arena_release(&subject->arena);
}

int subject_job(const struct subject *subject, struct job *job, const struct setup *setup,
                struct wgsim_error *err) {
    job_init(job, &subject->kernel);
    job->limits = &setup->limits;
    if (check_options(subject, setup, err) < 0)
        return -1;
    watchdog_plan(subject->kernel.desc->name);
    watchdog_code(subject->kernel.desc);
    return subject->kind->fill(subject, job, setup, err);
}
