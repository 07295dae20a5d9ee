/* What a command runs: the kernel that its operand names, and how jobs of it are made. */
#ifndef SIM_CLI_SUBJECT_H
#define SIM_CLI_SUBJECT_H

#include "sim/cli/run_options.h"
#include "sim/cli/subject_options.h"
#include "sim/job_spec.h"

struct subject_kind;

struct subject_binding {
    uint32_t group, binding;
    const char *name;
};

struct subject {
    struct arena arena;
    const struct subject_kind *kind;
    const char *operand;
    const char *source_root; /* where names of its source files start; NULL: the current folder */
    const struct subject_cli *options; /* for shaders */
    struct kernel kernel;
    struct job_spec spec; /* of a job file */
    const char *text;     /* of a shader, as the preprocessor left it; NULL: it is none */
    struct subject_binding *bindings; /* that a shader declares, whether they are used or not */
    size_t binding_count;
    bool rejected;       /* it could not be opened, since it is a shader that is not valid */
    json_t *diagnostics; /* of a shader, or NULL */
};

/* Loads the kernel: a built-in one by name, a kernel object (.so), a C kernel (.c), a shader
 * (.wgsl) or a job file
 * (.json). Must be released either way. The options must outlive it; NULL: none were
 * given. */
int subject_open(struct subject *subject, const char *operand, const struct setup *setup,
                 const struct subject_cli *options, struct wgsim_error *err);
/* Whether the operand is the name of a file; else it is that of a built-in kernel. */
bool subject_is_file(const struct subject *subject);
/* The files that it was read from; returns how many. */
enum { SUBJECT_FILES = 2 };
size_t subject_files(const struct subject *subject, const char *files[SUBJECT_FILES]);
void subject_release(struct subject *subject);

/* Fills a job for the subject. The job must be released either way. */
int subject_job(const struct subject *subject, struct job *job, const struct setup *setup,
                struct wgsim_error *err);

#endif
