/* Tables and documents of verdicts. */
#include "sim/cli/litmus_output.h"

#include <stdio.h>
#include <stdlib.h>

#include "sim/cli/options.h"
#include "sim/cli/output.h"
#include "sim/json_text.h"

const char *verdict_letter(enum model_verdict verdict) {
    return verdict == MODEL_PASSES ? "P" : verdict == MODEL_FAILS ? "F" : "unknown";
}

json_t *litmus_row(const struct litmus_test *test, size_t number) {
    json_t *row = json_object();
    char *end = NULL;
    long id = test->id ? strtol(test->id, &end, 10) : (long)number;
    bool named = test->id && (*end || end == test->id);

    if (test->config)
        json_object_set_new(row, "config", json_text(test->config));
    json_object_set_new(row, "id", named ? json_text(test->id) : json_integer(id));
    json_object_set_new(row, "program", json_text(test->program));
    return row;
}

json_t *litmus_verdicts(const struct litmus_test *test, size_t number,
                        const struct decision *decision) {
    json_t *row = litmus_row(test, number);

    for (int m = 0; m < MODEL_COUNT; m++)
        json_object_set_new(row, models[m].name,
                            json_string(verdict_letter(decision->results[m].verdict)));
    return row;
}

static const char *text_of(const json_t *row, const char *key) {
    const char *text = json_string_value(json_object_get(row, key));

    return text ? text : "-";
}

static void print_row(const json_t *row, const char *const columns[]) {
    const json_t *id = json_object_get(row, "id");

    printf("%s\t", text_of(row, "config"));
    if (json_is_string(id))
        printf("%s", json_string_value(id));
    else
        printf("%lld", (long long)json_integer_value(id));
    for (size_t i = 0; columns[i]; i++)
        printf("\t%s", text_of(row, columns[i]));
    printf("\t%s\n", text_of(row, "program"));
}

void litmus_print_table(const json_t *rows, const char *const columns[]) {
    printf("config\tid");
    for (size_t i = 0; columns[i]; i++)
        printf("\t%s", columns[i]);
    printf("\tprogram\n");
    for (size_t i = 0; i < json_array_size(rows); i++)
        print_row(json_array_get(rows, i), columns);
}

int litmus_print(json_t *rows, bool json) {
    const char *columns[MODEL_COUNT + 1] = {NULL};

    if (json)
        return progress_print(progress_document(rows));
    for (int m = 0; m < MODEL_COUNT; m++)
        columns[m] = models[m].name;
    litmus_print_table(rows, columns);
    json_decref(rows);
    return 0;
}

json_t *progress_document(json_t *verdicts) {
    json_t *root = json_object();

    json_object_set_new(root, "schema", json_string("wgsim-progress/1"));
    json_object_set_new(root, "verdicts", verdicts);
    return root;
}

int progress_print(json_t *document) {
    struct wgsim_error err;

    if (output_json(document, &err) == 0)
        return 0;
    cli_fail(&err);
    return -1;
}
