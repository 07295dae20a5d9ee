/* The emitter's frame: one C file from the parts that functions, types and accesses left. */
#include "sim/wgsl/emit.h"

#include "sim/error.h"
#include "sim/wgsl/emit_impl.h"
#include "sim/wgsl/swap.h"
#include "sim/wgsl/wait.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* -- text -------------------------------------------------------------------------------------- */

const char *emit_format(struct emit *e, const char *format, ...) {
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    char *text = length < 0 ? NULL : arena_alloc(&e->arena, (size_t)length + 1);
    if (text) {
        vsnprintf(text, (size_t)length + 1, format, again);
    } else {
        e->failed = true;
    }
    va_end(again);
    va_end(list);
    return text ? text : "";
}

const char *emit_escaped(struct emit *e, const char *text, size_t length) {
    struct buf escaped = {0};
    for (size_t k = 0; k < length; k++) {
        unsigned char c = (unsigned char)text[k];
        if (c == '"' || c == '\\' || c == '?') {
            buf_printf(&escaped, "\\%c", c);
        } else if (c < ' ' || c >= 127) {
            buf_printf(&escaped, "\\%03o", c);
        } else {
            buf_append(&escaped, &c, 1);
        }
    }
    const char *copy = emit_format(e, "%s", escaped.data ? escaped.data : "");
    e->failed |= escaped.failed;
    buf_release(&escaped);
    return copy;
}

/* A long chain of "else if" is nested deeply here. */
enum { INDENT_MAX = 32 };

void emit_line(struct emit *e, const char *format, ...) {
    va_list list;
    va_start(list, format);
    char text[512];
    int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    buf_printf(e->out, "%*s", 4 * (e->indent < INDENT_MAX ? e->indent : INDENT_MAX), "");
    if (length < (int)sizeof text) {
        buf_puts(e->out, text);
    } else {
        char *longer = arena_alloc(&e->arena, (size_t)length + 1);
        va_start(list, format);
        if (longer) {
            vsnprintf(longer, (size_t)length + 1, format, list);
            buf_puts(e->out, longer);
        }
        va_end(list);
        e->failed |= !longer;
    }
    buf_puts(e->out, "\n");
}

void emit_unsupported(struct emit *e, struct wgsl_span span, const char *what) {
    if (!e->failed) {
        const char *file =
            span.file < e->module->file_count ? e->module->files[span.file].name : "";
        error_format(e->err, "%s:%u:%u: %s cannot be simulated yet", file, span.line, span.column,
                     what);
        e->unsupported = true;
    }
    e->failed = true;
}

struct emit_declared {
    struct emit_declared *next;
    const void *key;
    enum emit_declared_kind kind;
    const char *name;
};

const char **emit_declared(struct emit *e, const void *key, enum emit_declared_kind kind) {
    for (struct emit_declared *d = e->declared; d; d = d->next) {
        if (d->key == key && d->kind == kind) {
            return &d->name;
        }
    }
    struct emit_declared *added = arena_alloc(&e->arena, sizeof *added);
    if (!added) {
        e->failed = true;
        return NULL;
    }
    *added = (struct emit_declared){.next = e->declared, .key = key, .kind = kind};
    e->declared = added;
    return &added->name;
}

/* -- functions --------------------------------------------------------------------------------- */

static bool is_private(const struct wgsl_variable *variable) {
    return variable->kind == VAR_VAR && variable->space == AS_PRIVATE;
}

static bool is_handle(const struct wgsl_variable *variable) {
    return variable->kind == VAR_VAR && variable->space == AS_HANDLE;
}

/* A variable that the engine holds: a binding, or workgroup memory. */
static bool is_memory(const struct wgsl_variable *variable) {
    return variable->kind == VAR_VAR && variable->space != AS_PRIVATE &&
           variable->space != AS_FUNCTION;
}

bool emit_uses_privates(const struct wgsl_function *function) {
    for (uint32_t k = 0; k < function->global_count; k++) {
        if (is_private(function->globals[k])) {
            return true;
        }
    }
    return false;
}

static bool start_function(struct emit *e, const struct wgsl_function *function) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < function->local_count; k++) {
        count = function->locals[k]->index >= count ? function->locals[k]->index + 1 : count;
    }
    for (uint32_t k = 0; k < function->param_count; k++) {
        count = function->params[k]->index >= count ? function->params[k]->index + 1 : count;
    }
    e->locals = arena_alloc(&e->arena, (count + 1) * sizeof *e->locals);
    e->exacts = arena_alloc(&e->arena, (count + 1) * sizeof *e->exacts);
    e->local_names = NULL;
    e->temp_count = e->label_count = e->temporary_bytes = 0;
    e->loop = NULL;
    e->failed |= !e->locals || !e->exacts;
    return e->locals && e->exacts;
}

static uint32_t storage_bytes(struct emit *e, const struct wgsl_type *type) {
    return type->kind == TY_VOID || type->kind == TY_PTR ? 16 : emit_stack_bytes(e, type);
}

/* A bound for the stack frame, whatever the compiler does: each variable twice, temporaries, saved
 * registers. */
static uint32_t frame_bytes(struct emit *e, const struct wgsl_function *function) {
    uint64_t bytes = 256 + e->temporary_bytes;
    for (uint32_t k = 0; k < function->local_count; k++) {
        bytes += function->locals[k]->kind == VAR_CONST
                     ? 0
                     : 2 * storage_bytes(e, function->locals[k]->type);
    }
    for (uint32_t k = 0; k < function->param_count; k++) {
        bytes += 2 * storage_bytes(e, function->params[k]->type);
    }
    bytes += 2 * storage_bytes(e, function->result);
    return bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
}

static void emit_function(struct emit *e, struct wgsl_function *function) {
    if (!start_function(e, function)) {
        return;
    }
    const char *params =
        emit_uses_privates(function) ? "struct wg *wg, struct privates *privates" : "struct wg *wg";
    for (uint32_t k = 0; k < function->param_count; k++) {
        struct wgsl_variable *param = function->params[k];
        const char *name = e->locals[param->index] = emit_local_name(e, param->name);
        params = emit_format(e, "%s, %s %s", params, emit_type(e, param->type), name);
        if (emit_carries(param)) {
            const char *both = emit_local_name(e, emit_format(e, "%s_both", param->name));
            e->exacts[param->index] = both;
            params = emit_format(e, "%s, const struct wgsl_exact *%s", params, both);
        }
    }
    e->result_both = emit_returns_both(function) ? emit_local_name(e, "both") : NULL;
    if (e->result_both) {
        params = emit_format(e, "%s, struct wgsl_exact *%s", params, e->result_both);
    }
    uint32_t sites = e->site_count - e->advice_count;
    const char *name = e->functions[function->index] = emit_global_name(e, function->name);
    emit_line(e, "static %s %s(%s) {", emit_type(e, function->result), name, params);
    wgsl_mark_waits(function);
    wgsl_mark_swaps(function);
    emit_block(e, function->body);
    emit_line(e, "}\n");
    e->function_marks[function->index] = e->site_count - e->advice_count > sites;
    e->frames[function->index] = frame_bytes(e, function);
}

static void emit_reachable(struct emit *e, struct wgsl_function *function) {
    if (e->functions[function->index]) {
        return;
    }
    for (uint32_t k = 0; k < function->callee_count; k++) {
        emit_reachable(e, function->callees[k]);
    }
    emit_function(e, function);
}

/* -- entry points ------------------------------------------------------------------------------ */

/* What the engine knows under which name, by builtin value. */
static const char *builtin_input(enum wgsl_builtin_value value) {
    switch (value) {
    case BV_local_invocation_id:
        return "wg_local_invocation_id";
    case BV_local_invocation_index:
        return "wg_local_invocation_index";
    case BV_global_invocation_id:
        return "wg_global_invocation_id";
    case BV_global_invocation_index:
        return "wgsl_global_invocation_index(wg)";
    case BV_workgroup_id:
        return "wg_workgroup_id";
    case BV_workgroup_index:
        return "wgsl_workgroup_index(wg)";
    case BV_num_workgroups:
        return "wg_num_workgroups";
    case BV_subgroup_invocation_id:
        return "wg_subgroup_invocation_id";
    case BV_subgroup_size:
        return "wg_subgroup_size";
    case BV_subgroup_id:
        return "wg_subgroup_id";
    case BV_num_subgroups:
        return "wg_num_subgroups";
    default:
        return NULL;
    }
}

static const char *entry_argument(struct emit *e, const struct wgsl_variable *param) {
    if (param->type->kind != TY_STRUCT) {
        const char *input = builtin_input(param->io.builtin);
        return input ? input : emit_zero(e, param->type);
    }
    const char *members = "";
    for (uint32_t k = 0; k < param->type->member_count; k++) {
        const char *input = builtin_input(param->type->members[k].io.builtin);
        members = emit_format(e, "%s%s%s", members, k ? ", " : "",
                              input ? input : emit_zero(e, param->type->members[k].type));
    }
    return emit_format(e, "(%s){%s}", emit_type(e, param->type), members);
}

static void emit_entry(struct emit *e, const struct wgsl_function *entry) {
    const char *name = e->functions[entry->index];
    emit_line(e, "static void wg_run_%s(struct wg *wg_shared) {", name);
    e->indent++;
    emit_line(e,
              "struct wg own = {wg_shared->log, wg_shared->ctx, wg_shared->lane, 0}, *wg = &own;");
    emit_line(e, "for (;;) { /* as WG_ENTRY does */");
    e->indent++;
    if (emit_uses_privates(entry)) {
        emit_line(e, "struct privates own_privates = initial_privates, *privates = &own_privates;");
    }
    const char *arguments = emit_uses_privates(entry) ? "wg, privates" : "wg";
    for (uint32_t k = 0; k < entry->param_count; k++) {
        arguments = emit_format(e, "%s, %s", arguments, entry_argument(e, entry->params[k]));
    }
    emit_line(e, "%s(%s);", name, arguments);
    emit_line(e, "wg_end_(wg);");
    e->indent--;
    emit_line(e, "}");
    e->indent--;
    emit_line(e, "}\n");
    const uint32_t *size = e->pipeline->workgroup_size;
    emit_line(e, "static void wg_size_%s(const struct wg *wg, u32 size[3]) {", name);
    emit_line(e, "    size[0] = %u, size[1] = %u, size[2] = %u;", size[0], size[1], size[2]);
    emit_line(e, "}\n");
    buf_printf(e->out, "static const uint32_t wg_uses_%s[] = {", name);
    for (uint32_t k = 0; k < entry->global_count; k++) {
        if (is_memory(entry->globals[k])) {
            buf_printf(e->out, "wg_var_%s, ", e->globals[entry->globals[k]->index]);
        }
    }
    buf_puts(e->out, "WG_VAR_DYNAMIC};\n\n");
}

/* Functions cannot recurse, so that no more than one frame of each is there at a time. */
static uint64_t frames_below(struct emit *e, const struct wgsl_function *function, bool *counted) {
    if (counted[function->index]) {
        return 0;
    }
    counted[function->index] = true;
    uint64_t bytes = e->frames[function->index];
    for (uint32_t k = 0; k < function->callee_count; k++) {
        bytes += frames_below(e, function->callees[k], counted);
    }
    return bytes;
}

/* What an invocation needs; 0 where the engine's usual stack is enough. */
static uint32_t entry_stack(struct emit *e, const struct wgsl_function *entry) {
    bool *counted = arena_alloc(&e->arena, e->module->function_count + 1);
    uint64_t bytes = 2048 + (e->prints ? 16384 : 0);
    for (uint32_t k = 0; k < entry->global_count; k++) {
        bytes += is_private(entry->globals[k]) ? emit_stack_bytes(e, entry->globals[k]->type) : 0;
    }
    bytes += counted ? frames_below(e, entry, counted) : 0;
    return bytes < 7168 ? 0 : bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
}

/* -- variables --------------------------------------------------------------------------------- */

/* Names every global that some entry point uses; the others stay NULL. */
static void name_globals(struct emit *e, struct wgsl_pipeline *const *pipelines, uint32_t count) {
    for (uint32_t p = 0; p < count; p++) {
        const struct wgsl_function *entry = pipelines[p]->entry;
        for (uint32_t k = 0; k < entry->global_count; k++) {
            const struct wgsl_variable *variable = entry->globals[k];
            if (variable->kind == VAR_VAR && !e->globals[variable->index]) {
                e->globals[variable->index] = emit_global_name(e, variable->name);
            }
        }
    }
}

static void emit_privates(struct emit *e) {
    const char *members = "", *values = "";
    for (uint32_t k = 0; k < e->module->global_count; k++) {
        const struct wgsl_variable *variable = e->module->globals[k];
        if (!e->globals[k] || !is_private(variable)) {
            continue;
        }
        members =
            emit_format(e, "%s    %s %s;\n", members, emit_type(e, variable->type), e->globals[k]);
        const struct wgsl_value *value = variable->init ? emit_constant(e, variable->init) : NULL;
        if (value) {
            values =
                emit_format(e, "%s    .%s = %s,\n", values, e->globals[k], emit_braces(e, value));
        }
    }
    if (members[0]) {
        buf_printf(&e->tables,
                   "/* var<private>, one for each invocation */\nstruct privates {\n%s};\n",
                   members);
        buf_printf(&e->tables, "static const struct privates initial_privates = {%s%s};\n\n",
                   values[0] ? "\n" : "0", values);
    }
}

const char *emit_space(enum wgsl_space space, enum wgsl_access access) {
    return space == AS_WORKGROUP ? "WG_SPACE_WORKGROUP"
           : space == AS_UNIFORM ? "WG_SPACE_UNIFORM"
           : access == AM_READ   ? "WG_SPACE_STORAGE_READ"
                                 : "WG_SPACE_STORAGE";
}

static const char *scalar_kind(const struct wgsl_type *type) {
    switch (type_scalar(type->kind == TY_ATOMIC ? type->elem : type)->kind) {
    case TY_U32:
        return "WG_U32";
    case TY_I32:
        return "WG_I32";
    case TY_F32:
        return "WG_F32";
    case TY_F16:
        return "WG_F16";
    default:
        return "WG_BOOL";
    }
}

/* What reports call an element of a variable: of an array (of arrays) what lies inside, of a
 * structure that ends in a runtime-sized array a word, else all of it. */
struct element {
    const struct wgsl_type *type;
    uint64_t stride, columns;
};

static struct element variable_element(struct emit *e, const struct wgsl_type *type) {
    struct element element = {.type = type, .stride = wgsl_pipeline_size(e->pipeline, type)};
    for (unsigned depth = 0; element.type->kind == TY_ARRAY; depth++) {
        uint64_t count = wgsl_pipeline_count(e->pipeline, element.type);
        element.columns = depth == 1 ? count : 0;
        element.stride = element.type->stride;
        element.type = element.type->elem;
    }
    return element;
}

static bool ends_in_runtime_array(const struct wgsl_type *type) {
    return type->kind == TY_STRUCT && !type->fixed_footprint;
}

/* A texture or sampler is a buffer of words that begins as wgsl_format.h says. */
static void emit_handle(struct emit *e, const struct wgsl_variable *variable) {
    const struct wgsl_type *type = variable->type;
    bool is_texture = type->kind == TY_TEXTURE;
    enum wgsl_access access =
        is_texture && type->texture == TEXTURE_STORAGE ? type->access : AM_READ;
    buf_printf(e->out,
               "    {.name = \"%s\", .type = \"%s\", .id = wg_var_%s, .space = %s,\n"
               "     .scalar = WG_STRUCT, .group = %u, .binding = %u,\n"
               "     .element_bytes = 4, .stride = 4, .fixed_bytes = %s},\n",
               variable->name, type->name, e->globals[variable->index],
               emit_space(AS_STORAGE, access), variable->group, variable->binding,
               is_texture ? "sizeof(struct wgsl_texture)" : "sizeof(struct wgsl_sampler)");
    e->textures = true;
}

static void emit_var(struct emit *e, const struct wgsl_variable *variable) {
    if (is_handle(variable)) {
        emit_handle(e, variable);
        return;
    }
    const char *name = e->globals[variable->index];
    struct element element = variable_element(e, variable->type);
    bool is_struct = element.type->kind == TY_STRUCT || element.type->kind == TY_MAT;
    uint64_t size = wgsl_pipeline_size(e->pipeline, variable->type);
    if (ends_in_runtime_array(variable->type)) {
        element.stride = 4;
    }
    if (variable->space == AS_WORKGROUP) {
        buf_printf(&e->code,
                   "static uint64_t wg_count_%s(const struct wg *wg) {\n    return %llu;\n}\n\n",
                   name, (unsigned long long)(size / element.stride));
    }
    buf_printf(e->out, "    {.name = \"%s\", .type = \"%s\", .id = wg_var_%s, .space = %s,\n",
               variable->name, emit_escaped(e, element.type->name, strlen(element.type->name)),
               name, emit_space(variable->space, variable->access));
    buf_printf(e->out,
               "     .scalar = %s, .components = %u, .atomic = %d, .group = %u, .binding = %u,\n",
               is_struct ? "WG_STRUCT" : scalar_kind(element.type),
               is_struct                      ? 0
               : element.type->kind == TY_VEC ? element.type->rows
                                              : 1,
               element.type->kind == TY_ATOMIC, variable->group, variable->binding);
    buf_printf(e->out,
               "     .element_bytes = %llu, .stride = %llu, .columns = %llu, .fixed_bytes = %llu",
               (unsigned long long)(ends_in_runtime_array(variable->type) ? 4 : element.type->size),
               (unsigned long long)element.stride, (unsigned long long)element.columns,
               (unsigned long long)size);
    buf_printf(e->out, ", .line = %u%s%s},\n", variable->span.line,
               variable->space == AS_WORKGROUP ? ", .count = wg_count_" : "",
               variable->space == AS_WORKGROUP ? name : "");
}

static void emit_vars(struct emit *e, struct buf *numbers, struct buf *vars) {
    e->out = vars;
    for (uint32_t k = 0; k < e->module->global_count; k++) {
        if (e->globals[k] && is_memory(e->module->globals[k])) {
            buf_printf(numbers, "%swg_var_%s", numbers->len ? ", " : "", e->globals[k]);
            emit_var(e, e->module->globals[k]);
        }
    }
    e->out = &e->code;
}

/* -- the file ---------------------------------------------------------------------------------- */

/* From so many on, inlined accesses or operations would take longer to compile than they save. */
enum { MANY_ACCESSES = 100, MANY_INDICES = 50 };

static void emit_prologue(struct emit *e, const struct buf *numbers, struct buf *out) {
    buf_printf(out, "/* %s as a kernel in C. */\n", e->module->files[0].name);
    if (e->access_count > MANY_ACCESSES) {
        buf_puts(out, "#define WGSL_MANY_ACCESSES\n");
    }
    if (e->exact_count > MANY_INDICES) {
        buf_puts(out, "#define WGSL_MANY_INDICES\n");
    }
    buf_puts(out, "#include <wgsim/wgsl.h>\n#include <wgsim/wgsl_matrix.h>\n");
    buf_puts(out, e->textures ? "#include <wgsim/wgsl_texture.h>\n\n" : "\n");
    buf_puts(out, "#pragma GCC diagnostic ignored \"-Wunused-parameter\"\n");
    buf_puts(out, "#pragma GCC diagnostic ignored \"-Wunused-variable\"\n");
    buf_puts(out, "#pragma GCC diagnostic ignored \"-Wunused-but-set-variable\"\n\n");
    if (numbers->len) {
        buf_printf(out, "enum { %s };\n\n", numbers->data);
    }
}

static void emit_tables(struct emit *e, struct wgsl_pipeline *const *pipelines, uint32_t count,
                        const struct buf *vars, struct buf *out) {
    buf_printf(out, "static const struct wg_site sites[] = {\n%s};\n\n",
               e->sites.data ? e->sites.data : "    {0}\n");
    buf_printf(out, "static const struct wg_var vars[] = {\n%s};\n\n",
               vars->data ? vars->data : "    {0}\n");
    buf_puts(out, "static const struct wg_entry entries[] = {\n");
    uint32_t var_count = 0;
    for (uint32_t k = 0; k < e->module->global_count; k++) {
        var_count += e->globals[k] && is_memory(e->module->globals[k]);
    }
    for (uint32_t p = 0; p < count; p++) {
        const char *name = e->functions[pipelines[p]->entry->index];
        buf_printf(out, "    {.name = \"%s\", .run = wg_run_%s, .size = wg_size_%s,\n",
                   pipelines[p]->entry->name, name, name);
        buf_printf(out, "     .uses = wg_uses_%s, .stack_bytes = %u},\n", name,
                   entry_stack(e, pipelines[p]->entry));
    }
    const char *file = emit_escaped(e, e->module->files[0].name, strlen(e->module->files[0].name));
    buf_printf(out,
               "};\n\n__attribute__((visibility(\"default\"), used)) const struct wg_kernel "
               "wgsim_kernel_2 = {\n"
               "    .abi = WG_ABI_,\n    .name = \"%s\",\n    .summary = \"\",\n    "
               ".source = \"%s\",\n"
               "    .sites = sites,\n    .sites_end = sites + %u,\n    .vars = vars,\n    "
               ".vars_end = vars + %u,\n"
               "    .entries = entries,\n    .entries_end = entries + %u,\n};\n",
               file, file, e->site_count, var_count, count);
}

static void emit_all(struct emit *e, struct wgsl_pipeline *const *pipelines, uint32_t count,
                     struct buf *out) {
    struct buf numbers = {0}, vars = {0};
    name_globals(e, pipelines, count);
    emit_vars(e, &numbers, &vars);
    emit_privates(e);
    emit_mark_indices(e->module);
    for (uint32_t p = 0; p < count; p++) {
        e->pipeline = pipelines[p];
        emit_reachable(e, pipelines[p]->entry);
        emit_entry(e, pipelines[p]->entry);
    }
    emit_prologue(e, &numbers, out);
    buf_puts(out, e->types.data ? e->types.data : "");
    buf_printf(out, "%s\n", e->tables.data ? e->tables.data : "");
    buf_puts(out, e->code.data ? e->code.data : "");
    emit_tables(e, pipelines, count, &vars, out);
    e->failed |= numbers.failed || vars.failed || out->failed;
    buf_release(&numbers);
    buf_release(&vars);
}

int wgsl_emit(struct wgsl_pipeline *const *pipelines, uint32_t count, struct buf *out,
              struct wgsim_error *err) {
    struct wgsl_module *module = pipelines[0]->module;
    struct emit e = {.module = module, .pipeline = pipelines[0], .err = err, .out = NULL};
    arena_init(&e.arena);
    e.out = &e.code;
    e.globals = arena_alloc(&e.arena, (module->global_count + 1) * sizeof *e.globals);
    e.functions = arena_alloc(&e.arena, (module->function_count + 1) * sizeof *e.functions);
    e.function_marks = arena_alloc(&e.arena, module->function_count + 1);
    e.frames = arena_alloc(&e.arena, (module->function_count + 1) * sizeof *e.frames);
    e.failed = !e.globals || !e.functions || !e.function_marks || !e.frames;
    if (!e.failed)
        emit_all(&e, pipelines, count, out);
    e.failed |= e.types.failed || e.tables.failed || e.sites.failed || e.code.failed;
    if (e.failed && !e.unsupported)
        error_format(err, "out of memory");
    buf_release(&e.types);
    buf_release(&e.tables);
    buf_release(&e.sites);
    buf_release(&e.code);
    arena_release(&e.arena);
    return e.failed ? -1 : 0;
}
