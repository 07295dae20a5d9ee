/* wgsim occupancy: how many workgroups a compute unit holds, and why not more. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/commands.h"
#include "sim/cli/occupancy_output.h"
#include "sim/cli/output.h"
#include "sim/cli/subject.h"
#include "sim/error.h"
#include "sim/json_text.h"
#include "sim/units.h"

struct occupancy_options {
    struct run_cli run; /* of which the kernel's options are set */
    const char *workgroup_size;
    uint64_t workgroup_memory_bytes;
    bool no_barrier, json;
};

#define AT(member) offsetof(struct occupancy_options, member)

static const struct cli_option options_table[] = {
    {"workgroup-size", NULL, 0, CLI_STRING, AT(workgroup_size), "X[,Y[,Z]]", NULL,
     "invocations of a workgroup (64)"},
    {"workgroup-memory", NULL, 0, CLI_SIZE, AT(workgroup_memory_bytes), "BYTES", NULL,
     "workgroup memory that a workgroup declares (0)"},
    {"registers", NULL, 0, CLI_U32, AT(run.registers), "N", NULL,
     "registers of a lane (the kernel's, else the device's default)"},
    {"no-barrier", NULL, 0, CLI_FLAG, AT(no_barrier), NULL, NULL, "the kernel has no barrier"},
    {"size", NULL, 0, CLI_SIZE, AT(run.size), "N", NULL, "problem size of the kernel"},
    {"set", NULL, 0, CLI_NAMED, AT(run.set), "NAME=VALUE", NULL,
     "value of one of the kernel's overrides; may be repeated"},
    {"json", NULL, 0, CLI_FLAG, AT(json), NULL, NULL, "print the result as JSON"},
    {0},
};

/* The questions of one command: one, or one for each kind of dispatch of a kernel. */
enum { QUESTIONS_MAX = 64 };

struct questions {
    struct setup setup;
    const char *kernel; /* its name, or NULL */
    struct occupancy_question items[QUESTIONS_MAX];
    size_t count;
};

/* ---- By numbers ---- */

/* "16x8" is as good as "16,8". */
static int parse_workgroup_size(const char *text, uint32_t size[3], struct wgsim_error *err) {
    char copy[64];
    if (strlen(text) >= sizeof copy || strncmp(text, "0x", 2) == 0)
        return parse_groups(text, size, err);
    strcpy(copy, text);
    for (char *x = copy; (x = strchr(x, 'x'));)
        *x = ',';
    if (parse_groups(copy, size, NULL) < 0)
        return error_set(err, "'%s' is not X, X,Y or X,Y,Z", text);
    return 0;
}

static int parse_size_option(const char *text, struct occupancy_question *question,
                             struct wgsim_error *err) {
    struct wgsim_error why;
    uint32_t *size = question->size;
    if (parse_workgroup_size(text, size, &why) != 0)
        return error_set(err, "--workgroup-size: %s", why.message);
    double product = (double)size[0] * size[1] * size[2];
    if (product < 1 || product > 65536)
        return error_set(err,
                         "--workgroup-size: %s has %.0f invocations; 1 to 65536 can be asked about",
                         text, product);
    question->needs.invocations = size[0] * size[1] * size[2];
    return 0;
}

static int ask_by_numbers(struct questions *questions, const struct occupancy_options *options,
                          struct wgsim_error *err) {
    struct occupancy_question *question = &questions->items[questions->count++];
    *question = (struct occupancy_question){
        .device = &questions->setup.device,
        .needs = {.workgroup_memory_bytes = options->workgroup_memory_bytes,
                  .registers_per_lane = options->run.registers,
                  .barrier = !options->no_barrier},
    };
    if (options->workgroup_memory_bytes > INT32_MAX)
        return error_set(err, "--workgroup-memory: at most 2147483647 bytes can be asked about");
    return parse_size_option(options->workgroup_size, question, err);
}

/* ---- By a kernel ---- */

static bool same_needs(const struct workgroup_needs *a, const struct workgroup_needs *b) {
    return a->invocations == b->invocations && a->registers_per_lane == b->registers_per_lane &&
           a->workgroup_memory_bytes == b->workgroup_memory_bytes && a->barrier == b->barrier;
}

/* Asks about a dispatch unless one of the same entry and needs was asked about. */
static int ask_about(struct questions *questions, const struct job *job,
                     const struct job_dispatch *dispatch, struct wgsim_error *err) {
    uint32_t asked = questions->setup.plan.registers;
    struct occupancy_question question = {.device = &questions->setup.device,
                                          .entry = dispatch->entry->name,
                                          .needs = {.barrier = job->kernel->barriers}};
    kernel_workgroup_size(dispatch->entry, dispatch->overrides, question.size);
    question.needs.invocations = question.size[0] * question.size[1] * question.size[2];
    question.needs.registers_per_lane = asked ? asked : dispatch->entry->registers;
    if (kernel_workgroup_bytes(job->kernel, dispatch->entry, dispatch->overrides,
                               &question.needs.workgroup_memory_bytes, err) < 0)
        return -1;
    for (size_t i = 0; i < questions->count; i++)
        if (strcmp(questions->items[i].entry, question.entry) == 0 &&
            same_needs(&questions->items[i].needs, &question.needs))
            return 0;
    if (questions->count < QUESTIONS_MAX)
        questions->items[questions->count++] = question;
    return 0;
}

static int ask_about_all(struct questions *questions, const struct subject *subject,
                         struct wgsim_error *err) {
    struct job job;
    int result = subject_job(subject, &job, &questions->setup, err);
    for (size_t i = 0; result == 0 && i < job.dispatch_count; i++)
        result = ask_about(questions, &job, &job.dispatches[i], err);
    job_release(&job);
    if (result == 0 && questions->count == 0)
        return error_set(err, "%s dispatches nothing", subject->operand);
    return result;
}

/* ---- The answers ---- */

static int find_violations(struct questions *questions, struct wgsim_error *err) {
    struct setup *setup = &questions->setup;
    for (size_t i = 0; i < questions->count; i++) {
        struct occupancy_question *question = &questions->items[i];
        struct limits_variable memory = {.name = "workgroup variables",
                                         .bytes = question->needs.workgroup_memory_bytes};
        if (limits_check_pipeline(&setup->limits, question->size, &memory, 1, &setup->arena,
                                  &question->violations) != 0)
            return error_set(err, "out of memory");
    }
    return 0;
}

/* The first answer is the document's; with a kernel all of them follow. */
static json_t *questions_json(const struct questions *questions) {
    json_t *root = json_pack("{s:s}", "schema", "wgsim-occupancy/1");
    json_t *first = occupancy_to_json(&questions->items[0]);
    if (questions->kernel)
        json_object_set_new(root, "kernel", json_text(questions->kernel));
    json_object_update(root, first);
    json_decref(first);
    if (questions->kernel) {
        json_t *entries = json_array();
        for (size_t i = 0; i < questions->count; i++)
            json_array_append_new(entries, occupancy_to_json(&questions->items[i]));
        json_object_set_new(root, "entries", entries);
    }
    return root;
}

static int answer(struct questions *questions, bool json, struct wgsim_error *err) {
    if (find_violations(questions, err) != 0)
        return -1;
    if (json)
        return output_json(questions_json(questions), err);
    if (questions->kernel)
        printf("%s\n\n", questions->kernel);
    for (size_t i = 0; i < questions->count; i++) {
        printf("%s", i ? "\n" : "");
        occupancy_print_text(&questions->items[i]);
    }
    return 0;
}

/* ---- The command ---- */

/* Which options go with a kernel, and which without. */
static int check_options(const struct cli_table *table, bool kernel, struct wgsim_error *err) {
    static const char *const by_numbers[] = {"workgroup-size", "workgroup-memory", "no-barrier"};
    static const char *const of_kernel[] = {"size", "set"};
    for (size_t i = 0; kernel && i < sizeof by_numbers / sizeof by_numbers[0]; i++)
        if (cli_given(table, by_numbers[i]))
            return error_set(err, "--%s: the kernel says that", by_numbers[i]);
    for (size_t i = 0; !kernel && i < sizeof of_kernel / sizeof of_kernel[0]; i++)
        if (cli_given(table, of_kernel[i]))
            return error_set(err, "--%s needs a kernel", of_kernel[i]);
    return 0;
}

static int run_with_kernel(struct questions *questions, const struct occupancy_options *options,
                           const char *operand, struct wgsim_error *err) {
    struct subject subject;
    int result = subject_open(&subject, operand, &questions->setup, NULL, err);
    if (result == 0) {
        questions->kernel = subject.kernel.desc->name;
        result = ask_about_all(questions, &subject, err);
    }
    if (result == 0)
        result = answer(questions, options->json, err);
    subject_release(&subject);
    return result;
}

static int run(const struct cli_table tables[2], const struct occupancy_options *options,
               const struct cli_operands *operands, struct questions *questions,
               struct wgsim_error *err) {
    struct cli_table run_table = tables[0];
    run_table.target = (void *)&options->run;
    if (setup_init(&questions->setup, &run_table, &tables[1], err) != 0 ||
        check_options(&tables[0], operands->count > 0, err) != 0)
        return -1;
    if (operands->count > 0)
        return run_with_kernel(questions, options, operands->items[0], err);
    if (ask_by_numbers(questions, options, err) != 0)
        return -1;
    return answer(questions, options->json, err);
}

int cmd_occupancy(int argc, char **argv) {
    struct occupancy_options options = {.run = RUN_CLI_DEFAULT, .workgroup_size = "64"};
    struct device_options device_options = DEVICE_OPTIONS_DEFAULT;
    struct cli_table tables[] = {
        {.title = "Options", .options = options_table, .target = &options},
        {.title = DEVICE_OPTIONS_TITLE, .options = device_option_table, .target = &device_options},
    };
    struct cli_usage usage = {
        .command = "occupancy",
        .operands = "[KERNEL]",
        .about = "Says how many workgroups of a kernel, or of the size and memory given, a compute "
                 "unit holds\nat once, which resources limit them, and what would have to change "
                 "to fit one more.\n",
        .max_operands = 1,
        .tables = tables,
        .table_count = 2,
    };
    struct cli_operands operands;
    struct questions questions = {.count = 0};
    struct wgsim_error err;
    int status;
    if (!cli_parse(&usage, argc, argv, &operands, &status))
        return status;
    status = run(tables, &options, &operands, &questions, &err) == 0 ? 0 : cli_fail(&err);
    setup_release(&questions.setup);
    return status;
}
