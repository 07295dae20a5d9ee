/* Agreement of the front end with the verdicts of the conformance data.
 *
 *   wgsl_validation FILE.jsonl.gz...
 *
 * One line a file: folder, programs, agreeing ones; before it a line for each that disagrees, with
 * our first error or the reference compiler's. Fails if there is any. */
#include <jansson.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/wgsl/front.h"

struct tally {
    const char *folder;
    unsigned total, agree;
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
    if (!agrees)
        describe(program, &diagnostics, number, t->folder);
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
    while (in && !failed && getline(&line, &size, in) > 0) {
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

int main(int argc, char **argv) {
    int status = 0;
    for (int i = 1; i < argc; i++) {
        char *copy = strdup(argv[i]), *folder = basename(copy);
        folder[strcspn(folder, ".")] = '\0';
        struct tally t = {.folder = folder};
        if (check_file(&t, argv[i]) != 0 || t.agree < t.total)
            status = 1;
        printf("%s: %u programs, %u agree (%.2f %%)\n", folder, t.total, t.agree,
               t.total ? 100.0 * t.agree / t.total : 0.0);
        free(copy);
    }
    return status;
}
