/* Agreement of the front end with the verdicts of the conformance data.
 *
 *   wgsl_validation [-v] [-b BASELINE] FILE.jsonl.gz...
 *
 * One line a file: folder, programs, agreeing ones. -v: lists what disagrees, with our first error
 * or the reference compiler's. -b: fails if a case disagrees that the baseline does not list, or
 * lists and agrees (the list may only shrink). A baseline's line is "FOLDER NUMBER". */
#include <jansson.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/wgsl/front.h"

enum { CASE_LIMIT = 65536 };

struct tally {
    const char *folder;
    bool verbose;
    bool *expected; /* by case: the baseline lists it; NULL: no baseline */
    unsigned total, agree, surprises;
};

static void describe(const json_t *program, const struct wgsl_diagnostics *d, unsigned number,
                     const char *folder) {
    const json_t *tint = json_object_get(program, "tint");
    printf("%s %u: ", folder, number);
    if (d->first)
        printf("rejected: %u:%u %s\n", d->first->span.line, d->first->span.column,
               d->first->message);
    else
        printf("accepted; reference: %lld:%lld %s\n",
               (long long)json_integer_value(json_array_get(tint, 0)),
               (long long)json_integer_value(json_array_get(tint, 1)),
               json_string_value(json_array_get(tint, 2)));
}

static void check_case(struct tally *t, const json_t *program, unsigned number) {
    const json_t *text = json_object_get(program, "wgsl");
    struct wgsl_diagnostics diagnostics;
    wgsl_diagnostics_init(&diagnostics);
    struct wgsl_module *module = wgsl_front("case.wgsl", json_string_value(text),
                                            json_string_length(text), NULL, &diagnostics);
    bool agrees = (module != NULL) == json_is_true(json_object_get(program, "valid"));
    t->total++;
    t->agree += agrees;
    if (!agrees && t->verbose)
        describe(program, &diagnostics, number, t->folder);
    if (t->expected && t->expected[number] == agrees) {
        t->surprises++;
        printf("# %s %u %s\n", t->folder, number,
               agrees ? "agrees now: take it off the baseline" : "disagrees");
    }
    wgsl_free(module);
    wgsl_diagnostics_release(&diagnostics);
}

static int check_file(struct tally *t, const char *path) {
    char command[4096];
    snprintf(command, sizeof command, "gzip -dc '%s'", path);
    FILE *in = popen(command, "r");
    char *line = NULL;
    size_t size = 0;
    unsigned number = 0;
    int failed = in == NULL;
    while (in && !failed && number < CASE_LIMIT && getline(&line, &size, in) > 0) {
        json_t *program = json_loads(line, JSON_ALLOW_NUL, NULL);
        failed = program == NULL;
        if (program)
            check_case(t, program, number++);
        json_decref(program);
    }
    free(line);
    if (in && pclose(in) != 0)
        failed = 1;
    if (failed)
        fprintf(stderr, "cannot read %s\n", path);
    return failed ? -1 : 0;
}

/* The cases of one folder that the baseline lists. */
static bool *read_baseline(const char *path, const char *folder) {
    bool *expected = calloc(CASE_LIMIT, sizeof *expected);
    FILE *in = fopen(path, "r");
    char name[64];
    unsigned number;
    while (in && expected && fscanf(in, "%63s %u", name, &number) == 2)
        if (strcmp(name, folder) == 0 && number < CASE_LIMIT)
            expected[number] = true;
    if (in)
        fclose(in);
    else
        fprintf(stderr, "cannot read %s\n", path);
    return expected;
}

int main(int argc, char **argv) {
    bool verbose = false;
    const char *baseline = NULL;
    int status = 0, i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "-v") == 0)
            verbose = true;
        else if (strcmp(argv[i], "-b") == 0 && i + 1 < argc)
            baseline = argv[++i];
    }
    for (; i < argc; i++) {
        char *copy = strdup(argv[i]), *folder = basename(copy);
        folder[strcspn(folder, ".")] = '\0';
        struct tally t = {.folder = folder, .verbose = verbose};
        t.expected = baseline ? read_baseline(baseline, folder) : NULL;
        if (check_file(&t, argv[i]) != 0 || t.surprises)
            status = 1;
        printf("%s: %u programs, %u agree (%.2f %%)\n", folder, t.total, t.agree,
               t.total ? 100.0 * t.agree / t.total : 0.0);
        free(t.expected);
        free(copy);
    }
    return status;
}
