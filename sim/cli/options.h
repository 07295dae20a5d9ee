/* Command-line options: tables that say what a command takes, from which its arguments are parsed
 * and its --help is printed. */
#ifndef SIM_CLI_OPTIONS_H
#define SIM_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wgsim/wgsim.h"

/* What an option's value is, and the type it is stored as. */
enum cli_kind {
    CLI_FLAG,   /* no value: bool, set to true */
    CLI_SIZE,   /* uint64_t, with k, M, G */
    CLI_U32,    /* uint32_t */
    CLI_U64,    /* uint64_t */
    CLI_GROUPS, /* uint32_t[3] */
    CLI_CHOICE, /* unsigned: index into choices */
    CLI_STRING, /* const char *, pointing into argv */
    CLI_LIST,   /* struct cli_list: the option may be repeated */
    CLI_NAMED,  /* likewise, but each NAME of NAME=VALUE is given once */
};

enum { CLI_LIST_MAX = 256 };

struct cli_list {
    const char *items[CLI_LIST_MAX];
    size_t count;
};

/* One row. A table ends with an empty row. Of a repeated option that is no list the last value
 * counts. */
struct cli_option {
    const char *name;  /* without the dashes */
    const char *alias; /* a second long name, or NULL */
    char letter;       /* short form, or 0 */
    enum cli_kind kind;
    size_t offset;     /* of the value in the table's target */
    const char *value; /* what --help calls the value, such as "N"; unused for flags and choices */
    const char *const *choices; /* CLI_CHOICE: names, ending with NULL */
    const char *help;           /* one line */
};

/* Arguments as they stand on a command line. */
struct cli_words {
    char **items; /* has room for all arguments of the command */
    int count;
};

/* Options and the struct they are stored in, which holds the defaults before parsing. */
struct cli_table {
    const char *title; /* heading in --help */
    const struct cli_option *options;
    void *target;
    uint64_t given; /* bit i: options[i] was on the command line; filled in by the parser */
    struct cli_words *words; /* NULL, or takes the arguments by which its options are given */
};

/* What a command takes. Options may stand before, between and behind the operands; `--` ends them.
 */
struct cli_usage {
    const char *command;
    const char *operands; /* for the usage line, such as "KERNEL"; NULL if there are none */
    const char *about;    /* one or more whole lines */
    int min_operands, max_operands;
    struct cli_table *tables;
    size_t table_count;
    bool overriding; /* a later value of an option replaces an earlier one, and is not refused */
};

struct cli_operands {
    char **items;
    int count;
};

/* Parses argv[1..] of a command. True: go on, with the operands moved to the front of argv. False:
 * --help was printed or an error line, and *status is the exit status. */
bool cli_parse(const struct cli_usage *usage, int argc, char **argv, struct cli_operands *operands,
               int *status);

/* The same without printing: 0, or -1 with a message. --help sets *help and ends the parse. */
int cli_parse_arguments(const struct cli_usage *usage, int argc, char **argv,
                        struct cli_operands *operands, bool *help, struct wgsim_error *err);

/* Whether an option, by its name in the table, was on the command line. */
bool cli_given(const struct cli_table *table, const char *name);

/* Prints "wgsim: MESSAGE" on stderr and returns 2, the exit status for "could not do it". */
int cli_fail(const struct wgsim_error *err);
/* Prints "wgsim: warning: LINE" on stderr. */
void cli_warn(const struct wgsim_error *line);

#endif
