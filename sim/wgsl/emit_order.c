/* In which order the parts of an expression are evaluated, which C leaves open. */
#include "sim/wgsl/emit_impl.h"

bool emit_any_operand(const struct wgsl_expr *expr, bool (*is)(const struct wgsl_expr *)) {
    for (uint32_t k = 0; k < expr->arg_count; k++) {
        if (is(expr->args[k])) {
            return true;
        }
    }
    return is(expr->lhs) || is(expr->rhs);
}

/* -- what runs --------------------------------------------------------------------------------- */

static bool only_looks(enum wgsl_builtin builtin) {
    return builtin == BI_arrayLength || builtin == BI_textureLoad ||
           builtin == BI_textureDimensions || builtin == BI_textureNumLayers ||
           builtin == BI_textureNumLevels;
}

bool emit_is_call(const struct wgsl_expr *expr) {
    return expr->kind == EX_USER ||
           (expr->kind == EX_BUILTIN && !(builtin_flags(expr->builtin) & BF_CONSTANT) &&
            !only_looks(expr->builtin));
}

static bool calls_something(const struct wgsl_expr *expr) {
    return expr && !expr->value && (emit_is_call(expr) || emit_any_operand(expr, calls_something));
}

bool emit_calls(const struct wgsl_expr *expr) {
    return expr && !expr->value && (expr->kind == EX_USER || emit_any_operand(expr, emit_calls));
}

/* -- what that changes ------------------------------------------------------------------------- */

static bool is_own(const struct wgsl_variable *variable) {
    return variable && !variable->is_global && !variable->address_taken &&
           variable->type->kind != TY_PTR;
}

bool emit_may_change(const struct wgsl_expr *expr) {
    if (!expr || expr->value || (expr->kind == EX_BUILTIN && expr->builtin == BI_arrayLength)) {
        return false;
    }
    bool in_memory = (expr->type->kind == TY_REF || expr->type->kind == TY_PTR) &&
                     expr->type->space != AS_UNIFORM && expr->type->space != AS_HANDLE;
    bool texel = expr->kind == EX_BUILTIN && expr->builtin == BI_textureLoad &&
                 expr->args[0]->type->texture == TEXTURE_STORAGE;
    return emit_is_call(expr) || texel || (in_memory && !is_own(expr->root)) ||
           emit_any_operand(expr, emit_may_change);
}

bool emit_place_may_change(const struct wgsl_expr *reference) {
    for (; reference; reference = reference->lhs) {
        if (reference->kind == EX_INDEX && emit_may_change(reference->rhs)) {
            return true;
        }
    }
    return false;
}

bool emit_condition_may_lead(const struct wgsl_expr *select) {
    const struct wgsl_expr *condition = select->args[2];
    bool calls = calls_something(select->args[0]) || calls_something(select->args[1]);
    return !(calls ? emit_may_change(condition) : calls_something(condition));
}

/* -- operands ---------------------------------------------------------------------------------- */

bool emit_must_keep(struct wgsl_expr *const *operands, uint32_t count, uint32_t k) {
    bool calls = emit_calls(operands[k]);
    for (uint32_t later = k + 1; later < count; later++) {
        if (emit_has_effect(operands[later]) || (calls && emit_may_change(operands[later]))) {
            return true;
        }
    }
    return false;
}

void emit_operands(struct emit *e, struct wgsl_expr *const *operands, uint32_t count,
                   struct emit_text *texts) {
    for (uint32_t k = 0; k < count; k++) {
        texts[k] = emit_expr(e, operands[k]);
        if (!texts[k].stable && emit_must_keep(operands, count, k)) {
            texts[k] = emit_keep(e, operands[k]->type, texts[k]);
        }
    }
}
