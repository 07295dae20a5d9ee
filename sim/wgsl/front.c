/* The WGSL front end: its stages in order.
 *   preprocess  text to text, with the way back to the author's lines
 *   lex         text to tokens; template lists are told from comparisons
 *   parse       tokens to a tree
 *   sort        module-scope declarations in an order in which each comes after those it needs
 *   resolve     names, types, constants and the checks that need them, in place
 *   entry points, aliases, uniformity: checks of the whole */
#include "sim/wgsl/front.h"

#include <stdlib.h>
#include <string.h>

#include "sim/wgsl/parse.h"
#include "sim/wgsl/preprocess.h"
#include "sim/wgsl/resolve.h"
#include "sim/wgsl/uniformity.h"

enum { SHADER_BYTES_LIMIT = 1 << 26 };

/* Everything that a run of the stages works on. */
struct front {
    struct wgsl_module *module;
    struct wgsl_heap *heap;
    const struct wgsl_options *options;
    struct wgsl_diagnostics *diagnostics;
    struct buf *preprocessed; /* text that is not in the heap, in case that gets full */
};

/* So that diagnostics can be printed after the module is gone. */
static void keep_files(struct wgsl_diagnostics *list, const struct wgsl_module *module) {
    struct wgsl_file *files = arena_alloc(&list->arena, (module->file_count + 1) * sizeof *files);
    list->file_count = 0;
    list->files = files;
    for (uint32_t i = 0; files && i < module->file_count; i++) {
        const struct wgsl_file *from = &module->files[i];
        char *text = arena_alloc(&list->arena, (size_t)from->length + 1);
        char *name = arena_strdup(&list->arena, from->name);
        if (!text || !name)
            return;
        memcpy(text, from->text, from->length);
        files[i] = (struct wgsl_file){name, text, from->length};
        list->file_count = i + 1;
    }
}

static void run_stages(const struct front *f, const char *name, const char *text, size_t length) {
    struct wgsl_module *m = f->module;
    struct wgsl_file file = {heap_text(f->heap, name, strlen(name)),
                             heap_text(f->heap, text, length), (uint32_t)length};
    HEAP_PUSH(f->heap, m->files, m->file_count, file);
    m->types = types_new(f->heap);
    struct wgsl_text preprocessed =
        wgsl_preprocess(m, f->heap, f->options, f->preprocessed, f->diagnostics);
    if (f->diagnostics->error_count)
        return;
    m->text = preprocessed.text;
    struct wgsl_tokens tokens = wgsl_lex(&preprocessed, f->heap, f->diagnostics);
    wgsl_parse(&tokens, m, f->heap, f->diagnostics);
    if (f->diagnostics->error_count)
        return;
    wgsl_resolve(m, f->heap, f->options, f->diagnostics);
    bool lax = f->options && f->options->dialect == WGSL_NAGA;
    if (!f->diagnostics->error_count)
        wgsl_check_uniformity(m, lax ? WGSL_WARNING : WGSL_ERROR, f->diagnostics);
}

/* Out of memory in any stage comes back here. */
static void run_guarded(const struct front *f, const char *name, const char *text, size_t length) {
    jmp_buf full;
    f->heap->full = &full;
    if (setjmp(full) == 0)
        run_stages(f, name, text, length);
    else
        wgsl_diagnose(f->diagnostics, WGSL_ERROR, (struct wgsl_span){0},
                      "out of memory for this shader");
    f->heap->full = NULL;
}

struct wgsl_module *wgsl_front(const char *name, const char *text, size_t length,
                               const struct wgsl_options *options,
                               struct wgsl_diagnostics *diagnostics) {
    struct wgsl_module *module = calloc(1, sizeof *module);
    struct wgsl_heap *heap = NULL;
    if (module) {
        arena_init(&module->arena);
        heap = arena_alloc(&module->arena, sizeof *heap);
    }
    if (!heap || length > SHADER_BYTES_LIMIT) {
        wgsl_diagnose(diagnostics, WGSL_ERROR, (struct wgsl_span){0},
                      heap ? "the shader is too long" : "out of memory");
        wgsl_free(module);
        return NULL;
    }
    *heap = (struct wgsl_heap){&module->arena, NULL, 0};
    module->heap = heap;
    struct buf preprocessed = {0};
    struct front f = {module, heap, options, diagnostics, &preprocessed};
    run_guarded(&f, name, text, length);
    buf_release(&preprocessed);
    keep_files(diagnostics, module);
    if (diagnostics->error_count) {
        wgsl_free(module);
        return NULL;
    }
    return module;
}

void wgsl_free(struct wgsl_module *module) {
    if (!module)
        return;
    arena_release(&module->arena);
    free(module);
}
