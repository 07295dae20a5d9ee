/* Module-scope declarations. */
#include "sim/wgsl/resolve.h"

enum wgsl_severity resolve_beyond_standard(const struct wgsl_resolver *r) {
    return r->dialect == WGSL_NAGA ? WGSL_WARNING : WGSL_ERROR;
}
static void resolve_decl(struct wgsl_resolver *r, struct wgsl_decl *decl) {
    if (decl->broken)
        return;
    switch (decl->kind) {
    case DECL_VARIABLE:
        resolve_global_variable(r, decl->variable);
        break;
    case DECL_FUNCTION:
        resolve_function(r, decl->function);
        break;
    case DECL_STRUCT:
        resolve_struct(r, decl);
        break;
    case DECL_ALIAS:
        decl->type = resolve_type(r, decl->expr);
        break;
    case DECL_CONST_ASSERT:
        resolve_const_assert(r, &decl->expr, decl->span);
        break;
    }
}

void wgsl_resolve(struct wgsl_module *module, struct wgsl_heap *heap,
                  const struct wgsl_options *options, struct wgsl_diagnostics *diagnostics) {
    struct wgsl_resolver *r = HEAP_NEW(heap, struct wgsl_resolver);
    r->module = module;
    r->types = module->types;
    r->heap = heap;
    r->diagnostics = diagnostics;
    r->dialect = options ? options->dialect : WGSL_STANDARD;
    r->eval = (struct wgsl_eval){heap, module->types, diagnostics};
    attributes_module_filters(r);
    uint32_t count;
    struct wgsl_decl **order = wgsl_sort(module, &r->names, heap, diagnostics, &count);
    r->last_user = heap_alloc(heap, (count + 1) * sizeof *r->last_user);
    for (uint32_t i = 0; i < count; i++)
        resolve_decl(r, order[i]);
    wgsl_check_entry_points(r);
    if (diagnostics->error_count == 0)
        wgsl_check_aliases(r);
}
