/* wgsim explain: what a kind of finding means and what to do about it. */
#include <ctype.h>
#include <jansson.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/commands.h"
#include "sim/cli/options.h"
#include "sim/cli/output.h"
#include "sim/cli/suggest.h"
#include "sim/error.h"
#include "sim/finding.h"

enum { WIDTH = 78 };

static const struct cli_option options_table[] = {
    {"json", NULL, 0, CLI_FLAG, 0, NULL, NULL, "print the explanation as JSON"},
    {0},
};

/* Prints a paragraph broken into lines. */
static void print_paragraph(const char *text, int indent) {
    int column = 0;

    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column && column + 1 + length > WIDTH - indent) {
            putchar('\n');
            column = 0;
        }
        column += column ? printf(" %.*s", length, text)
                         : printf("%*s%.*s", indent, "", length, text) - indent;
        text += length;
        text += strspn(text, " ");
    }
    putchar('\n');
}

/* Prints source lines. */
static void print_example(const char *text) {
    while (*text) {
        int length = (int)strcspn(text, "\n");
        printf("    %.*s\n", length, text);
        text += length + (text[length] != 0);
    }
}

static void print_kind(const struct finding_kind_info *kind) {
    char fix[1024]; /* as a sentence, like what stands above it */

    printf("%s (%s)\n\n", kind->name, finding_severity_names[kind->severity]);
    print_paragraph(kind->meaning, 0);
    printf("\nExample\n");
    print_example(kind->example);
    printf("\nWhat to do\n");
    snprintf(fix, sizeof fix, "%c%s.", toupper((unsigned char)kind->fix[0]), kind->fix + 1);
    print_paragraph(fix, 2);
}

static json_t *kind_json(const struct finding_kind_info *kind) {
    return json_pack("{s:s, s:s, s:s, s:s, s:s}", "kind", kind->name, "severity",
                     finding_severity_names[kind->severity], "meaning", kind->meaning, "example",
                     kind->example, "fix", kind->fix);
}

static void print_list(void) {
    for (size_t i = 0; i < FINDING_KIND_COUNT; i++) {
        const struct finding_kind_info *kind = &finding_kinds[i];
        printf("%-16s %-8s %.*s\n", kind->name, finding_severity_names[kind->severity],
               (int)strcspn(kind->meaning, ",.:;"), kind->meaning);
    }
}

static json_t *kinds_json(const struct finding_kind_info *only) {
    json_t *kinds = json_array();

    for (size_t i = 0; i < FINDING_KIND_COUNT; i++)
        if (!only || only == &finding_kinds[i])
            json_array_append_new(kinds, kind_json(&finding_kinds[i]));
    return json_pack("{s:s, s:o}", "schema", "wgsim-explain/1", "kinds", kinds);
}

static int unknown_kind(const char *name) {
    struct suggestion suggestion = suggestion_for(name);
    struct wgsim_error err;

    for (size_t i = 0; i < FINDING_KIND_COUNT; i++)
        suggestion_offer(&suggestion, finding_kinds[i].name);
    if (suggestion.best)
        error_format(&err, "unknown kind of finding '%s'; did you mean '%s'?", name,
                     suggestion.best);
    else
        error_format(&err, "unknown kind of finding '%s' (see 'wgsim explain')", name);
    return cli_fail(&err);
}

int cmd_explain(int argc, char **argv) {
    bool as_json = false;
    struct cli_table tables[] = {
        {.title = "Options", .options = options_table, .target = &as_json}};
    struct cli_usage usage = {
        .command = "explain",
        .operands = "[KIND]",
        .about = "Says what a kind of finding means, with an example and what to do about it; "
                 "without\na kind it lists them all.\n",
        .max_operands = 1,
        .tables = tables,
        .table_count = 1};
    struct cli_operands operands;
    const struct finding_kind_info *kind = NULL;
    struct wgsim_error err;
    int status;

    if (!cli_parse(&usage, argc, argv, &operands, &status))
        return status;
    if (operands.count) {
        enum finding_kind found = finding_kind_find(operands.items[0]);
        if (found == FINDING_KIND_COUNT)
            return unknown_kind(operands.items[0]);
        kind = &finding_kinds[found];
    }
    if (as_json)
        return output_json(kinds_json(kind), &err) < 0 ? cli_fail(&err) : 0;
    if (kind)
        print_kind(kind);
    else
        print_list();
    return 0;
}
