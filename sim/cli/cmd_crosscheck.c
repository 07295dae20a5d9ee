/* wgsim crosscheck: the same kernel on a WebGPU device, compared. */
#include <stddef.h>
#include <stdio.h>

#include "sim/cli/commands.h"
#include "sim/cli/dump.h"
#include "sim/cli/output.h"
#include "sim/cli/subject.h"
#include "sim/cli/twin_file.h"
#include "sim/cli/webgpu_options.h"
#include "sim/error.h"
#include "sim/texture_spec.h"
#include "sim/webgpu/calibrate.h"
#include "sim/webgpu/cross_run.h"

struct crosscheck_options {
    bool list, calibrate, json;
    const char *twin;
    struct cli_list rules;
};

#define AT(member) offsetof(struct crosscheck_options, member)

static const struct cli_option crosscheck_table[] = {
    {"list", NULL, 0, CLI_FLAG, AT(list), NULL, NULL,
     "list the WebGPU devices and do nothing else"},
    {"calibrate", NULL, 0, CLI_FLAG, AT(calibrate), NULL, NULL,
     "measure the device and print a device file for --device-file"},
    {"json", NULL, 0, CLI_FLAG, AT(json), NULL, NULL, "print the result as JSON"},
    {"twin", NULL, 0, CLI_STRING, AT(twin), "FILE", NULL,
     "shader for the device (the .wgsl file beside the kernel)"},
    {"rule", NULL, 0, CLI_LIST, AT(rules), "[BUFFER=]RULE", NULL,
     "compare by exact, ulp:N, relative:X, near:X, accuracy:FUNCTION, permutation, set:A,B,... or "
     "ignore"},
    {0},
};

static const char about[] =
    "Runs the kernel on the simulator and its WGSL twin on a WebGPU device, with the same buffers "
    "and\ndispatches, and compares the results by the kernel's rules.\n";

/* The tables of cmd_crosscheck, in its order. */
enum {
    TABLE_OWN,
    TABLE_WEBGPU,
    TABLE_RUN,
    TABLE_DEVICE,
    TABLE_SHADER,
    TABLE_SUBJECT,
    TABLE_DUMP,
    TABLE_COUNT
};

/* --- Calibration --- */

/* The device file goes to stdout, what was measured to stderr. */
static int print_calibration(const struct calibration *calibration, struct wgsim_error *err) {
    struct buf text = {0};
    calibration_print(calibration, &text);
    fputs(text.data ? text.data : "", stderr);
    buf_release(&text);
    return output_json(calibration_device_file(calibration), err);
}

static int calibrate_device(const struct webgpu_options *options) {
    struct wgsim_error err;
    struct device_target target;
    struct calibration calibration = {0};
    struct arena arena;
    arena_init(&arena);
    int result = webgpu_options_target(options, &arena, &target, &err);
    if (result == 0)
        result = calibrate(&target, &calibration, &err);
    if (result == 0)
        result = print_calibration(&calibration, &err);
    calibration_release(&calibration);
    arena_release(&arena);
    return result == 0 ? 0 : cli_fail(&err);
}

/* --- Cross-check of a kernel --- */

static int print_result(const struct crosscheck *check, bool json, struct wgsim_error *err) {
    if (json)
        return output_json(crosscheck_json(check), err);
    struct buf text = {0};
    crosscheck_print(check, &text);
    int result = text.failed ? error_set(err, "out of memory") : 0;
    fputs(text.data ? text.data : "", stdout);
    buf_release(&text);
    return result;
}

/* Numbers of the device that the user chose, so that they can be held to the real one. */
static bool names_device(const struct cli_table *table) {
    return cli_given(table, "device") || cli_given(table, "device-file") || cli_given(table, "cus");
}

/* Devices are given buffers alone. */
static int refuse_textures(const struct job *job, struct wgsim_error *err) {
    for (size_t d = 0; d < job->dispatch_count; d++)
        for (const struct wg_var *var = job->kernel->desc->vars; var < job->kernel->desc->vars_end;
             var++)
            if ((texture_spec_is_texture(var->type) || texture_spec_is_sampler(var->type)) &&
                kernel_entry_uses(job->dispatches[d].entry, var->id))
                return error_set(err, "%s is of type %s: crosscheck binds no textures and samplers",
                                 var->name, var->type);
    return 0;
}

static int check_job(struct job *job, const struct setup *setup, const struct cli_table *tables,
                     const struct twin_source *source, struct arena *arena,
                     struct wgsim_error *err) {
    const struct crosscheck_options *options = tables[TABLE_OWN].target;
    const struct device_options *device = tables[TABLE_DEVICE].target;
    struct crosscheck check = {0};
    struct cross_request request = {
        .simulated = {.job = job,
                      .device = &setup->device,
                      .run = &setup->run,
                      .limits = &setup->limits,
                      .plan = &setup->plan,
                      .command = ""},
        .source = *source,
        .models_this_device = names_device(&tables[TABLE_DEVICE]),
        .rules = options->rules.items,
        .rule_count = options->rules.count,
    };
    if (refuse_textures(job, err) != 0)
        return -1;
    if (webgpu_options_target(tables[TABLE_WEBGPU].target, arena, &request.target, err) != 0)
        return -1;
    request.target.device_limits = device->limits != 0;
    int status = cross_run(&check, &request, arena, err);
    if (status == 0)
        status = print_result(&check, options->json, err);
    if (status == 0)
        status = crosscheck_exit_status(check.result);
    cross_run_release(&check);
    return status;
}

/* A shader is its own twin. */
static int find_twin(struct twin_source *source, const struct subject *subject, const char *wanted,
                     struct arena *arena, struct wgsim_error *err) {
    const char *kernel = subject->spec.shader ? subject->spec.shader : subject->operand;
    source->label = wanted ? wanted : twin_file_path(kernel, arena);
    if (!source->label)
        return error_set(err, "out of memory");
    source->text =
        subject->text && !wanted ? subject->text : twin_file_read(source->label, arena, err);
    return source->text ? 0 : -1;
}

/* What a shader's kernel was made for: the overrides of its job file, else --set. */
static int find_settings(struct twin_source *source, const struct subject *subject,
                         const struct setup *setup, struct arena *arena, struct wgsim_error *err) {
    const struct job_spec *spec = &subject->spec;
    size_t set_count = subject->text && !spec->shader ? setup->plan.set_count : 0;
    struct wgsl_setting *set = shader_settings(arena, setup->plan.set, set_count, err);
    struct device_constant *settings =
        arena_alloc(arena, (set_count + spec->override_count) * sizeof *settings);
    if (!set || !settings)
        return set ? error_set(err, "out of memory") : -1;
    for (size_t i = 0; i < set_count; i++)
        settings[source->setting_count++] =
            (struct device_constant){set[i].key, set[i].value, set[i].value};
    for (size_t i = 0; i < spec->override_count; i++)
        settings[source->setting_count++] = (struct device_constant){
            spec->overrides[i].name, spec->overrides[i].value, spec->overrides[i].value};
    source->settings = settings;
    return 0;
}

static int check_subject(const struct subject *subject, const struct setup *setup,
                         const struct cli_table *tables, struct arena *arena,
                         struct wgsim_error *err) {
    const struct crosscheck_options *options = tables[TABLE_OWN].target;
    struct twin_source source = {0};
    const struct cli_list *dump_options = tables[TABLE_DUMP].target;
    struct dumps dumps;
    struct job job;
    if (find_twin(&source, subject, options->twin, arena, err) != 0 ||
        find_settings(&source, subject, setup, arena, err) != 0 ||
        dumps_check_json(dump_options, options->json, err) != 0)
        return -1;
    dumps.count = 0;
    int status = subject_job(subject, &job, setup, err);
    if (status == 0)
        status = dumps_open(&dumps, dump_options, &job, NULL, err);
    if (status == 0)
        status = check_job(&job, setup, tables, &source, arena, err);
    /* The job's buffers now hold what the device made of them. */
    if (status >= 0 && status != 2 && dumps_write(&dumps, err) != 0)
        status = -1;
    dumps_release(&dumps);
    job_release(&job);
    return status;
}

static int check_operand(const char *operand, const struct cli_table *tables) {
    struct wgsim_error err;
    struct setup setup;
    struct subject subject = {0};
    struct arena arena;
    int status = -1;
    arena_init(&arena);
    if (setup_init(&setup, &tables[TABLE_RUN], &tables[TABLE_DEVICE], &err) == 0 &&
        subject_open(&subject, operand, &setup, tables[TABLE_SUBJECT].target, &err) == 0)
        status = check_subject(&subject, &setup, tables, &arena, &err);
    subject_release(&subject);
    setup_release(&setup);
    arena_release(&arena);
    return status < 0 ? cli_fail(&err) : status;
}

int cmd_crosscheck(int argc, char **argv) {
    struct crosscheck_options options = {0};
    struct webgpu_options webgpu = WEBGPU_OPTIONS_DEFAULT;
    struct run_cli run = RUN_CLI_DEFAULT;
    struct device_options device = DEVICE_OPTIONS_DEFAULT;
    struct subject_cli subject = {0};
    struct cli_list dumps = {0};
    struct cli_table tables[TABLE_COUNT] = {
        [TABLE_OWN] = {.title = "Options", .options = crosscheck_table, .target = &options},
        [TABLE_WEBGPU] = {.title = WEBGPU_OPTIONS_TITLE,
                          .options = webgpu_option_table,
                          .target = &webgpu},
        [TABLE_RUN] = {.title = RUN_OPTIONS_TITLE, .options = run_option_table, .target = &run},
        [TABLE_DEVICE] = {.title = DEVICE_OPTIONS_TITLE,
                          .options = device_option_table,
                          .target = &device},
        [TABLE_SHADER] = {.title = SHADER_OPTIONS_TITLE,
                          .options = shader_option_table,
                          .target = &subject.shader},
        [TABLE_SUBJECT] = {.title = SUBJECT_OPTIONS_TITLE,
                           .options = subject_option_table,
                           .target = &subject},
        [TABLE_DUMP] = {.title = DUMP_OPTIONS_TITLE,
                        .options = dump_option_table,
                        .target = &dumps},
    };
    struct cli_usage usage = {.command = "crosscheck",
                              .operands = "[KERNEL]",
                              .about = about,
                              .max_operands = 1,
                              .tables = tables,
                              .table_count = TABLE_COUNT};
    struct cli_operands operands;
    struct wgsim_error err;
    int status;
    if (!cli_parse(&usage, argc, argv, &operands, &status))
        return status;
    if (options.list + options.calibrate + operands.count > 1) {
        error_format(&err, "a kernel, --list and --calibrate exclude each other");
        return cli_fail(&err);
    }
    if (options.list)
        return webgpu_list_devices(&webgpu, options.json);
    if (options.calibrate)
        return calibrate_device(&webgpu);
    if (operands.count == 1)
        return check_operand(operands.items[0], tables);
    error_format(&err, "no kernel given (see 'wgsim crosscheck --help')");
    return cli_fail(&err);
}
