/* What follows from a simulator's run and a device's. */
#include "sim/webgpu/crosscheck.h"

#include "sim/error.h"

static const struct {
    const char *name;
    int exit_status;
} verdicts[] = {
    [CROSSCHECK_AGREE] = {"agree", 0},
    [CROSSCHECK_DIFFER] = {"differ", 1},
    [CROSSCHECK_REJECTED] = {"device-rejected", 1},
    [CROSSCHECK_HUNG] = {"device-hung", 1},
    [CROSSCHECK_SUSPECT] = {"device-suspect", 0},
    [CROSSCHECK_UNDEFINED] = {"undefined", 0},
};

const char *crosscheck_verdict_name(enum crosscheck_verdict verdict) {
    return verdicts[verdict].name;
}

int crosscheck_exit_status(enum crosscheck_verdict verdict) {
    return verdicts[verdict].exit_status;
}

static int conclude(struct crosscheck *check, enum crosscheck_verdict verdict, const char *reason) {
    check->result = verdict;
    check->reason = reason;
    return 0;
}

/* Turns a verdict into a suspicion where a known fault shows itself so. */
static int conclude_or_suspect(struct crosscheck *check, enum crosscheck_verdict verdict,
                               const char *reason, enum fault_symptom symptom) {
    check->fault = fault_explain(check->device->device, &check->context, symptom);
    return conclude(check, check->fault ? CROSSCHECK_SUSPECT : verdict, reason);
}

/* --- Data --- */

/* Compares all buffers with one outcome; *differing is the number of elements that differ. */
static int compare_outcome(struct crosscheck *check, const struct simulated_outcome *outcome,
                           uint64_t *differing, struct wgsim_error *err) {
    *differing = 0;
    check->chosen = outcome;
    for (size_t i = 0; i < check->buffer_count; i++) {
        struct crosscheck_buffer *buffer = &check->buffers[i];
        if (compare_buffers(&buffer->type, &buffer->rule, outcome->buffers[buffer->index],
                            check->device->outputs[buffer->index], buffer->elements,
                            &buffer->result, err) != 0)
            return -1;
        *differing += buffer->result.differing;
    }
    return 0;
}

/* Compares with every outcome and keeps the one with the fewest differences. */
static int compare_best(struct crosscheck *check, uint64_t *fewest, struct wgsim_error *err) {
    const struct simulated_outcome *best = check->outcomes;
    uint64_t differing;
    *fewest = UINT64_MAX;
    for (size_t i = 0; i<check->outcome_count && * fewest> 0; i++) {
        if (compare_outcome(check, &check->outcomes[i], &differing, err) != 0)
            return -1;
        if (differing < *fewest) {
            *fewest = differing;
            best = &check->outcomes[i];
        }
    }
    return compare_outcome(check, best, &differing, err);
}

static int judge_by_own_check(struct crosscheck *check, struct arena *arena) {
    if (check->own_check == OWN_CHECK_ACCEPTS)
        return conclude(
            check, CROSSCHECK_AGREE,
            "results are free in their order; the kernel's own check accepts the device's");
    return conclude_or_suspect(
        check, CROSSCHECK_DIFFER,
        arena_printf(arena, "the kernel's own check refuses the device's results: %s",
                     check->own_check_text),
        FAULT_DATA);
}

static int judge_data(struct crosscheck *check, struct arena *arena, struct wgsim_error *err) {
    uint64_t differing;
    if (check->result_free && check->own_check != OWN_CHECK_NONE)
        return judge_by_own_check(check, arena);
    if (compare_best(check, &differing, err) != 0)
        return -1;
    const char *label = check->chosen->label;
    const char *reason = label ? arena_printf(arena, "compared with: %s", label) : NULL;
    if (differing == 0)
        return conclude(check, CROSSCHECK_AGREE, reason);
    if (check->open)
        return conclude(check, CROSSCHECK_UNDEFINED, check->open);
    return conclude_or_suspect(check, CROSSCHECK_DIFFER, reason, FAULT_DATA);
}

/* --- Ends --- */

/* A wait that depends on who is resident says something about the model only if it models this
 * device. */
static int judge_residency(struct crosscheck *check, const char *reason,
                           enum fault_symptom symptom) {
    check->fault = fault_explain(check->device->device, &check->context, symptom);
    if (!check->models_this_device)
        return conclude(check, CROSSCHECK_UNDEFINED, reason);
    return conclude(check, check->fault ? CROSSCHECK_SUSPECT : CROSSCHECK_DIFFER, reason);
}

/* With bounded waits all runs end; whether some gave up stands for the simulator's verdict. */
static int judge_bounded_waits(struct crosscheck *check, struct arena *arena,
                               struct wgsim_error *err) {
    bool never_ends = check->end == SIMULATED_NEVER_ENDS;
    bool gave_up = check->gave_up > 0 || check->own_check == OWN_CHECK_REFUSES;
    if (never_ends && gave_up)
        return conclude(check, CROSSCHECK_AGREE,
                        "in the simulator a wait never ends; on the device waits gave up");
    if (never_ends)
        return judge_residency(
            check, "in the simulator a wait never ends; on the device no wait gave up", FAULT_ENDS);
    if (gave_up)
        return judge_residency(
            check, "in the simulator every wait ends; on the device waits gave up", FAULT_HANG);
    return judge_data(check, arena, err);
}

static int judge_ended(struct crosscheck *check, struct arena *arena, struct wgsim_error *err) {
    if (check->end == SIMULATED_REJECTED)
        return conclude_or_suspect(check, CROSSCHECK_DIFFER,
                                   "the simulator rejects what the device accepts", FAULT_ACCEPTS);
    if (check->waits && check->bounded && check->end != SIMULATED_UNKNOWN)
        return judge_bounded_waits(check, arena, err);
    if (check->race)
        return conclude(
            check, CROSSCHECK_UNDEFINED,
            arena_printf(arena, "nothing to compare after a data race: %s", check->race));
    if (check->end == SIMULATED_NEVER_ENDS)
        return conclude_or_suspect(check, CROSSCHECK_DIFFER,
                                   "in the simulator the kernel never ends; on the device it did",
                                   FAULT_ENDS);
    if (check->end == SIMULATED_UNKNOWN)
        return conclude(
            check, CROSSCHECK_UNDEFINED,
            "the simulator's run was not complete, so there is nothing to compare with");
    return judge_data(check, arena, err);
}

static int judge_hung(struct crosscheck *check) {
    if (check->end == SIMULATED_NEVER_ENDS)
        return conclude(check, CROSSCHECK_AGREE,
                        "neither the simulator's run nor the device's ends");
    if (check->waits)
        return judge_residency(
            check, "in the simulator every wait ends; on the device one does not", FAULT_HANG);
    return conclude(check, CROSSCHECK_HUNG, check->device->message);
}

int crosscheck_judge(struct crosscheck *check, struct arena *arena, struct wgsim_error *err) {
    check->fault = NULL;
    check->chosen = NULL;
    switch (check->device->status) {
    case DEVICE_RAN:
        return judge_ended(check, arena, err);
    case DEVICE_HUNG:
        return judge_hung(check);
    case DEVICE_REJECTED:
        return conclude(check,
                        check->end == SIMULATED_REJECTED ? CROSSCHECK_AGREE : CROSSCHECK_REJECTED,
                        check->device->message);
    default:
        return error_set(err, "a list of devices is nothing to compare");
    }
}
