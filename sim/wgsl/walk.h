/* Walking over all statements and expressions of a function. */
#ifndef WGSIM_WGSL_WALK_H
#define WGSIM_WGSL_WALK_H

#include "sim/wgsl/ast.h"

/* Either function may be NULL. */
struct wgsl_visitor {
    void (*stmt)(void *context, struct wgsl_stmt *stmt); /* before what it holds */
    void (*expr)(void *context, struct wgsl_expr *expr); /* after its operands */
    void *context;
};

void wgsl_walk_expr(const struct wgsl_visitor *visitor, struct wgsl_expr *expr);
/* In the order of the text. */
void wgsl_walk_block(const struct wgsl_visitor *visitor, struct wgsl_block *block);

#endif
