/* Calls of builtin functions as C. */
#include "sim/wgsl/emit_impl.h"

#include <string.h>

static struct emit_text made(const char *c, bool stable) {
    return (struct emit_text){.c = c, .level = LEVEL_PRIMARY, .stable = stable};
}

static uint32_t mark_site(struct emit *e, const struct wgsl_expr *expr, const char *op) {
    return emit_site(e, expr->span, (struct emit_site_info){.op = op});
}

/* -- functions of values ----------------------------------------------------------------------- */

/* Whether TYPE_name is named after the result instead of the first argument. */
static bool named_by_result(enum wgsl_builtin builtin) {
    const char *name = builtin_name(builtin);
    return strncmp(name, "pack", 4) == 0 || strncmp(name, "unpack", 6) == 0 ||
           strncmp(name, "dot4", 4) == 0;
}

/* Where an argument of these is a scalar beside vectors, it stands for a vector. */
static bool splats(enum wgsl_builtin builtin) {
    return builtin == BI_mix || builtin == BI_select;
}

/* Bits as u32 or a vector of u32, and back. */
static const char *to_words(struct emit *e, const struct wgsl_type *from, struct emit_text value) {
    if (emit_is_half(from)) {
        return emit_format(e, from->rows == 4 ? "vec2u_bitcast_vec4h(%s)" : "u32_pack2x16float(%s)",
                           value.c);
    }
    if (from->kind == TY_F32) {
        return emit_format(e, "u32_bitcast_f32(%s)", value.c);
    }
    return from->kind == TY_VEC
               ? emit_format(e, "(vec%uu)%s", from->rows, emit_wrap(e, value, LEVEL_UNARY))
               : emit_format(e, "(u32)%s", emit_wrap(e, value, LEVEL_UNARY));
}

static struct emit_text bitcast(struct emit *e, const struct wgsl_expr *expr,
                                struct emit_text value) {
    const struct wgsl_type *to = expr->type, *from = expr->args[0]->type;
    if (to == from) {
        return value;
    }
    const char *words = to_words(e, from, value);
    if (emit_is_half(to)) {
        const char *function = to->rows == 4 ? "vec4h_bitcast_vec2u" : "vec2f_unpack2x16float";
        return made(emit_format(e, "%s(%s)", function, words), value.stable);
    }
    if (to->kind == TY_F32) {
        return made(emit_format(e, "f32_bitcast_u32(%s)", words), value.stable);
    }
    return (struct emit_text){emit_format(e, "(%s)%s", emit_type(e, to), words), LEVEL_UNARY,
                              value.stable};
}

static struct emit_text value_function(struct emit *e, const struct wgsl_expr *expr,
                                       const struct emit_text *args) {
    if (expr->builtin == BI_bitcast) {
        return bitcast(e, expr, args[0]);
    }
    const struct wgsl_type *first = expr->args[0]->type;
    const char *list = "";
    bool stable = true;
    for (uint32_t k = 0; k < expr->arg_count; k++) {
        const struct wgsl_type *type = expr->args[k]->type;
        const char *arg = args[k].c;
        if (splats(expr->builtin) && first->kind == TY_VEC && type->kind != TY_VEC) {
            char letter = type->kind == TY_BOOL ? 'b' : 'f';
            arg = emit_format(e, "vec%u%c_splat(%s)", first->rows, letter, arg);
        }
        list = emit_format(e, "%s%s%s", list, k ? ", " : "", arg);
        stable &= args[k].stable;
    }
    const char *family = emit_family(e, named_by_result(expr->builtin) ? expr->type : first);
    struct emit_text call =
        made(emit_format(e, "%s_%s(%s)", family, builtin_name(expr->builtin), list), stable);
    return emit_rounded(e, expr->type, call);
}

/* -- memory ------------------------------------------------------------------------------------ */

static struct emit_place argument_place(struct emit *e, const struct wgsl_expr *pointer) {
    struct wgsl_expr reference = {.kind = EX_DEREF, .lhs = (struct wgsl_expr *)pointer};
    return emit_place(e, &reference);
}

static struct emit_text array_length(struct emit *e, const struct wgsl_expr *expr) {
    struct emit_place place = argument_place(e, expr->args[0]);
    const struct wgsl_type *array = expr->args[0]->type->elem;
    return made(emit_format(e, "wgsl_array_length(wg, %s, %s, %llu)", place.var,
                            emit_byte(e, &place), (unsigned long long)array->stride),
                true);
}

static const struct {
    enum wgsl_builtin builtin;
    const char *op;
} atomics[] = {
    {BI_atomicLoad, "WG_OP_ATOMIC_LOAD"},
    {BI_atomicStore, "WG_OP_ATOMIC_STORE"},
    {BI_atomicAdd, "WG_OP_ATOMIC_ADD"},
    {BI_atomicSub, "WG_OP_ATOMIC_SUB"},
    {BI_atomicMax, "WG_OP_ATOMIC_MAX"},
    {BI_atomicMin, "WG_OP_ATOMIC_MIN"},
    {BI_atomicAnd, "WG_OP_ATOMIC_AND"},
    {BI_atomicOr, "WG_OP_ATOMIC_OR"},
    {BI_atomicXor, "WG_OP_ATOMIC_XOR"},
    {BI_atomicExchange, "WG_OP_ATOMIC_EXCHANGE"},
    {BI_atomicCompareExchangeWeak, "WG_OP_ATOMIC_COMPARE_EXCHANGE"},
};

/* An exchange whose result is not used is a store. */
static const char *atomic_op(enum wgsl_builtin builtin, bool used) {
    if (builtin == BI_atomicExchange && !used) {
        builtin = BI_atomicStore;
    }
    for (size_t k = 0; k < sizeof atomics / sizeof *atomics; k++) {
        if (atomics[k].builtin == builtin) {
            return atomics[k].op;
        }
    }
    return NULL;
}

/* Loops wait for some; hardware merges adds of the constant 1 whose result is not used. */
static const char *atomic_flags(struct emit *e, const struct wgsl_expr *expr, bool used) {
    if (!used && expr->builtin == BI_atomicExchange) {
        return "WG_SITE_UNUSED | WG_SITE_EXCHANGE";
    }
    if (used || expr->builtin == BI_atomicLoad) {
        return used && expr->is_waited_on ? "WG_SITE_WAIT" : NULL;
    }
    const struct wgsl_value *operand = expr->arg_count > 1 ? emit_constant(e, expr->args[1]) : NULL;
    int64_t by = operand ? (int32_t)value_leaf(operand, 0).i : 0;
    bool increment =
        (expr->builtin == BI_atomicAdd && by == 1) || (expr->builtin == BI_atomicSub && by == -1);
    return increment ? "WG_SITE_UNUSED | WG_SITE_INCREMENT" : "WG_SITE_UNUSED";
}

static struct emit_text atomic(struct emit *e, const struct wgsl_expr *expr, bool used) {
    const struct wgsl_type *atomic_type = expr->args[0]->type->elem;
    const char *type = emit_type(e, atomic_type->elem), *op = atomic_op(expr->builtin, used);
    bool later = false;
    for (uint32_t k = 1; k < expr->arg_count; k++) {
        later |= emit_has_effect(expr->args[k]);
    }
    const char *reach = emit_reach(e, op);
    struct emit_place place = argument_place(e, expr->args[0]);
    if (later) {
        emit_place_keep(e, &place);
    }
    emit_reach(e, reach);
    struct emit_text operands[2] = {made("0", true), made("0", true)};
    emit_operands(e, expr->args + 1, expr->arg_count - 1, operands);
    emit_advise_exchange(e, expr, used);
    emit_reach(e, op);
    const char *byte = emit_byte(e, &place);
    emit_reach(e, reach);
    uint32_t site = emit_site(e, expr->span,
                              (struct emit_site_info){.op = op,
                                                      .flags = atomic_flags(e, expr, used),
                                                      .root = place.root,
                                                      .space = expr->args[0]->type->space,
                                                      .access = expr->args[0]->type->access,
                                                      .bytes = 4});
    if (expr->builtin == BI_atomicCompareExchangeWeak) {
        return made(emit_format(e, "%s_compare_exchange(wg, %u, %s, %s, %s, %s)", type, site,
                                place.var, byte, operands[0].c, operands[1].c),
                    false);
    }
    return made(emit_format(e, "%s_atomic(wg, %u, %s, %s, %s, %s)", type, site, place.var, byte, op,
                            operands[0].c),
                false);
}

static struct emit_text uniform_load(struct emit *e, const struct wgsl_expr *expr) {
    struct emit_place place = argument_place(e, expr->args[0]);
    emit_place_keep(e, &place);
    uint32_t barrier = mark_site(e, expr, "WG_OP_UNIFORM_LOAD");
    emit_line(e, "wg_barrier_(wg, %u);", barrier);
    struct wgsl_expr reference = {
        .kind = EX_DEREF, .lhs = expr->args[0], .span = expr->span, .type = expr->args[0]->type};
    struct emit_text value;
    if (expr->args[0]->type->elem->kind == TY_ATOMIC) {
        uint32_t site = emit_site(
            e, expr->span,
            (struct emit_site_info){
                .op = "WG_OP_ATOMIC_LOAD", .root = place.root, .space = AS_WORKGROUP, .bytes = 4});
        value = made(emit_format(e, "%s_atomic(wg, %u, %s, %s, WG_OP_ATOMIC_LOAD, 0)",
                                 emit_type(e, expr->type), site, place.var, emit_byte(e, &place)),
                     false);
    } else {
        value = emit_load_place(e, &reference, &place);
    }
    value = emit_keep(e, expr->type, value);
    emit_line(e, "wg_barrier_(wg, %u);", barrier);
    return value;
}

static struct emit_text barrier(struct emit *e, const struct wgsl_expr *expr) {
    const char *op = expr->builtin == BI_workgroupBarrier ? "WG_OP_WORKGROUP_BARRIER"
                     : expr->builtin == BI_storageBarrier ? "WG_OP_STORAGE_BARRIER"
                                                          : "WG_OP_TEXTURE_BARRIER";
    return made(emit_format(e, "wg_barrier_(wg, %u)", mark_site(e, expr, op)), false);
}

/* -- subgroups --------------------------------------------------------------------------------- */

static const struct {
    enum wgsl_builtin builtin;
    const char *op;
} collectives[] = {
    {BI_subgroupAdd, "WG_SUBGROUP_ADD"},
    {BI_subgroupExclusiveAdd, "WG_SUBGROUP_EXCLUSIVE_ADD"},
    {BI_subgroupInclusiveAdd, "WG_SUBGROUP_INCLUSIVE_ADD"},
    {BI_subgroupMul, "WG_SUBGROUP_MUL"},
    {BI_subgroupExclusiveMul, "WG_SUBGROUP_EXCLUSIVE_MUL"},
    {BI_subgroupInclusiveMul, "WG_SUBGROUP_INCLUSIVE_MUL"},
    {BI_subgroupMin, "WG_SUBGROUP_MIN"},
    {BI_subgroupMax, "WG_SUBGROUP_MAX"},
    {BI_subgroupAnd, "WG_SUBGROUP_AND"},
    {BI_subgroupOr, "WG_SUBGROUP_OR"},
    {BI_subgroupXor, "WG_SUBGROUP_XOR"},
    {BI_subgroupAll, "WG_SUBGROUP_ALL"},
    {BI_subgroupAny, "WG_SUBGROUP_ANY"},
    {BI_subgroupElect, "WG_SUBGROUP_ELECT"},
    {BI_subgroupBroadcast, "WG_SUBGROUP_BROADCAST"},
    {BI_subgroupBroadcastFirst, "WG_SUBGROUP_BROADCAST_FIRST"},
    {BI_subgroupShuffle, "WG_SUBGROUP_SHUFFLE"},
    {BI_subgroupShuffleXor, "WG_SUBGROUP_SHUFFLE_XOR"},
    {BI_subgroupShuffleUp, "WG_SUBGROUP_SHUFFLE_UP"},
    {BI_subgroupShuffleDown, "WG_SUBGROUP_SHUFFLE_DOWN"},
    {BI_quadBroadcast, "WG_QUAD_BROADCAST"},
    {BI_quadSwapX, "WG_QUAD_SWAP_X"},
    {BI_quadSwapY, "WG_QUAD_SWAP_Y"},
    {BI_quadSwapDiagonal, "WG_QUAD_SWAP_DIAGONAL"},
};

static const char *collective_op(enum wgsl_builtin builtin) {
    for (size_t k = 0; k < sizeof collectives / sizeof *collectives; k++) {
        if (collectives[k].builtin == builtin) {
            return collectives[k].op;
        }
    }
    return NULL;
}

static struct emit_text collective(struct emit *e, const struct wgsl_expr *expr,
                                   const struct emit_text *args) {
    uint32_t site = mark_site(e, expr, "WG_OP_SUBGROUP");
    if (expr->builtin == BI_subgroupBallot) {
        return made(emit_format(e, "wgsl_ballot(wg, %u, %s)", site, args[0].c), false);
    }
    const char *op = collective_op(expr->builtin), *operand = expr->arg_count ? args[0].c : "true";
    if (expr->type->kind == TY_BOOL) {
        return made(emit_format(e, "bool_collective(wg, %u, %s, %s)", site, op, operand), false);
    }
    const char *argument =
        expr->arg_count > 1 ? emit_format(e, "(u32)%s", emit_wrap(e, args[1], LEVEL_UNARY)) : "0";
    return made(emit_format(e, "%s_collective(wg, %u, %s, %s, %s)", emit_type(e, expr->type), site,
                            op, operand, argument),
                false);
}

/* -- all --------------------------------------------------------------------------------------- */

/* Whether it hands a value on, as an argument, in memory or to other lanes: that is used there
 * even where the result is not. */
static bool hands_on(const struct wgsl_expr *expr) {
    bool loads = expr && expr->kind == EX_BUILTIN && expr->builtin == BI_atomicLoad;
    return expr && !expr->value &&
           ((emit_is_call(expr) && !loads) || emit_any_operand(expr, hands_on));
}

/* A quotient, a shift or a conversion that may meet a corner. */
static bool is_corner(const struct wgsl_expr *expr) {
    bool divides =
        expr->kind == EX_BINARY && type_is_integer(type_scalar(expr->type)) &&
        (expr->op == OP_DIV || expr->op == OP_MOD || expr->op == OP_SHL || expr->op == OP_SHR) &&
        !expr->rhs->value;
    return divides || (expr->kind == EX_CONSTRUCT && expr->construct == CONSTRUCT_CONVERT &&
                       type_is_integer(type_scalar(expr->type)) &&
                       type_is_float(type_scalar(expr->args[0]->type)));
}

/* Whether something may be outside: an element, a texel, a number. */
static bool may_be_outside(const struct wgsl_expr *expr) {
    return expr && !expr->value &&
           ((expr->kind == EX_INDEX && !expr->rhs->value) ||
            (expr->kind == EX_BUILTIN && expr->builtin == BI_textureLoad) || is_corner(expr) ||
            emit_any_operand(expr, may_be_outside));
}

static bool may_be_guarded(const struct wgsl_expr *expr) {
    return may_be_outside(expr) && !hands_on(expr);
}

/* select() is also a guard: what it does not take may be outside. Its condition comes
 * first here, where that is the same. */
static bool is_guard(const struct wgsl_expr *expr) {
    return expr->builtin == BI_select && expr->args[2]->type->kind == TY_BOOL &&
           (may_be_guarded(expr->args[0]) || may_be_guarded(expr->args[1])) &&
           emit_condition_may_lead(expr);
}

static struct emit_text operand_if(struct emit *e, const struct wgsl_expr *operand,
                                   const char *wanted, bool disturbed) {
    const char *outer = e->wanted;
    if (!hands_on(operand)) {
        e->wanted = outer ? emit_format(e, "(%s && %s)", outer, wanted) : wanted;
    }
    struct emit_text text = emit_expr(e, operand);
    if (disturbed || emit_has_effect(operand)) {
        text = emit_keep(e, operand->type, text);
    }
    e->wanted = outer;
    return text;
}

static struct emit_text guarded(struct emit *e, const struct wgsl_expr *expr) {
    struct emit_text condition = emit_expr(e, expr->args[2]);
    condition.stable = false;
    condition = emit_keep(e, expr->args[2]->type, condition);
    const struct emit_text args[3] = {
        operand_if(e, expr->args[0], emit_format(e, "!%s", condition.c), emit_calls(expr->args[1])),
        operand_if(e, expr->args[1], condition.c, false), condition};
    return value_function(e, expr, args);
}

struct emit_text emit_builtin(struct emit *e, const struct wgsl_expr *expr, bool used) {
    if (is_guard(expr)) {
        return guarded(e, expr);
    }
    if (expr->builtin == BI_arrayLength) {
        return array_length(e, expr);
    }
    if (expr->builtin == BI_workgroupUniformLoad) {
        return uniform_load(e, expr);
    }
    if (atomic_op(expr->builtin, used)) {
        return atomic(e, expr, used);
    }
    if (builtin_flags(expr->builtin) & BF_BARRIER) {
        return barrier(e, expr);
    }
    struct emit_text *args = arena_alloc(&e->arena, (expr->arg_count + 1) * sizeof *args);
    if (!args) {
        e->failed = true;
        return made("0", true);
    }
    emit_operands(e, expr->args, expr->arg_count, args);
    if (builtin_flags(expr->builtin) & BF_PRINT) {
        return emit_print(e, expr, args);
    }
    if (builtin_flags(expr->builtin) & BF_SUBGROUP) {
        return collective(e, expr, args);
    }
    if (strncmp(builtin_name(expr->builtin), "texture", 7) == 0) {
        return emit_texture(e, expr, args);
    }
    if (builtin_flags(expr->builtin) & BF_CONSTANT) {
        return value_function(e, expr, args);
    }
    emit_unsupported(e, expr->span, builtin_name(expr->builtin));
    return made("0", true);
}
