/* Fuzz target: the program of a litmus test, which is a part of a line. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "sim/kernel.h"
#include "sim/progress/litmus.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct kernel kernel;
    struct job job;
    struct wgsim_error err = {{0}};
    char *program = malloc(size + 1);
    if (!program)
        return 0;
    memcpy(program, data, size);
    program[size] = '\0';
    program[strcspn(program, "\n")] = '\0';
    FUZZ_CHECK(kernel_init(&kernel, &litmus_kernel, "litmus", &err) == 0);
    job_init(&job, &kernel);
    if (litmus_job(&job, &kernel, program, &err) != 0)
        FUZZ_CHECK(err.message[0] && !strchr(err.message, '\n'));
    else
        FUZZ_CHECK(job.dispatch_count == 1 && job.dispatches[0].groups[0] > 0);
    job_release(&job);
    kernel_release(&kernel);
    free(program);
    return 0;
}
