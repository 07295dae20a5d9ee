/* Walking over all statements and expressions of a function. */
#include "sim/wgsl/walk.h"

static void walk_stmt(const struct wgsl_visitor *v, struct wgsl_stmt *stmt);

void wgsl_walk_expr(const struct wgsl_visitor *v, struct wgsl_expr *e) {
    if (!e)
        return;
    wgsl_walk_expr(v, e->lhs);
    wgsl_walk_expr(v, e->rhs);
    for (uint32_t i = 0; i < e->arg_count; i++)
        wgsl_walk_expr(v, e->args[i]);
    if (v->expr)
        v->expr(v->context, e);
}

void wgsl_walk_block(const struct wgsl_visitor *v, struct wgsl_block *block) {
    for (struct wgsl_stmt *s = block ? block->first : NULL; s; s = s->next)
        walk_stmt(v, s);
}

/* One statement, but for its 'else'. */
static void walk_parts(const struct wgsl_visitor *v, struct wgsl_stmt *s) {
    if (v->stmt)
        v->stmt(v->context, s);
    if (s->variable)
        wgsl_walk_expr(v, s->variable->init);
    if (s->init)
        walk_stmt(v, s->init);
    wgsl_walk_expr(v, s->lhs);
    wgsl_walk_expr(v, s->rhs);
    wgsl_walk_expr(v, s->condition);
    wgsl_walk_block(v, s->block);
    wgsl_walk_block(v, s->body);
    wgsl_walk_block(v, s->continuing);
    wgsl_walk_expr(v, s->break_if);
    if (s->update)
        walk_stmt(v, s->update);
    for (uint32_t i = 0; i < s->case_count; i++)
        wgsl_walk_block(v, s->cases[i].body);
}

static void walk_stmt(const struct wgsl_visitor *v, struct wgsl_stmt *s) {
    for (; s; s = s->else_)
        walk_parts(v, s);
}
