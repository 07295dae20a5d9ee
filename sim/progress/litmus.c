/* Reading litmus tests. */
#include "sim/progress/litmus.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/error.h"
#include "sim/progress/litmus_kernel.h"
#include "sim/progress/system.h"
#include "sim/read_file.h"

/* ---- Files ---- */

enum { LINE_LIMIT_BYTES = 1 << 16 };

struct columns {
    int config, id, program; /* -1: there is none */
};

/* The n-th tab-separated field of a line, copied. */
static const char *field(struct arena *arena, const char *line, int n) {
    for (; n > 0 && line; n--) {
        line = strchr(line, '\t');
        line = line ? line + 1 : NULL;
    }
    if (!line || n < 0)
        return NULL;
    char *copy = arena_strdup(arena, line);
    if (copy)
        copy[strcspn(copy, "\t")] = 0;
    return copy;
}

static int column_of(const char *header, const char *name) {
    int column = 0;
    size_t length = strlen(name);

    for (const char *at = header; at; column++) {
        if (strncmp(at, name, length) == 0 && (at[length] == '\t' || at[length] == 0))
            return column;
        at = strchr(at, '\t');
        at = at ? at + 1 : NULL;
    }
    return -1;
}

static int add_test(struct litmus_file *file, const struct columns *columns, const char *line,
                    uint32_t number, size_t *capacity) {
    if (file->count == *capacity) {
        size_t larger = *capacity ? *capacity * 2 : 64;
        struct litmus_test *tests = arena_alloc(&file->arena, larger * sizeof *tests);
        if (!tests)
            return -1;
        if (file->count)
            memcpy(tests, file->tests, file->count * sizeof *tests);
        file->tests = tests;
        *capacity = larger;
    }
    file->tests[file->count++] =
        (struct litmus_test){.config = field(&file->arena, line, columns->config),
                             .id = field(&file->arena, line, columns->id),
                             .program = field(&file->arena, line, columns->program),
                             .line = number};
    return 0;
}

static int read_lines(struct litmus_file *file, FILE *in, const char *path,
                      struct wgsim_error *err) {
    struct columns columns = {-1, -1, 0};
    char line[LINE_LIMIT_BYTES];
    size_t capacity = 0;
    int result = 0;

    for (uint32_t number = 1; result == 0 && fgets(line, sizeof line, in); number++) {
        if (!strchr(line, '\n') && !feof(in))
            return error_set(err, "%s:%u: not a line of text", path, number);
        line[strcspn(line, "\r\n")] = 0;
        if (line[0] == '#' || line[strspn(line, " \t")] == 0)
            continue;
        if (file->count == 0 && column_of(line, "program") >= 0) {
            columns = (struct columns){column_of(line, "config"), column_of(line, "id"),
                                       column_of(line, "program")};
            continue;
        }
        if (add_test(file, &columns, line, number, &capacity) < 0)
            result = error_set(err, "out of memory");
        else if (!file->tests[file->count - 1].program)
            result = error_set(err, "%s:%u: no program", path, number);
    }
    if (result == 0 && file->count == 0)
        result = error_set(err, "%s: holds no test", path);
    return result;
}

int litmus_read(struct litmus_file *file, const char *path, struct wgsim_error *err) {
    enum { LIMIT_BYTES = 256 << 20 };
    size_t length;
    *file = (struct litmus_file){0};
    arena_init(&file->arena);
    char *text = read_file(path, "litmus tests", LIMIT_BYTES, &length, err);
    FILE *in = text ? fmemopen(text, length, "r") : NULL;
    int result = in     ? read_lines(file, in, path, err)
                 : text ? error_set(err, "%s: holds no test", path)
                        : -1;
    if (in)
        fclose(in);
    free(text);
    return result;
}

void litmus_release(struct litmus_file *file) {
    arena_release(&file->arena);
}

/* ---- Programs ---- */

struct instruction {
    uint32_t op, location, value, exchange, target;
};

enum { INSTRUCTIONS_MAX = 1024, LOCATIONS_MAX = 1024, TARGET_END = -1 };

struct parser {
    const char *program, *at;
    struct instruction instructions[INSTRUCTIONS_MAX];
    uint32_t count;
    uint32_t threads, begin[SYSTEM_MAX + 1]; /* instruction at which each thread begins */
    uint32_t locations;
    struct wgsim_error *err;
};

static int bad(struct parser *p, const char *what) {
    return error_set(p->err, "litmus test '%s': %s at '%.20s'", p->program, what, p->at);
}

static void skip_space(struct parser *p) {
    while (isspace((unsigned char)*p->at))
        p->at++;
}

static bool accept(struct parser *p, const char *text) {
    skip_space(p);
    if (strncmp(p->at, text, strlen(text)) != 0)
        return false;
    p->at += strlen(text);
    return true;
}

static int number(struct parser *p, uint32_t *value) {
    char *end;

    skip_space(p);
    if (!isdigit((unsigned char)*p->at))
        return bad(p, "a number is missing");
    errno = 0;
    unsigned long parsed = strtoul(p->at, &end, 10);
    if (errno || parsed > 1000000)
        return bad(p, "the number is too large");
    p->at = end;
    *value = (uint32_t)parsed;
    return 0;
}

static int comma(struct parser *p) {
    return accept(p, ",") ? 0 : bad(p, "',' is missing");
}

/* target := number | "END" */
static int target(struct parser *p, uint32_t *value) {
    if (accept(p, "END")) {
        *value = (uint32_t)TARGET_END;
        return 0;
    }
    return number(p, value);
}

/* arguments := location "," value { "," exchange } { "," target } */
static int arguments(struct parser *p, struct instruction *i) {
    if (!accept(p, "("))
        return bad(p, "'(' is missing");
    if (number(p, &i->location) < 0 || comma(p) < 0 || number(p, &i->value) < 0)
        return -1;
    if (i->op == LITMUS_EXCHANGE_BRANCH && (comma(p) < 0 || number(p, &i->exchange) < 0))
        return -1;
    if (i->op != LITMUS_STORE && (comma(p) < 0 || target(p, &i->target) < 0))
        return -1;
    if (!accept(p, ")"))
        return bad(p, "')' is missing");
    if (i->location >= LOCATIONS_MAX)
        return bad(p, "the location before is too large");
    if (i->location >= p->locations)
        p->locations = i->location + 1;
    return 0;
}

/* instruction := name arguments */
static int instruction(struct parser *p) {
    static const char *const names[] = {"atomic_store", "atomic_chk_branch", "atomic_exch_branch"};

    if (p->count == INSTRUCTIONS_MAX)
        return bad(p, "too many instructions");
    for (uint32_t op = 0; op < sizeof names / sizeof names[0]; op++) {
        if (!accept(p, names[op]))
            continue;
        struct instruction *i = &p->instructions[p->count++];
        *i = (struct instruction){.op = op};
        return arguments(p, i);
    }
    return bad(p, "no such instruction");
}

/* Targets lie inside the thread; END is behind it. */
static int check_targets(struct parser *p, uint32_t begin) {
    uint32_t count = p->count - begin;

    for (uint32_t i = begin; i < p->count; i++) {
        uint32_t *to = &p->instructions[i].target;
        if (*to == (uint32_t)TARGET_END)
            *to = count;
        else if (*to > count)
            return error_set(
                p->err, "litmus test '%s': target %u lies outside the thread's %u instructions",
                p->program, *to, count);
    }
    return 0;
}

/* program := thread { "||" thread };  thread := instruction { ";" instruction } [ ";" ] */
static int program(struct parser *p) {
    do {
        if (p->threads == SYSTEM_MAX)
            return bad(p, "too many threads");
        uint32_t begin = p->count;
        p->begin[p->threads++] = begin;
        do {
            skip_space(p);
            if (p->count > begin && (*p->at == 0 || *p->at == '|'))
                break;
            if (instruction(p) < 0)
                return -1;
        } while (accept(p, ";"));
        if (check_targets(p, begin) < 0)
            return -1;
    } while (accept(p, "||"));
    p->begin[p->threads] = p->count;
    skip_space(p);
    return *p->at ? bad(p, "nothing more was expected") : 0;
}

/* ---- Jobs ---- */

static void lay_out(const struct parser *p, uint32_t *code) {
    for (uint32_t t = 0; t < p->threads; t++) {
        code[t * 2] = p->threads * 2 + p->begin[t] * LITMUS_WORDS;
        code[t * 2 + 1] = p->begin[t + 1] - p->begin[t];
    }
    uint32_t *at = code + p->threads * 2;
    for (uint32_t i = 0; i < p->count; i++, at += LITMUS_WORDS) {
        const struct instruction *from = &p->instructions[i];
        at[0] = from->op;
        at[1] = from->location;
        at[2] = from->value;
        at[3] = from->exchange;
        at[4] = from->target;
    }
}

static int fill_job(struct job *job, const struct kernel *kernel, const struct parser *p,
                    struct wgsim_error *err) {
    uint64_t words = p->threads * 2 + (uint64_t)p->count * LITMUS_WORDS;
    struct job_dispatch *dispatch;

    struct job_buffer *code =
        job_add_buffer(job, "code", LITMUS_CODE, words * sizeof(uint32_t), err);
    if (code)
        lay_out(p, (uint32_t *)(void *)code->data);
    if (!code ||
        !job_add_buffer(job, "memory", LITMUS_MEMORY, p->locations * sizeof(uint32_t), err))
        return -1;
    if (!(dispatch = job_add_dispatch(job, kernel->desc->entries)))
        return error_set(err, "out of memory");
    dispatch->groups[0] = p->threads;
    dispatch->groups[1] = dispatch->groups[2] = 1;
    dispatch->bound[LITMUS_CODE] = 0;
    dispatch->bound[LITMUS_MEMORY] = 1;
    return job_seal(job, err);
}

int litmus_job(struct job *job, const struct kernel *kernel, const char *text,
               struct wgsim_error *err) {
    struct parser *p = calloc(1, sizeof *p);

    job_init(job, kernel);
    if (!p)
        return error_set(err, "out of memory");
    p->program = p->at = text;
    p->err = err;
    int result = program(p) < 0 ? -1 : fill_job(job, kernel, p, err);
    free(p);
    return result;
}
