/* The order of module-scope declarations. */
#include <string.h>

#include "sim/wgsl/decl.h"

/* WGSL lets declarations stand in any order, so each is searched for the names of others that it
 * uses, with local names hiding those of the module as scopes say. */
struct sorter {
    struct wgsl_heap *heap;
    struct wgsl_diagnostics *diagnostics;
    const struct wgsl_names *names;
    struct node *node;   /* being searched */
    const char **locals; /* names in scope, innermost last */
    uint32_t local_count;
};

struct node {
    struct wgsl_decl *decl;
    struct wgsl_decl **needs;
    uint32_t need_count;
    uint32_t next; /* need to visit next */
    enum { NEW, OPEN, DONE } state;
};

static void search_block(struct sorter *s, const struct wgsl_block *block);
static void search_stmt(struct sorter *s, const struct wgsl_stmt *stmt);

static void push_local(struct sorter *s, const char *name) {
    HEAP_PUSH(s->heap, s->locals, s->local_count, name);
}

static void use_name(struct sorter *s, const char *name) {
    for (uint32_t i = s->local_count; i > 0; i--)
        if (strcmp(s->locals[i - 1], name) == 0)
            return;
    struct wgsl_decl *decl = names_find(s->names, name);
    if (!decl)
        return;
    for (uint32_t i = 0; i < s->node->need_count; i++)
        if (s->node->needs[i] == decl)
            return;
    HEAP_PUSH(s->heap, s->node->needs, s->node->need_count, decl);
}

static void search_expr(struct sorter *s, const struct wgsl_expr *e) {
    if (!e)
        return;
    if (e->kind == EX_IDENT)
        use_name(s, e->name);
    search_expr(s, e->lhs);
    search_expr(s, e->rhs);
    for (uint32_t i = 0; i < e->arg_count; i++)
        search_expr(s, e->args[i]);
}

static void search_attributes(struct sorter *s, const struct wgsl_attribute *a) {
    for (; a; a = a->next) {
        if (strcmp(a->name, "builtin") == 0 || strcmp(a->name, "interpolate") == 0)
            continue; /* their arguments are no identifiers */
        for (uint32_t i = 0; i < a->arg_count; i++)
            search_expr(s, a->args[i]);
    }
}

static void search_variable(struct sorter *s, const struct wgsl_variable *v) {
    search_attributes(s, v->attributes);
    for (uint32_t i = 0; i < v->template_count; i++)
        search_expr(s, v->template_args[i]);
    search_expr(s, v->type_expr);
    search_expr(s, v->init);
}

static void search_statements(struct sorter *s, const struct wgsl_stmt *stmt) {
    for (; stmt; stmt = stmt->next)
        search_stmt(s, stmt);
}

static void search_block(struct sorter *s, const struct wgsl_block *block) {
    uint32_t outer = s->local_count;
    if (block)
        search_statements(s, block->first);
    s->local_count = outer;
}

/* The body of a loop, with its continuing part, which sees the body's names. */
static void search_loop(struct sorter *s, const struct wgsl_stmt *loop) {
    uint32_t outer = s->local_count;
    search_statements(s, loop->body->first);
    if (loop->continuing)
        search_statements(s, loop->continuing->first);
    search_expr(s, loop->break_if);
    s->local_count = outer;
}

static void search_parts(struct sorter *s, const struct wgsl_stmt *stmt) {
    search_expr(s, stmt->lhs);
    search_expr(s, stmt->rhs);
    search_expr(s, stmt->condition);
    search_block(s, stmt->block);
    if (stmt->kind == ST_LOOP)
        search_loop(s, stmt);
    else
        search_block(s, stmt->body);
    for (uint32_t i = 0; i < stmt->case_count; i++) {
        for (uint32_t k = 0; k < stmt->cases[i].selector_count; k++)
            search_expr(s, stmt->cases[i].selectors[k]);
        search_block(s, stmt->cases[i].body);
    }
}

static void search_stmt(struct sorter *s, const struct wgsl_stmt *stmt) {
    if (stmt->kind == ST_DECLARE) {
        search_variable(s, stmt->variable);
        push_local(s, stmt->variable->name);
        return;
    }
    uint32_t outer = s->local_count;
    if (stmt->init)
        search_stmt(s, stmt->init);
    if (stmt->update)
        search_stmt(s, stmt->update);
    for (; stmt; stmt = stmt->else_)
        search_parts(s, stmt);
    s->local_count = outer;
}

static void search_function(struct sorter *s, const struct wgsl_function *f) {
    search_attributes(s, f->attributes);
    search_attributes(s, f->result_attributes);
    search_expr(s, f->result_expr);
    for (uint32_t i = 0; i < f->param_count; i++)
        search_variable(s, f->params[i]);
    for (uint32_t i = 0; i < f->param_count; i++)
        push_local(s, f->params[i]->name);
    search_block(s, f->body);
    s->local_count = 0;
}

static void search_decl(struct sorter *s, struct node *node) {
    struct wgsl_decl *decl = node->decl;
    s->node = node;
    search_expr(s, decl->expr);
    if (decl->variable)
        search_variable(s, decl->variable);
    if (decl->function)
        search_function(s, decl->function);
    for (uint32_t i = 0; i < decl->field_count; i++) {
        search_attributes(s, decl->fields[i].attributes);
        search_expr(s, decl->fields[i].type_expr);
    }
}

/* stack[from] to stack[count - 1] need each other in a ring. */
static void report_cycle(struct sorter *s, struct node **stack, uint32_t from, uint32_t count) {
    struct buf path = {0};
    for (uint32_t i = from; i < count && path.len < 400; i++)
        buf_printf(&path, "'%s' -> ", stack[i]->decl->name ? stack[i]->decl->name : "const_assert");
    struct wgsl_decl *first = stack[from]->decl, *last = stack[count - 1]->decl;
    struct wgsl_diagnostic *d =
        wgsl_diagnose(s->diagnostics, WGSL_ERROR, first->span, "'%s' needs itself: %s'%s'",
                      first->name, path.data ? path.data : "", first->name);
    if (last != first)
        wgsl_note(s->diagnostics, d, last->span, "'%s' needs '%s' here", last->name, first->name);
    buf_release(&path);
    for (uint32_t i = from; i < count; i++)
        stack[i]->decl->broken = true;
}

/* Visits a node's needs before itself; depth first, without recursion. */
static void visit(struct sorter *s, struct node *nodes, struct node *start,
                  struct wgsl_decl **order, uint32_t *order_count) {
    struct node **stack = NULL;
    uint32_t count = 0;
    HEAP_PUSH(s->heap, stack, count, start);
    start->state = OPEN;
    while (count) {
        struct node *node = stack[count - 1];
        if (node->next == node->need_count) {
            node->state = DONE;
            order[(*order_count)++] = node->decl;
            count--;
            continue;
        }
        struct node *need = &nodes[node->needs[node->next++]->index];
        if (need->state == NEW) {
            need->state = OPEN;
            HEAP_PUSH(s->heap, stack, count, need);
        } else if (need->state == OPEN) {
            uint32_t from = count - 1;
            while (stack[from] != need)
                from--;
            report_cycle(s, stack, from, count);
        }
    }
}

static void declare(struct sorter *s, struct wgsl_names *names, struct wgsl_decl *decl) {
    if (!decl->name)
        return;
    struct wgsl_decl *before = names_add(names, decl);
    if (before)
        wgsl_note(s->diagnostics,
                  wgsl_diagnose(s->diagnostics, WGSL_ERROR, decl->span, "'%s' is declared twice",
                                decl->name),
                  before->span, "first declared here");
}

struct wgsl_decl **wgsl_sort(struct wgsl_module *module, struct wgsl_names *names,
                             struct wgsl_heap *heap, struct wgsl_diagnostics *diagnostics,
                             uint32_t *count) {
    struct sorter s = {.heap = heap, .diagnostics = diagnostics, .names = names};
    uint32_t total = 0;
    for (struct wgsl_decl *d = module->decls; d; d = d->next) {
        d->index = total++;
        declare(&s, names, d);
    }
    struct node *nodes = heap_alloc(heap, (total + 1) * sizeof *nodes);
    for (struct wgsl_decl *d = module->decls; d; d = d->next) {
        nodes[d->index].decl = d;
        search_decl(&s, &nodes[d->index]);
    }
    struct wgsl_decl **order = heap_alloc(heap, (total + 1) * sizeof *order);
    *count = 0;
    for (uint32_t i = 0; i < total; i++)
        if (nodes[i].state == NEW)
            visit(&s, nodes, &nodes[i], order, count);
    return order;
}
