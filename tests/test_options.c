/* Tests of option parsing. */
#include "tests/check_main.h"

#include <string.h>

#include "sim/cli/options.h"

struct settings {
    bool quiet, json;
    uint64_t size, seed;
    uint32_t cus;
    uint32_t groups[3];
    unsigned order;
    const char *device;
    struct cli_list defines;
};

static const char *const orders[] = {"ascending", "descending", "random", NULL};

static const struct cli_option options[] = {
    {.name = "quiet", .letter = 'q', .kind = CLI_FLAG, .offset = offsetof(struct settings, quiet)},
    {.name = "json", .letter = 'j', .kind = CLI_FLAG, .offset = offsetof(struct settings, json)},
    {.name = "size", .kind = CLI_SIZE, .offset = offsetof(struct settings, size), .value = "N"},
    {.name = "seed", .kind = CLI_U64, .offset = offsetof(struct settings, seed), .value = "N"},
    {.name = "cus", .kind = CLI_U32, .offset = offsetof(struct settings, cus), .value = "N"},
    {.name = "groups",
     .alias = "dispatch",
     .kind = CLI_GROUPS,
     .offset = offsetof(struct settings, groups),
     .value = "X[,Y[,Z]]"},
    {.name = "order",
     .kind = CLI_CHOICE,
     .choices = orders,
     .offset = offsetof(struct settings, order)},
    {.name = "device", .kind = CLI_STRING, .offset = offsetof(struct settings, device)},
    {.name = "define",
     .letter = 'D',
     .kind = CLI_LIST,
     .offset = offsetof(struct settings, defines)},
    {0},
};

/* A parse of one command line, split at spaces. */
struct parse {
    struct settings settings;
    struct cli_table table;
    struct cli_operands operands;
    char line[512];
    char *argv[64];
    bool help;
    int result;
    struct wgsim_error err;
};

static void parse_line(struct parse *parse, const char *line) {
    *parse = (struct parse){.settings.cus = 1};
    parse->table =
        (struct cli_table){.title = "Options", .options = options, .target = &parse->settings};
    struct cli_usage usage = {.command = "run",
                              .operands = "KERNEL [FILE]",
                              .about = "",
                              .min_operands = 1,
                              .max_operands = 2,
                              .tables = &parse->table,
                              .table_count = 1};
    int argc = 0;
    parse->argv[argc++] = "run";
    strcpy(parse->line, line);
    for (char *word = strtok(parse->line, " "); word; word = strtok(NULL, " "))
        parse->argv[argc++] = word;
    parse->result =
        cli_parse_arguments(&usage, argc, parse->argv, &parse->operands, &parse->help, &parse->err);
}

START_TEST(every_kind_is_stored) {
    struct parse p;
    parse_line(&p, "spin --quiet --size 4k --seed=18446744073709551615 --cus 4 --groups 3,2 "
                   "--order random --device h200 -DA=1 -D B --define=C");
    ck_assert_int_eq(p.result, 0);
    ck_assert(p.settings.quiet && !p.settings.json);
    ck_assert_uint_eq(p.settings.size, 4096);
    ck_assert(p.settings.seed == UINT64_MAX);
    ck_assert_uint_eq(p.settings.cus, 4);
    ck_assert_uint_eq(p.settings.groups[1], 2);
    ck_assert_uint_eq(p.settings.groups[2], 1);
    ck_assert_uint_eq(p.settings.order, 2);
    ck_assert_str_eq(p.settings.device, "h200");
    ck_assert_uint_eq(p.settings.defines.count, 3);
    ck_assert_str_eq(p.settings.defines.items[0], "A=1");
    ck_assert_str_eq(p.settings.defines.items[1], "B");
    ck_assert_str_eq(p.settings.defines.items[2], "C");
}
END_TEST

START_TEST(operands_stand_anywhere) {
    struct parse p;
    parse_line(&p, "-qj spin --cus 2 - ");
    ck_assert_int_eq(p.result, 0);
    ck_assert(p.settings.quiet && p.settings.json);
    ck_assert_int_eq(p.operands.count, 2);
    ck_assert_str_eq(p.operands.items[0], "spin");
    ck_assert_str_eq(p.operands.items[1], "-");
    parse_line(&p, "-q -- --cus");
    ck_assert_int_eq(p.result, 0);
    ck_assert_str_eq(p.operands.items[0], "--cus");
}
END_TEST

START_TEST(defaults_and_what_is_given) {
    struct parse p;
    parse_line(&p, "spin");
    ck_assert_uint_eq(p.settings.cus, 1);
    ck_assert(!cli_given(&p.table, "cus"));
    parse_line(&p, "spin --cus=8 --dispatch 5");
    ck_assert_uint_eq(p.settings.cus, 8);
    ck_assert(cli_given(&p.table, "cus"));
    ck_assert(cli_given(&p.table, "groups"));
    ck_assert(!cli_given(&p.table, "size"));
    ck_assert_uint_eq(p.settings.groups[0], 5);
}
END_TEST

START_TEST(help_ends_the_parse) {
    static const char *const rows[] = {"--help", "-h", "-qh", "--cus 2 --help --nonsense"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct parse p;
        parse_line(&p, rows[i]);
        ck_assert_msg(p.result == 0 && p.help, "'%s'", rows[i]);
    }
}
END_TEST

START_TEST(errors_are_one_clear_line) {
    static const struct {
        const char *line, *message;
    } rows[] = {
        {"spin --cus 2 --dispatch 4 --cus=8", "--cus is given twice"},
        {"", "run needs KERNEL [FILE] (see 'wgsim run --help')"},
        {"a b c", "run: 'c' is one operand too many (see 'wgsim run --help')"},
        {"a --cuss 1", "unknown option '--cuss'; did you mean '--cus'?"},
        {"a --dispach=1", "unknown option '--dispach'; did you mean '--dispatch'?"},
        {"a --entirely-wrong", "unknown option '--entirely-wrong' (see 'wgsim run --help')"},
        {"a -x", "unknown option '-x' (see 'wgsim run --help')"},
        {"a --cus", "--cus needs a value"},
        {"a -D", "--define needs a value"},
        {"a --quiet=1", "--quiet takes no value"},
        {"a --cus=", "--cus: '' is not a whole number"},
        {"a --cus -1", "--cus: '-1' is not a whole number"},
        {"a --cus 4294967296", "--cus: '4294967296' is over 4294967295"},
        {"a --size 1T", "--size: '1T' is not a size (a whole number, then k, M, G or nothing)"},
        {"a --groups 1,x", "--groups: '1,x' is not X, X,Y or X,Y,Z"},
        {"a --order up", "--order: 'up' is none of ascending, descending, random"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct parse p;
        parse_line(&p, rows[i].line);
        ck_assert_msg(p.result == -1, "'%s' taken", rows[i].line);
        ck_assert_str_eq(p.err.message, rows[i].message);
    }
}
END_TEST

START_TEST(a_list_has_an_end) {
    static char *argv[CLI_LIST_MAX + 3] = {"run", "kernel"};
    for (int i = 2; i < CLI_LIST_MAX + 3; i++)
        argv[i] = "-DX";
    struct settings settings = {0};
    struct cli_table table = {.options = options, .target = &settings};
    struct cli_usage usage = {
        .command = "run", .max_operands = 1, .tables = &table, .table_count = 1};
    struct cli_operands operands;
    struct wgsim_error err;
    bool help;
    ck_assert_int_eq(cli_parse_arguments(&usage, CLI_LIST_MAX + 3, argv, &operands, &help, &err),
                     -1);
    ck_assert_str_eq(err.message, "--define: given more than 256 times");
}
END_TEST

START_TEST(a_table_keeps_its_words) {
    static const struct cli_option others[] = {
        {.name = "over", .letter = 'o', .kind = CLI_STRING, .offset = 0}, {0}};
    char *argv[] = {"sweep", "--cus=2", "k.c",    "--over", "widths", "-qj",
                    "-D",    "A=1",     "--seed", "7",      "--",     "--json"};
    static const char *const kept[] = {"--cus=2", "-qj", "-D", "A=1", "--seed", "7"};
    enum { ARGUMENTS = sizeof argv / sizeof *argv, KEPT = sizeof kept / sizeof *kept };
    char *room[ARGUMENTS];
    struct cli_words words = {.items = room};
    struct settings settings = {0};
    const char *over;
    struct cli_table tables[] = {{.options = others, .target = &over},
                                 {.options = options, .target = &settings, .words = &words}};
    struct cli_usage usage = {
        .command = "sweep", .max_operands = 2, .tables = tables, .table_count = 2};
    struct cli_operands operands;
    struct wgsim_error err;
    bool help;
    ck_assert_int_eq(cli_parse_arguments(&usage, ARGUMENTS, argv, &operands, &help, &err), 0);
    ck_assert_int_eq(words.count, KEPT);
    for (int i = 0; i < KEPT; i++)
        ck_assert_str_eq(words.items[i], kept[i]);
    ck_assert_str_eq(over, "widths");
    ck_assert_int_eq(operands.count, 2);
}
END_TEST

START_TEST(a_later_value_may_override) {
    char *argv[] = {"run", "--cus=2", "k.c", "--cus", "8"};
    enum { ARGUMENTS = sizeof argv / sizeof *argv };
    struct settings settings = {0};
    struct cli_table table = {.options = options, .target = &settings};
    struct cli_usage usage = {.command = "run",
                              .max_operands = 1,
                              .tables = &table,
                              .table_count = 1,
                              .overriding = true};
    struct cli_operands operands;
    struct wgsim_error err;
    bool help;
    ck_assert_int_eq(cli_parse_arguments(&usage, ARGUMENTS, argv, &operands, &help, &err), 0);
    ck_assert_uint_eq(settings.cus, 8);
}
END_TEST

CHECK_MAIN("options", every_kind_is_stored, operands_stand_anywhere, defaults_and_what_is_given,
           help_ends_the_parse, errors_are_one_clear_line, a_list_has_an_end,
           a_table_keeps_its_words, a_later_value_may_override)
