/* Fuzz target: a job file, or else one --buffer argument. Small buffers that are accepted can be
 * made. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "sim/job_spec.h"

enum { ELEMENTS_MAX = 1 << 16 };

static void check_contents(const struct buffer_spec *given) {
    struct buffer_spec spec = *given;
    struct wgsim_error err = {{0}};
    uint64_t bytes = 0;
    if (spec.init == BUFFER_FILE || spec.count > ELEMENTS_MAX)
        return;
    if (spec.init == BUFFER_TEXTURE || spec.init == BUFFER_SAMPLER)
        return;
    uint8_t *data = buffer_spec_fill(&spec, &bytes, &err);
    FUZZ_CHECK(data ? bytes > 0 : err.message[0] != '\0');
    free(data);
}

static void check_job(const char *text) {
    struct job_spec spec;
    struct wgsim_error err = {{0}};
    if (job_spec_parse(&spec, text, NULL, &err) != 0) {
        FUZZ_CHECK(err.message[0] && !strchr(err.message, '\n'));
    } else {
        FUZZ_CHECK(spec.shader && spec.dispatch_count > 0);
        for (size_t i = 0; i < spec.buffer_count; i++)
            check_contents(&spec.buffers[i].contents);
    }
    job_spec_release(&spec);
}

static void check_buffer(const char *text) {
    struct arena arena;
    struct buffer_spec spec = {0};
    struct wgsim_error err = {{0}};
    arena_init(&arena);
    if (buffer_spec_parse(&arena, text, &spec, &err) == 0)
        check_contents(&spec);
    else
        FUZZ_CHECK(err.message[0]);
    arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    check_job(text);
    check_buffer(text);
    free(text);
    return 0;
}
