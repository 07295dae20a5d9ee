/* Fuzz target: command lines, one argument a line. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "sim/cli/options.h"

enum { ARGUMENTS_MAX = 300 };

struct settings {
    bool flag;
    uint64_t size, wide;
    uint32_t narrow, groups[3];
    unsigned choice;
    const char *text;
    struct cli_list list;
};

static const char *const choices[] = {"first", "second", NULL};

static const struct cli_option options[] = {
    {.name = "flag", .letter = 'f', .kind = CLI_FLAG, .offset = offsetof(struct settings, flag)},
    {.name = "size", .kind = CLI_SIZE, .offset = offsetof(struct settings, size)},
    {.name = "wide", .letter = 'w', .kind = CLI_U64, .offset = offsetof(struct settings, wide)},
    {.name = "narrow", .kind = CLI_U32, .offset = offsetof(struct settings, narrow)},
    {.name = "groups",
     .alias = "dispatch",
     .kind = CLI_GROUPS,
     .offset = offsetof(struct settings, groups)},
    {.name = "choice",
     .kind = CLI_CHOICE,
     .offset = offsetof(struct settings, choice),
     .choices = choices},
    {.name = "text", .letter = 't', .kind = CLI_STRING, .offset = offsetof(struct settings, text)},
    {.name = "list", .letter = 'D', .kind = CLI_LIST, .offset = offsetof(struct settings, list)},
    {0},
};

static void check_arguments(int argc, char **argv) {
    struct settings settings = {0};
    struct cli_table table = {.title = "Options", .options = options, .target = &settings};
    struct cli_usage usage = {.command = "fuzz",
                              .operands = "FILE",
                              .min_operands = 1,
                              .max_operands = 3,
                              .tables = &table,
                              .table_count = 1};
    struct cli_operands operands;
    struct wgsim_error err = {{0}};
    bool help;
    if (cli_parse_arguments(&usage, argc, argv, &operands, &help, &err) != 0) {
        FUZZ_CHECK(err.message[0] && !strchr(err.message, '\n'));
        return;
    }
    FUZZ_CHECK(settings.choice < 2);
    FUZZ_CHECK(help || (operands.count >= 1 && operands.count <= 3));
    FUZZ_CHECK(settings.list.count <= CLI_LIST_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *line = malloc(size + 1);
    if (!line)
        return 0;
    memcpy(line, data, size);
    line[size] = '\0';
    char command[] = "fuzz";
    char *argv[ARGUMENTS_MAX + 1] = {command};
    int argc = 1;
    char *rest = line;
    while (rest && argc < ARGUMENTS_MAX)
        argv[argc++] = strsep(&rest, "\n");
    check_arguments(argc, argv);
    free(line);
    return 0;
}
