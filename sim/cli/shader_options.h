/* Options of the commands that take a WGSL shader, and how such a command opens it. */
#ifndef SIM_CLI_SHADER_OPTIONS_H
#define SIM_CLI_SHADER_OPTIONS_H

#include <jansson.h>

#include "sim/cli/options.h"
#include "sim/shader.h"

struct shader_cli {
    const char *entry;
    struct cli_list defines, include_dirs;
    unsigned dialect; /* enum wgsl_dialect */
    bool unwarned;    /* no option: its warnings are left out */
};

extern const struct cli_option shader_option_table[];

/* The heading of the table in --help. */
#define SHADER_OPTIONS_TITLE "Shader"

/* Which of a shader's entry points are wanted, and the values of its overrides. */
struct shader_wanted {
    const char *const *entries; /* none: those of the options, else all */
    uint32_t entry_count;
    const struct wgsl_setting *settings;
    uint32_t setting_count;
    bool partial; /* see struct shader_options */
};

/* "NAME=VALUE" texts as settings, in the arena; a value is a number, true or false. NULL: one is
 * not. */
struct wgsl_setting *shader_settings(struct arena *arena, const char *const *texts, size_t count,
                                     struct wgsim_error *err);

/* Reads and checks a shader. What is wrong with it, or worth a warning, is printed on stderr and,
 * where diagnostics is not NULL, left there as a JSON array. Returns -1 with nothing to release. */
int shader_cli_open(struct shader *shader, const char *path, const struct shader_cli *options,
                    const struct shader_wanted *wanted, json_t **diagnostics,
                    struct wgsim_error *err);

#endif
