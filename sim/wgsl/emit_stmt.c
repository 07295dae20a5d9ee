/* Statements as C. */
#include "sim/wgsl/emit_impl.h"

#include <string.h>

static void statement(struct emit *e, const struct wgsl_stmt *stmt);

static void statements(struct emit *e, const struct wgsl_stmt *first) {
    for (const struct wgsl_stmt *s = first; s; s = s->next) {
        statement(e, s);
    }
}

void emit_block(struct emit *e, const struct wgsl_block *block) {
    e->indent++;
    statements(e, block->first);
    e->indent--;
}

static uint32_t mark(struct emit *e, struct wgsl_span span, const char *op) {
    return emit_site(e, span, (struct emit_site_info){.op = op});
}

/* -- declarations and assignments -------------------------------------------------------------- */

static void declare(struct emit *e, const struct wgsl_variable *variable) {
    if (variable->kind == VAR_CONST || variable->kind == VAR_OVERRIDE) {
        return;
    }
    if (emit_carries(variable)) {
        emit_declare_both(e, variable);
        return;
    }
    const char *init =
        variable->init ? emit_expr(e, variable->init).c : emit_zero(e, variable->type);
    const char *type = emit_type(e, variable->type);
    const char *name = e->locals[variable->index] = emit_local_name(e, variable->name);
    bool constant = variable->kind == VAR_LET && variable->type->kind != TY_PTR;
    emit_line(e, "%s%s %s = %s;", constant ? "const " : "", type, name, init);
}

/* A component of a vector of bool holds 0 or -1. */
static void store_local(struct emit *e, const struct wgsl_expr *reference, const char *place,
                        struct emit_text value) {
    if (emit_is_bool_lane(reference)) {
        emit_line(e, "%s = -(i32)%s;", place, emit_wrap(e, value, LEVEL_UNARY));
    } else {
        emit_line(e, "%s = %s;", place, value.c);
    }
}

static void assign(struct emit *e, const struct wgsl_stmt *stmt) {
    if (emit_in_memory(stmt->lhs)) {
        const char *reach = emit_reach(e, "WG_OP_STORE");
        struct emit_place place = emit_place(e, stmt->lhs);
        if (emit_has_effect(stmt->rhs)) {
            emit_place_keep(e, &place);
        }
        emit_reach(e, reach);
        emit_store(e, &place, stmt->lhs, emit_expr(e, stmt->rhs).c);
        return;
    }
    if (emit_assign_both(e, stmt)) {
        return;
    }
    e->keep_indices = emit_has_effect(stmt->rhs) || emit_calls(stmt->lhs);
    struct emit_text place = emit_local_place(e, stmt->lhs);
    e->keep_indices = false;
    store_local(e, stmt->lhs, place.c, emit_expr(e, stmt->rhs));
    emit_assigned(e, stmt);
}

/* Whether C has an operator that means the same for a place of the invocation's own. */
static const char *own_operator(const struct wgsl_stmt *stmt, const struct wgsl_type *type,
                                const struct wgsl_type *rhs_type) {
    static const char *const operators[] = {[OP_ADD] = "+", [OP_SUB] = "-", [OP_MUL] = "*",
                                            [OP_AND] = "&", [OP_OR] = "|",  [OP_XOR] = "^"};
    bool known = (size_t)stmt->op < sizeof operators / sizeof *operators;
    return known && type == rhs_type && type->kind != TY_MAT && !emit_is_half(type) &&
                   type_scalar(type)->kind != TY_BOOL
               ? operators[stmt->op]
               : NULL;
}

/* lhs = lhs op rhs, with the place of lhs found once and loaded before rhs is evaluated. */
static void compound(struct emit *e, const struct wgsl_stmt *stmt, const struct wgsl_expr *rhs) {
    const struct wgsl_type *type = type_unref(stmt->lhs->type);
    if (!emit_in_memory(stmt->lhs) && emit_assign_both(e, stmt)) {
        return;
    }
    bool in_memory = emit_in_memory(stmt->lhs), later = rhs && emit_has_effect(rhs);
    struct emit_place place = {0};
    struct emit_text local = {0}, old;
    if (in_memory) {
        const char *reach = emit_reach(e, "WG_OP_STORE");
        place = emit_place(e, stmt->lhs);
        place.stable &= !place.dynamic;
        emit_place_keep(e, &place);
        emit_reach(e, reach);
        old = emit_load_place(e, stmt->lhs, &place);
    } else {
        e->keep_indices = true;
        local = emit_local_place(e, stmt->lhs);
        e->keep_indices = false;
        old = emit_lane_value(e, stmt->lhs, local);
    }
    old = later ? emit_keep(e, type, old) : old;
    const struct wgsl_type *rhs_type = rhs ? rhs->type : type;
    const char *operator= in_memory || later ? NULL : own_operator(stmt, type, rhs_type);
    struct emit_text one = {type->kind == TY_U32 ? "1u" : "1", LEVEL_PRIMARY, true};
    struct emit_text operand = rhs ? emit_expr(e, rhs) : one;
    if (operator) {
        emit_line(e, "%s %s= %s;", local.c, operator, operand.c);
        emit_assigned(e, stmt);
        return;
    }
    struct emit_operation operation = {.op = stmt->op,
                                       .span = stmt->span,
                                       .result = type,
                                       .lhs = old,
                                       .rhs = operand,
                                       .lhs_type = type,
                                       .rhs_type = rhs_type,
                                       .rhs_value = rhs ? emit_constant(e, rhs) : NULL,
                                       .quiet = true};
    struct emit_text value = emit_operation(e, &operation);
    if (in_memory) {
        emit_store(e, &place, stmt->lhs, value.c);
    } else {
        store_local(e, stmt->lhs, local.c, value);
        emit_assigned(e, stmt);
    }
}

static void drop(struct emit *e, const struct wgsl_expr *expr) {
    if (expr->kind == EX_BUILTIN) {
        struct emit_text text = emit_builtin(e, expr, false);
        if (!text.stable) {
            emit_line(e, "%s;", text.c);
        }
    } else if (emit_has_effect(expr)) {
        emit_line(e, "(void)%s;", emit_at(e, expr, LEVEL_UNARY));
    }
}

/* -- branches ---------------------------------------------------------------------------------- */

static void if_chain(struct emit *e, const struct wgsl_stmt *stmt) {
    emit_line(e, "if (%s) {", emit_expr(e, stmt->condition).c);
    emit_block(e, stmt->body);
    const struct wgsl_stmt *else_ = stmt->else_;
    if (else_) {
        emit_line(e, "} else {");
        e->indent++;
        if (else_->kind == ST_IF) {
            if_chain(e, else_);
        } else {
            statements(e, else_->block->first);
        }
        e->indent--;
    }
    emit_line(e, "}");
}

/* Lanes part at an if or a switch and meet again behind it. */
static void open_branch(struct emit *e, const struct wgsl_stmt *stmt) {
    emit_line(e, "{");
    e->indent++;
    emit_line(e, "WGSL_BRANCH(%u);", mark(e, stmt->span, "WG_OP_BRANCH"));
}

static void close_branch(struct emit *e) {
    e->indent--;
    emit_line(e, "}");
}

static void if_statement(struct emit *e, const struct wgsl_stmt *stmt) {
    open_branch(e, stmt);
    if_chain(e, stmt);
    close_branch(e);
}

static void switch_case(struct emit *e, const struct wgsl_case *one, bool is_unsigned) {
    for (uint32_t k = 0; k < one->selector_count; k++) {
        const struct wgsl_value *value =
            one->selectors[k] ? emit_constant(e, one->selectors[k]) : NULL;
        if (value && is_unsigned) {
            emit_line(e, "case %uu:", (unsigned)value_leaf(value, 0).i);
        } else if (value) {
            emit_line(e, "case %lld:", (long long)value_leaf(value, 0).i);
        } else {
            emit_line(e, "default:");
        }
    }
    emit_line(e, "{");
    emit_block(e, one->body);
    emit_line(e, "    break;");
    emit_line(e, "}");
}

static void switch_statement(struct emit *e, const struct wgsl_stmt *stmt) {
    open_branch(e, stmt);
    const char *selector = emit_expr(e, stmt->condition).c;
    emit_line(e, "switch (%s) {", selector);
    for (uint32_t k = 0; k < stmt->case_count; k++) {
        switch_case(e, &stmt->cases[k], stmt->condition->type->kind == TY_U32);
    }
    emit_line(e, "}");
    close_branch(e);
}

/* -- loops ------------------------------------------------------------------------------------- */

/* The innermost loop: a continue must run its last part first when there is a label. */
struct emit_loop {
    const char *label;
    bool label_used;
};

/* Text written while e->out is another buffer. */
struct aside {
    struct buf text;
    struct buf *outer;
    int indent;
};

static void begin_aside(struct emit *e, struct aside *aside) {
    *aside = (struct aside){.outer = e->out, .indent = e->indent};
    e->out = &aside->text;
    e->indent = 0;
}

static const char *end_aside(struct emit *e, struct aside *aside) {
    const char *text = emit_format(e, "%s", aside->text.data ? aside->text.data : "");
    e->out = aside->outer;
    e->indent = aside->indent;
    buf_release(&aside->text);
    return text;
}

/* One statement as it stands in the head of a for loop, without its semicolon; NULL when it takes
 * more. */
static const char *head_part(struct emit *e, const struct wgsl_stmt *stmt) {
    if (!stmt) {
        return "";
    }
    struct aside aside;
    begin_aside(e, &aside);
    statement(e, stmt);
    const char *text = end_aside(e, &aside);
    size_t length = strlen(text);
    bool one_line =
        length > 2 && strchr(text, '\n') == text + length - 1 && text[length - 2] == ';';
    return one_line ? emit_format(e, "%.*s", (int)length - 2, text) : NULL;
}

static void exit_unless(struct emit *e, const struct wgsl_expr *condition) {
    if (condition) {
        emit_line(e, "if (!%s) {", emit_at(e, condition, LEVEL_UNARY));
        emit_line(e, "    break;");
        emit_line(e, "}");
    }
}

/* What comes after the body of a loop, wherever the body continues from. */
struct loop_end {
    const struct wgsl_block *continuing;
    const struct wgsl_stmt *update;
    const struct wgsl_expr *break_if;
};

static void loop_body(struct emit *e, const struct wgsl_expr *condition,
                      const struct wgsl_block *body, struct loop_end end) {
    struct emit_loop *outer = e->loop, loop = {0};
    if (end.continuing || end.update || end.break_if) {
        loop.label = emit_format(e, "continue%u", ++e->label_count);
    }
    e->loop = &loop;
    e->indent++;
    exit_unless(e, condition);
    statements(e, body->first);
    e->loop = outer;
    if (loop.label_used) {
        emit_line(e, "%s:;", loop.label);
    }
    statements(e, end.continuing ? end.continuing->first : NULL);
    if (end.update) {
        statement(e, end.update);
    }
    if (end.break_if) {
        emit_line(e, "if (%s) {", emit_expr(e, end.break_if).c);
        emit_line(e, "    break;");
        emit_line(e, "}");
    }
    e->indent--;
}

static void endless(struct emit *e, const struct wgsl_stmt *stmt, struct loop_end end) {
    emit_line(e, "WGSL_LOOP(%u, for (;;)) {", mark(e, stmt->span, "WG_OP_LOOP"));
    loop_body(e, stmt->condition, stmt->body, end);
    emit_line(e, "}");
}

static void while_statement(struct emit *e, const struct wgsl_stmt *stmt) {
    if (emit_has_effect(stmt->condition)) {
        endless(e, stmt, (struct loop_end){0});
        return;
    }
    const char *condition = emit_expr(e, stmt->condition).c;
    emit_line(e, "WGSL_LOOP(%u, while (%s)) {", mark(e, stmt->span, "WG_OP_LOOP"), condition);
    loop_body(e, NULL, stmt->body, (struct loop_end){0});
    emit_line(e, "}");
}

static bool simple_step(const struct wgsl_stmt *stmt) {
    return !stmt || (!emit_has_effect(stmt->lhs) && !emit_has_effect(stmt->rhs) &&
                     stmt->kind != ST_CALL && (!stmt->lhs || !emit_in_memory(stmt->lhs)));
}

static void for_statement(struct emit *e, const struct wgsl_stmt *stmt) {
    bool plain = simple_step(stmt->update) && !emit_has_effect(stmt->condition);
    const char *init = head_part(e, stmt->init), *condition = "", *update = NULL;
    if (plain && init) {
        condition = stmt->condition ? emit_expr(e, stmt->condition).c : "";
        update = head_part(e, stmt->update);
    }
    if (update) {
        emit_line(e, "WGSL_LOOP(%u, for (%s; %s; %s)) {", mark(e, stmt->span, "WG_OP_LOOP"), init,
                  condition, update);
        loop_body(e, NULL, stmt->body, (struct loop_end){0});
        emit_line(e, "}");
        return;
    }
    emit_line(e, "{");
    e->indent++;
    if (init && init[0]) {
        emit_line(e, "%s;", init);
    } else if (stmt->init) {
        statement(e, stmt->init);
    }
    endless(e, stmt, (struct loop_end){.update = stmt->update});
    e->indent--;
    emit_line(e, "}");
}

static void continue_statement(struct emit *e) {
    if (e->loop && e->loop->label) {
        e->loop->label_used = true;
        emit_line(e, "goto %s;", e->loop->label);
    } else {
        emit_line(e, "continue;");
    }
}

/* -- all --------------------------------------------------------------------------------------- */

static void return_statement(struct emit *e, const struct wgsl_stmt *stmt) {
    if (stmt->rhs && e->result_both) {
        const char *both, *text = emit_both(e, stmt->rhs, &both).c;
        emit_line(e, "memcpy(%s, %s, sizeof %s);", e->result_both, both, both);
        emit_line(e, "return %s;", text);
    } else if (stmt->rhs) {
        emit_line(e, "return %s;", emit_expr(e, stmt->rhs).c);
    } else {
        emit_line(e, "return;");
    }
}

static void statement(struct emit *e, const struct wgsl_stmt *stmt) {
    switch (stmt->kind) {
    case ST_BLOCK:
        emit_line(e, "{");
        emit_block(e, stmt->block);
        emit_line(e, "}");
        break;
    case ST_DECLARE:
        declare(e, stmt->variable);
        break;
    case ST_ASSIGN:
        assign(e, stmt);
        break;
    case ST_COMPOUND:
        compound(e, stmt, stmt->rhs);
        break;
    case ST_INCREMENT:
        compound(e, stmt, NULL);
        break;
    case ST_PHONY:
    case ST_CALL:
        drop(e, stmt->rhs);
        break;
    case ST_IF:
        if_statement(e, stmt);
        break;
    case ST_SWITCH:
        switch_statement(e, stmt);
        break;
    case ST_LOOP:
        endless(e, stmt,
                (struct loop_end){.continuing = stmt->continuing, .break_if = stmt->break_if});
        break;
    case ST_FOR:
        for_statement(e, stmt);
        break;
    case ST_WHILE:
        while_statement(e, stmt);
        break;
    case ST_BREAK:
        emit_line(e, "break;");
        break;
    case ST_CONTINUE:
        continue_statement(e);
        break;
    case ST_RETURN:
        return_statement(e, stmt);
        break;
    case ST_CONST_ASSERT:
        break;
    case ST_DISCARD:
        emit_unsupported(e, stmt->span, "discard");
        break;
    }
}
