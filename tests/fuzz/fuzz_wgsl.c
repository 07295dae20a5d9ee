/* Fuzz target: WGSL. A shader is accepted without errors or rejected with some, every diagnostic
 * has a place that can be shown, and what is accepted is emitted as C or refused with a message. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "sim/wgsl/emit.h"
#include "sim/wgsl/front.h"

static void check_emit(struct wgsl_pipeline *pipeline) {
    struct buf text = {0};
    struct wgsim_error err = {""};
    int status = wgsl_emit(&pipeline, 1, &text, &err);
    FUZZ_CHECK(status == 0 ? text.len > 0 : err.message[0] != '\0');
    buf_release(&text);
}

static void check_pipeline(struct wgsl_module *module) {
    struct wgsl_diagnostics diagnostics;
    wgsl_diagnostics_init(&diagnostics);
    struct wgsl_pipeline *pipeline = wgsl_pipeline(module, NULL, NULL, 0, &diagnostics);
    FUZZ_CHECK((pipeline != NULL) == (diagnostics.error_count == 0));
    for (uint32_t i = 0; pipeline && i < module->global_count; i++)
        if (module->globals[i]->type && module->globals[i]->space == AS_WORKGROUP)
            wgsl_pipeline_size(pipeline, module->globals[i]->type);
    if (pipeline)
        check_emit(pipeline);
    wgsl_pipeline_free(pipeline);
    wgsl_diagnostics_release(&diagnostics);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wgsl_diagnostics diagnostics;
    struct buf text = {0};
    wgsl_diagnostics_init(&diagnostics);
    char *shader = malloc(size + 1);
    if (!shader)
        return 0;
    memcpy(shader, data, size);
    struct wgsl_module *module = wgsl_front("fuzz.wgsl", shader, size, NULL, &diagnostics);
    FUZZ_CHECK((module != NULL) == (diagnostics.error_count == 0));
    for (const struct wgsl_diagnostic *d = diagnostics.first; d; d = d->next)
        FUZZ_CHECK(d->message[0] && d->span.file <= diagnostics.file_count);
    wgsl_diagnostics_print(&diagnostics, &text);
    FUZZ_CHECK(module || text.len > 0);
    if (module)
        check_pipeline(module);
    buf_release(&text);
    wgsl_free(module);
    wgsl_diagnostics_release(&diagnostics);
    free(shader);
    return 0;
}
