/* Replays the recorded shaders of the conformance data: every byte as recorded, but for the cases
 * that tests/wgsl-replay.baseline lists with the reason. One test a group; by default every 20th
 * case is run, under WGSIM_CTS=all every one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/wgsl_case.h"

static const char *const groups[] = {
    "address_of",
    "arrayLength",
    "atomics",
    "call_user",
    "flow_control",
    "limits",
    "memory_layout",
    "override",
    "padding",
    "quadBroadcast",
    "quadSwap",
    "robust_access",
    "shader_io_compute_builtins",
    "shadow",
    "statement",
    "subgroupAdd",
    "subgroupAll",
    "subgroupAny",
    "subgroupBallot",
    "subgroupBitwise",
    "subgroupBroadcast",
    "subgroupElect",
    "subgroupMinMax",
    "subgroupMul",
    "subgroupShuffle",
    "value_init",
    "workgroupUniformLoad",
    "workgroup_size",
    "zero_init",
};

struct tally {
    const char *group;
    char *baseline; /* lines "GROUP INDEX REASON" */
    size_t step, run, passed, known, stale;
};

static bool is_known(const struct tally *tally, size_t index) {
    char line[64];
    snprintf(line, sizeof line, "\n%s %zu ", tally->group, index);
    return tally->baseline && strstr(tally->baseline, line);
}

static uint32_t number(json_t *object, const char *key) {
    return (uint32_t)json_integer_value(json_object_get(object, key));
}

static size_t read_settings(json_t *constants, struct wgsl_setting *settings, size_t limit) {
    size_t count = 0;
    const char *key;
    json_t *value;
    json_object_foreach(constants, key, value) {
        if (count < limit)
            settings[count++] =
                (struct wgsl_setting){key, json_number_value(value), WRITTEN_FOR_API};
    }
    return count;
}

/* Offset of the first byte that differs from what was recorded; -1: none does. */
static long first_difference(const struct case_binding *binding, json_t *recorded) {
    const char *out = json_string_value(json_object_get(recorded, "out"));
    uint64_t count;
    uint8_t *wanted = out ? case_bytes(out, &count) : NULL;
    long at = -1;
    for (uint64_t k = 0; wanted && k < count && at < 0; k++)
        at = wanted[k] != binding->data[k] ? (long)k : -1;
    free(wanted);
    return at;
}

static bool matches(const struct case_run *run, json_t *bindings, struct wgsim_error *err) {
    for (size_t k = 0; k < run->binding_count; k++) {
        long at = first_difference(&run->bindings[k], json_array_get(bindings, k));
        if (at >= 0) {
            snprintf(err->message, sizeof err->message, "binding %u has %02x at byte %ld",
                     run->bindings[k].binding, run->bindings[k].data[at], at);
            return false;
        }
    }
    return true;
}

static void replay(json_t *line, size_t index, void *self) {
    struct tally *tally = self;
    struct wgsl_setting settings[32];
    struct case_binding bindings[16];
    struct wgsim_error err;
    json_t *recorded = json_object_get(line, "bindings"),
           *dispatch = json_object_get(line, "dispatch");
    if (index % tally->step)
        return;
    struct case_run run = {.name = tally->group,
                           .wgsl = json_string_value(json_object_get(line, "wgsl")),
                           .entry = json_string_value(json_object_get(line, "entry")),
                           .settings = settings,
                           .subgroup = 4,
                           .bindings = bindings,
                           .binding_count = json_array_size(recorded)};
    run.setting_count = (uint32_t)read_settings(json_object_get(line, "constants"), settings, 32);
    for (size_t k = 0; k < 3; k++)
        run.groups[k] = (uint32_t)json_integer_value(json_array_get(dispatch, k));
    for (size_t k = 0; k < run.binding_count && k < 16; k++) {
        json_t *from = json_array_get(recorded, k);
        bindings[k] = (struct case_binding){.group = number(from, "group"),
                                            .binding = number(from, "binding")};
        bindings[k].data =
            case_bytes(json_string_value(json_object_get(from, "init")), &bindings[k].bytes);
    }
    bool same = case_run(&run, &err) == 0 && matches(&run, recorded, &err),
         known = is_known(tally, index);
    tally->run++;
    tally->passed += same;
    tally->known += !same && known;
    tally->stale += same && known;
    if (!same && !known)
        printf("# %s case %zu: %s\n", tally->group, index, err.message);
    if (same && known)
        printf("# %s case %zu is as recorded: take it from the baseline\n", tally->group, index);
    for (size_t k = 0; k < run.binding_count && k < 16; k++)
        free(bindings[k].data);
}

static char *read_baseline(void) {
    const char *top = getenv("srcdir");
    char path[4096], *text = NULL;
    size_t capacity = 0;
    snprintf(path, sizeof path, "%s/tests/wgsl-replay.baseline", top ? top : ".");
    FILE *file = fopen(path, "r");
    if (!file || getdelim(&text, &capacity, '\0', file) < 0)
        printf("# cannot read %s\n", path);
    if (file)
        fclose(file);
    return text;
}

/* Arguments name the groups to run; without, all are. */
static bool is_wanted(const char *group, int argc, char **argv) {
    bool wanted = argc == 1;
    for (int k = 1; k < argc; k++)
        wanted |= strcmp(argv[k], group) == 0;
    return wanted;
}

int main(int argc, char **argv) {
    size_t count = sizeof groups / sizeof *groups;
    if (!case_data()) {
        printf("1..0 # SKIP no conformance data in ../shared or $WGSIM_DATA\n");
        return 0;
    }
    char *baseline = read_baseline();
    printf("1..%zu\n", count);
    for (size_t k = 0; k < count; k++) {
        char file[128];
        struct tally tally = {.group = groups[k], .baseline = baseline, .step = case_step(20)};
        if (!is_wanted(groups[k], argc, argv)) {
            printf("ok %zu # SKIP %s is not wanted\n", k + 1, groups[k]);
            continue;
        }
        snprintf(file, sizeof file, "replay/%s.jsonl.gz", groups[k]);
        bool found = case_each_line(file, replay, &tally);
        bool good = found && tally.passed + tally.known == tally.run && tally.stale == 0;
        printf("%sok %zu - %s: %zu of %zu, %zu known not to\n", good ? "" : "not ", k + 1,
               groups[k], tally.passed, tally.run, tally.known);
        fflush(stdout);
    }
    free(baseline);
    return 0;
}
