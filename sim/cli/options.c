/* Command-line options. */
#include "sim/cli/options.h"

#include <stdio.h>
#include <string.h>

#include "sim/buf.h"
#include "sim/cli/suggest.h"
#include "sim/error.h"
#include "sim/units.h"

/* An option as found in one of a command's tables. */
struct match {
    struct cli_table *table;
    size_t index;
};

static const struct cli_option *match_option(struct match match) {
    return &match.table->options[match.index];
}

static bool same_name(const char *name, const char *typed, size_t length) {
    return name && strlen(name) == length && memcmp(name, typed, length) == 0;
}

/* By long name (of `length` bytes) or, if that is NULL, by letter. */
static bool find_option(const struct cli_usage *usage, const char *name, size_t length, char letter,
                        struct match *match) {
    for (size_t t = 0; t < usage->table_count; t++) {
        struct cli_table *table = &usage->tables[t];
        for (size_t i = 0; table->options[i].name; i++) {
            const struct cli_option *option = &table->options[i];
            if (name ? same_name(option->name, name, length) ||
                           same_name(option->alias, name, length)
                     : option->letter == letter) {
                *match = (struct match){table, i};
                return true;
            }
        }
    }
    return false;
}

static int unknown_option(const struct cli_usage *usage, const char *argument,
                          struct wgsim_error *err) {
    char typed[64];
    snprintf(typed, sizeof typed, "%.*s", (int)strcspn(argument + 2, "="), argument + 2);
    struct suggestion suggestion = suggestion_for(typed);
    suggestion_offer(&suggestion, "help");
    for (size_t t = 0; t < usage->table_count; t++)
        for (const struct cli_option *option = usage->tables[t].options; option->name; option++) {
            suggestion_offer(&suggestion, option->name);
            if (option->alias)
                suggestion_offer(&suggestion, option->alias);
        }
    if (suggestion.best)
        return error_set(err, "unknown option '--%s'; did you mean '--%s'?", typed,
                         suggestion.best);
    return error_set(err, "unknown option '--%s' (see 'wgsim %s --help')", typed, usage->command);
}

static int choose(const struct cli_option *option, const char *text, unsigned *out,
                  struct wgsim_error *err) {
    struct buf names = {0};
    for (unsigned i = 0; option->choices[i]; i++) {
        if (strcmp(option->choices[i], text) == 0) {
            *out = i;
            buf_release(&names);
            return 0;
        }
        buf_printf(&names, "%s%s", i ? ", " : "", option->choices[i]);
    }
    error_format(err, "'%s' is none of %s", text, names.data ? names.data : "its choices");
    buf_release(&names);
    return -1;
}

/* The item of a list that has the NAME of NAME=VALUE, or NULL. */
static const char *find_named(const struct cli_list *list, const char *text) {
    size_t length = strcspn(text, "=");
    for (size_t i = 0; i < list->count; i++)
        if (strncmp(list->items[i], text, length) == 0 && strcspn(list->items[i], "=") == length)
            return list->items[i];
    return NULL;
}

static int list_append(struct cli_list *list, const char *text, bool named,
                       struct wgsim_error *err) {
    const char *other = named ? find_named(list, text) : NULL;
    if (other)
        return error_set(err, "'%s' after '%s': give it once", text, other);
    if (list->count == CLI_LIST_MAX)
        return error_set(err, "given more than %d times", CLI_LIST_MAX);
    list->items[list->count++] = text;
    return 0;
}

static int parse_value(const struct cli_option *option, void *target, const char *text,
                       struct wgsim_error *err) {
    void *at = (char *)target + option->offset;
    switch (option->kind) {
    case CLI_FLAG:
        *(bool *)at = true;
        return 0;
    case CLI_SIZE:
        return parse_size(text, at, err);
    case CLI_U32:
        return parse_u32(text, at, err);
    case CLI_U64:
        return parse_u64(text, at, err);
    case CLI_GROUPS:
        return parse_groups(text, at, err);
    case CLI_CHOICE:
        return choose(option, text, at, err);
    case CLI_STRING:
        *(const char **)at = text;
        return 0;
    case CLI_LIST:
    case CLI_NAMED:
        return list_append(at, text, option->kind == CLI_NAMED, err);
    }
    return error_set(err, "has no kind");
}

static int store_value(struct match match, const char *text, struct wgsim_error *err) {
    const struct cli_option *option = match_option(match);
    struct wgsim_error why;
    if (parse_value(option, match.table->target, text, &why) != 0)
        return error_set(err, "--%s: %s", option->name, why.message);
    match.table->given |= UINT64_C(1) << match.index;
    return 0;
}

/* Where the parse stands. */
struct cursor {
    int argc;
    char **argv;
    int at;                        /* the argument being read */
    const struct cli_table *table; /* of the option read last, or NULL */
};

/* Whether a value would replace an earlier one. */
static bool is_second(struct match match) {
    enum cli_kind kind = match_option(match)->kind;

    return kind != CLI_LIST && kind != CLI_NAMED && (match.table->given >> match.index & 1);
}

/* The value is `attached` if that is not NULL, else the next argument. */
static int take_value(const struct cli_usage *usage, struct match match, const char *attached,
                      struct cursor *cursor, struct wgsim_error *err) {
    const struct cli_option *option = match_option(match);
    if (!attached && cursor->at + 1 < cursor->argc)
        attached = cursor->argv[++cursor->at];
    if (!attached)
        return error_set(err, "--%s needs a value", option->name);
    if (!usage->overriding && is_second(match))
        return error_set(err, "--%s is given twice", option->name);
    return store_value(match, attached, err);
}

static int parse_long(const struct cli_usage *usage, struct cursor *cursor,
                      struct wgsim_error *err) {
    const char *argument = cursor->argv[cursor->at];
    const char *name = argument + 2;
    size_t length = strcspn(name, "=");
    const char *attached = name[length] ? name + length + 1 : NULL;
    struct match match;
    if (!find_option(usage, name, length, 0, &match))
        return unknown_option(usage, argument, err);
    const struct cli_option *option = match_option(match);
    cursor->table = match.table;
    if (option->kind != CLI_FLAG)
        return take_value(usage, match, attached, cursor, err);
    if (attached)
        return error_set(err, "--%s takes no value", option->name);
    return store_value(match, NULL, err);
}

/* A cluster such as -qv, or a letter with its value behind it: -DNAME, -D NAME. */
static int parse_short(const struct cli_usage *usage, struct cursor *cursor, bool *help,
                       struct wgsim_error *err) {
    for (const char *letter = cursor->argv[cursor->at] + 1; *letter; letter++) {
        struct match match;
        if (!find_option(usage, NULL, 0, *letter, &match)) {
            if (*letter != 'h')
                return error_set(err, "unknown option '-%c' (see 'wgsim %s --help')", *letter,
                                 usage->command);
            *help = true;
            return 0;
        }
        cursor->table = match.table;
        if (match_option(match)->kind != CLI_FLAG)
            return take_value(usage, match, letter[1] ? letter + 1 : NULL, cursor, err);
        store_value(match, NULL, err);
    }
    return 0;
}

/* The arguments from `first` to the one that was read last are an option's. */
static void keep_words(const struct cursor *cursor, int first) {
    struct cli_words *words = cursor->table ? cursor->table->words : NULL;

    for (int i = first; words && i <= cursor->at; i++)
        words->items[words->count++] = cursor->argv[i];
}

static int check_operands(const struct cli_usage *usage, const struct cli_operands *operands,
                          struct wgsim_error *err) {
    if (operands->count < usage->min_operands)
        return error_set(err, "%s needs %s (see 'wgsim %s --help')", usage->command,
                         usage->operands, usage->command);
    if (operands->count > usage->max_operands)
        return error_set(err, "%s: '%s' is one operand too many (see 'wgsim %s --help')",
                         usage->command, operands->items[usage->max_operands], usage->command);
    return 0;
}

int cli_parse_arguments(const struct cli_usage *usage, int argc, char **argv,
                        struct cli_operands *operands, bool *help, struct wgsim_error *err) {
    struct cursor cursor = {argc, argv, 1, NULL};
    bool options_ended = false;
    *operands = (struct cli_operands){argv, 0};
    *help = false;
    for (; cursor.at < argc && !*help; cursor.at++) {
        char *argument = argv[cursor.at];
        int result = 0, first = cursor.at;
        cursor.table = NULL;
        if (options_ended || argument[0] != '-' || !argument[1])
            operands->items[operands->count++] = argument;
        else if (strcmp(argument, "--") == 0)
            options_ended = true;
        else if (strcmp(argument, "--help") == 0)
            *help = true;
        else if (argument[1] == '-')
            result = parse_long(usage, &cursor, err);
        else
            result = parse_short(usage, &cursor, help, err);
        if (result != 0)
            return -1;
        keep_words(&cursor, first);
    }
    return *help ? 0 : check_operands(usage, operands, err);
}

enum { HELP_COLUMN = 32, HELP_WIDTH = 100 };

/* Words from HELP_COLUMN on, where the cursor is. */
static void print_wrapped(const char *text) {
    size_t column = HELP_COLUMN;
    for (const char *word = text; *word; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");
        if (column > HELP_COLUMN && column + 1 + length > HELP_WIDTH) {
            printf("\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
        }
        column += (size_t)printf("%s%.*s", column > HELP_COLUMN ? " " : "", (int)length, word);
        word += length;
    }
    putchar('\n');
}

static void print_option(const struct cli_option *option) {
    struct buf left = {0}, right = {0};
    if (option->letter)
        buf_printf(&left, "  -%c, ", option->letter);
    else
        buf_puts(&left, "      ");
    buf_printf(&left, "--%s", option->name);
    if (option->kind != CLI_FLAG)
        buf_printf(&left, " %s", option->kind == CLI_CHOICE ? "NAME" : option->value);
    if (option->alias)
        buf_printf(&left, ", --%s", option->alias);
    buf_puts(&right, option->help);
    for (size_t i = 0; option->kind == CLI_CHOICE && option->choices[i]; i++)
        buf_printf(&right, "%s%s", i ? ", " : ": ", option->choices[i]);
    if (left.len + 1 < HELP_COLUMN)
        printf("%-*s", HELP_COLUMN, left.data ? left.data : "");
    else
        printf("%s\n%*s", left.data ? left.data : "", HELP_COLUMN, "");
    print_wrapped(right.data ? right.data : "");
    buf_release(&left);
    buf_release(&right);
}

static void print_help(const struct cli_usage *usage) {
    static const struct cli_option help = {
        .name = "help", .letter = 'h', .kind = CLI_FLAG, .help = "print this and exit"};
    printf("usage: wgsim %s [OPTION...]%s%s\n%s", usage->command, usage->operands ? " " : "",
           usage->operands ? usage->operands : "", usage->about);
    for (size_t t = 0; t < usage->table_count; t++) {
        printf("\n%s:\n", usage->tables[t].title);
        for (const struct cli_option *option = usage->tables[t].options; option->name; option++)
            print_option(option);
    }
    putchar('\n');
    print_option(&help);
}

bool cli_parse(const struct cli_usage *usage, int argc, char **argv, struct cli_operands *operands,
               int *status) {
    struct wgsim_error err;
    bool help;
    if (cli_parse_arguments(usage, argc, argv, operands, &help, &err) != 0) {
        *status = cli_fail(&err);
        return false;
    }
    if (help) {
        print_help(usage);
        *status = 0;
    }
    return !help;
}

bool cli_given(const struct cli_table *table, const char *name) {
    for (size_t i = 0; table->options[i].name; i++)
        if (strcmp(table->options[i].name, name) == 0)
            return table->given >> i & 1;
    return false;
}

static void print_line(const char *before, const struct wgsim_error *err) {
    struct buf line = {0};

    buf_append_plain(&line, err->message, strlen(err->message));
    fprintf(stderr, "wgsim: %s%s\n", before, line.data ? line.data : "");
    buf_release(&line);
}

int cli_fail(const struct wgsim_error *err) {
    print_line("", err);
    return 2;
}

void cli_warn(const struct wgsim_error *line) {
    print_line("warning: ", line);
}
