/* Options of the commands that take a WGSL shader. */
#include "sim/cli/shader_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/error.h"

#define AT(member) offsetof(struct shader_cli, member)

static const char *const dialects[] = {"standard", "naga", NULL};

const struct cli_option shader_option_table[] = {
    {"entry", NULL, 0, CLI_STRING, AT(entry), "NAME", NULL, "the entry point"},
    {"define", NULL, 'D', CLI_LIST, AT(defines), "NAME[=V]", NULL,
     "define a name for #ifdef and #if"},
    {"include", NULL, 'I', CLI_LIST, AT(include_dirs), "DIR", NULL,
     "look for #include files here too"},
    {"dialect", NULL, 0, CLI_CHOICE, AT(dialect), NULL, dialects,
     "naga: warn about what naga accepts"},
    {0},
};

/* NAME=VALUE, where a value is a number, true or false. */
static int parse_setting(struct arena *arena, const char *text, struct wgsl_setting *setting,
                         struct wgsim_error *err) {
    const char *equals = strchr(text, '=');
    char *end;
    if (!equals || equals == text)
        return error_set(err, "--set takes NAME=VALUE, not '%s'", text);
    setting->key = arena_printf(arena, "%.*s", (int)(equals - text), text);
    if (!setting->key)
        return error_set(err, "out of memory");
    if (strcmp(equals + 1, "true") == 0 || strcmp(equals + 1, "false") == 0) {
        setting->value = equals[1] == 't';
        setting->written = WRITTEN_AS_TRUTH;
        return 0;
    }
    setting->value = strtod(equals + 1, &end);
    setting->written = WRITTEN_AS_NUMBER;
    if (end == equals + 1 || *end)
        return error_set(err, "--set %s: '%s' is not a number", setting->key, equals + 1);
    return 0;
}

struct wgsl_setting *shader_settings(struct arena *arena, const char *const *texts, size_t count,
                                     struct wgsim_error *err) {
    struct wgsl_setting *settings = arena_alloc(arena, (count + 1) * sizeof *settings);
    if (!settings)
        error_format(err, "out of memory");
    for (size_t k = 0; settings && k < count; k++) {
        if (parse_setting(arena, texts[k], &settings[k], err))
            return NULL;
    }
    return settings;
}

static int check_folders(const struct cli_list *folders, struct wgsim_error *err) {
    struct stat info;
    for (size_t k = 0; k < folders->count; k++) {
        if (stat(folders->items[k], &info))
            return error_set(err, "--include: cannot read %s: %s", folders->items[k],
                             strerror(errno));
        if (!S_ISDIR(info.st_mode))
            return error_set(err, "--include: %s is no folder", folders->items[k]);
    }
    return 0;
}

static int open_text(struct shader *shader, const char *path, const struct shader_cli *cli,
                     const struct shader_wanted *wanted, struct wgsl_diagnostics *diagnostics,
                     struct wgsim_error *err) {
    struct shader_options options = {
        .front = {.dialect = (enum wgsl_dialect)cli->dialect,
                  .defines = cli->defines.items,
                  .define_count = (uint32_t)cli->defines.count,
                  .include_dirs = cli->include_dirs.items,
                  .include_dir_count = (uint32_t)cli->include_dirs.count},
        .entries = wanted->entry_count ? wanted->entries : &cli->entry,
        .entry_count = wanted->entry_count ? wanted->entry_count : cli->entry != NULL,
        .settings = wanted->settings,
        .setting_count = wanted->setting_count,
        .partial = wanted->partial,
    };
    size_t length;
    char *text =
        check_folders(&cli->include_dirs, err) == 0 ? shader_read(path, &length, err) : NULL;
    if (!text)
        return -1;
    int status = shader_open(shader, path, text, length, &options, diagnostics, err);
    free(text);
    return status;
}

/* An error that has no place in the text is one of the options: the line on it says all. */
static bool is_of_options(const struct wgsl_diagnostics *list, const char *path,
                          struct wgsim_error *err) {
    const struct wgsl_diagnostic *first = list->first;

    while (first && first->severity != WGSL_ERROR)
        first = first->next;
    if (!first || first->span.line)
        return false;
    error_format(err, "%s: %s", path, first->message);
    return true;
}

int shader_cli_open(struct shader *shader, const char *path, const struct shader_cli *options,
                    const struct shader_wanted *wanted, json_t **diagnostics,
                    struct wgsim_error *err) {
    struct wgsl_diagnostics list;
    struct buf text = {0};
    *shader = (struct shader){0};
    wgsl_diagnostics_init(&list);
    int status = open_text(shader, path, options, wanted, &list, err);
    if (status ? !is_of_options(&list, path, err) : !options->unwarned)
        wgsl_diagnostics_print(&list, &text);
    fputs(text.data ? text.data : "", stderr);
    buf_release(&text);
    if (diagnostics)
        *diagnostics = shader_diagnostics_json(&list);
    if (status)
        shader_release(shader);
    wgsl_diagnostics_release(&list);
    return status;
}
