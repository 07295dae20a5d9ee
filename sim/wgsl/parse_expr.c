/* Parsing of expressions. */
#include "sim/wgsl/parse.h"

#include <string.h>

static struct wgsl_expr *new_expr(struct wgsl_parser *p, enum wgsl_expr_kind kind,
                                  struct wgsl_span start) {
    struct wgsl_expr *e = HEAP_NEW(p->heap, struct wgsl_expr);
    e->kind = kind;
    e->span = e->op_span = start;
    return e;
}

/* Sets the extent of a finished node and bounds the depth of the tree. */
static struct wgsl_expr *finish(struct wgsl_parser *p, struct wgsl_expr *e) {
    uint32_t depth = 0;
    if (e->lhs)
        depth = e->lhs->depth;
    if (e->rhs && e->rhs->depth > depth)
        depth = e->rhs->depth;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (e->args[i]->depth > depth)
            depth = e->args[i]->depth;
    e->depth = depth + 1;
    e->span = parse_span_from(p, e->span);
    if (e->depth > PARSE_DEPTH_LIMIT) {
        parse_error(p, "this expression is nested too deep (more than %d levels)",
                    PARSE_DEPTH_LIMIT);
        return NULL;
    }
    return e;
}

/* expression_list: expression ("," expression)* ","? , up to the closing token */
static bool parse_list(struct wgsl_parser *p, enum wgsl_token_kind close, struct wgsl_expr ***args,
                       uint32_t *count, const char *where) {
    while (!is_next(p, close)) {
        struct wgsl_expr *e = parse_expression(p);
        if (!e)
            return false;
        HEAP_PUSH(p->heap, *args, *count, e);
        if (!parse_accept(p, TK_COMMA))
            break;
    }
    return parse_expect(p, close, where);
}

bool parse_arguments(struct wgsl_parser *p, struct wgsl_expr ***args, uint32_t *count) {
    return parse_expect(p, TK_PAREN_OPEN, "before the arguments") &&
           parse_list(p, TK_PAREN_CLOSE, args, count, "after the arguments");
}

/* template_list: "<" expression ("," expression)* ","? ">" */
bool parse_template_list(struct wgsl_parser *p, struct wgsl_expr ***args, uint32_t *count) {
    if (!parse_expect(p, TK_TEMPLATE_OPEN, "before the template arguments"))
        return false;
    if (is_next(p, TK_TEMPLATE_CLOSE)) {
        parse_error(p, "expected a template argument");
        return false;
    }
    return parse_list(p, TK_TEMPLATE_CLOSE, args, count, "after the template arguments");
}

/* template_elaborated_ident: IDENT template_list? */
static struct wgsl_expr *parse_ident(struct wgsl_parser *p) {
    const struct wgsl_token *name = parse_name(p, "an identifier");
    if (!name)
        return NULL;
    struct wgsl_expr *e = new_expr(p, EX_IDENT, name->span);
    e->name = name->text;
    if (is_next(p, TK_TEMPLATE_OPEN)) {
        e->has_template = true;
        if (!parse_template_list(p, &e->args, &e->arg_count))
            return NULL;
    }
    return finish(p, e);
}

/* type_specifier: template_elaborated_ident */
struct wgsl_expr *parse_type(struct wgsl_parser *p) {
    if (!is_next(p, TK_IDENT)) {
        parse_error(p, "expected a type, found '%s'", token_name(peek(p)->kind));
        return NULL;
    }
    if (++p->depth > PARSE_DEPTH_LIMIT)
        parse_error(p, "this type is nested too deep");
    struct wgsl_expr *e = p->broken ? NULL : parse_ident(p);
    p->depth--;
    return e;
}

/* literal: INT | FLOAT | "true" | "false"; the value comes with the type, in the resolver */
static struct wgsl_expr *parse_literal(struct wgsl_parser *p) {
    const struct wgsl_token *token = parse_take(p);
    struct wgsl_expr *e = new_expr(p, EX_LITERAL, token->span);
    if (token->kind == TK_STRING) {
        e->text = token->text;
        return finish(p, e);
    }
    bool is_bool = token->kind == TK_true || token->kind == TK_false;
    enum wgsl_type_kind kind = is_bool ? TY_BOOL : token->type;
    union wgsl_scalar *leaf = HEAP_NEW(p->heap, union wgsl_scalar);
    if (token->kind == TK_FLOAT)
        leaf->f = token->number;
    else
        leaf->i = is_bool ? token->kind == TK_true : token->integer;
    struct wgsl_value *value = HEAP_NEW(p->heap, struct wgsl_value);
    value->type = type_basic(p->module->types, kind);
    value->leaves = leaf;
    e->type = value->type;
    e->value = value;
    return finish(p, e);
}

/* paren_expression: "(" expression ")" */
static struct wgsl_expr *parse_parens(struct wgsl_parser *p) {
    struct wgsl_span start = parse_take(p)->span;
    struct wgsl_expr *e = parse_expression(p);
    if (!e || !parse_expect(p, TK_PAREN_CLOSE, "after the expression"))
        return NULL;
    e->parenthesised = true;
    e->span = parse_span_from(p, start);
    return e;
}

/* primary_expression: literal | paren_expression | template_elaborated_ident argument_list? */
static struct wgsl_expr *parse_primary(struct wgsl_parser *p) {
    switch (peek(p)->kind) {
    case TK_INT:
    case TK_FLOAT:
    case TK_STRING:
    case TK_true:
    case TK_false:
        return parse_literal(p);
    case TK_PAREN_OPEN:
        return parse_parens(p);
    case TK_IDENT:
        break;
    default:
        parse_error(p, "expected an expression, found '%s'", token_name(peek(p)->kind));
        return NULL;
    }
    struct wgsl_expr *ident = parse_ident(p);
    if (!ident || !is_next(p, TK_PAREN_OPEN))
        return ident;
    struct wgsl_expr *call = new_expr(p, EX_CALL, ident->span);
    call->lhs = ident;
    return parse_arguments(p, &call->args, &call->arg_count) ? finish(p, call) : NULL;
}

/* singular_expression: primary_expression ("[" expression "]" | "." IDENT)* */
static struct wgsl_expr *parse_singular(struct wgsl_parser *p) {
    struct wgsl_expr *e = parse_primary(p);
    while (e && (is_next(p, TK_BRACKET_OPEN) || is_next(p, TK_DOT))) {
        bool index = parse_take(p)->kind == TK_BRACKET_OPEN;
        struct wgsl_expr *outer = new_expr(p, index ? EX_INDEX : EX_MEMBER, e->span);
        outer->lhs = e;
        if (index) {
            outer->rhs = parse_expression(p);
            if (!outer->rhs || !parse_expect(p, TK_BRACKET_CLOSE, "after the index"))
                return NULL;
        } else {
            const struct wgsl_token *name = parse_name(p, "a member name");
            if (!name)
                return NULL;
            outer->op_span = name->span;
            outer->name = name->text;
        }
        e = finish(p, outer);
    }
    return e;
}

static enum wgsl_op unary_op(enum wgsl_token_kind kind) {
    switch (kind) {
    case TK_MINUS:
        return OP_NEG;
    case TK_NOT:
        return OP_NOT;
    case TK_TILDE:
        return OP_COMPLEMENT;
    default:
        return OP_NONE;
    }
}

/* unary_expression: singular_expression | ("-" | "!" | "~" | "*" | "&") unary_expression */
struct wgsl_expr *parse_unary(struct wgsl_parser *p) {
    const struct wgsl_token *token = peek(p);
    struct wgsl_expr *e = NULL;
    if (++p->depth > PARSE_DEPTH_LIMIT) {
        parse_error(p, "this expression is nested too deep (more than %d levels)",
                    PARSE_DEPTH_LIMIT);
    } else if (token->kind == TK_STAR || token->kind == TK_AND || unary_op(token->kind)) {
        parse_take(p);
        e = new_expr(p,
                     token->kind == TK_STAR  ? EX_DEREF
                     : token->kind == TK_AND ? EX_ADDRESS
                                             : EX_UNARY,
                     token->span);
        e->op = unary_op(token->kind);
        e->lhs = parse_unary(p);
        e = e->lhs ? finish(p, e) : NULL;
    } else if (token->kind == TK_MINUS_MINUS || token->kind == TK_PLUS_PLUS) {
        parse_error(p, "'%s' before an operand is not supported", token_name(token->kind));
    } else {
        e = parse_singular(p);
    }
    p->depth--;
    return e;
}

/* How tightly binary operators bind; groups that may not be mixed without parentheses differ in
 * group. */
enum op_class {
    CLASS_NONE,
    CLASS_BIT,
    CLASS_LOGICAL,
    CLASS_COMPARE,
    CLASS_SHIFT,
    CLASS_ADD,
    CLASS_MULTIPLY
};

static const struct {
    enum wgsl_token_kind token;
    enum wgsl_op op;
    enum op_class class;
    const char *text;
} binary_ops[] = {
    {TK_AND, OP_AND, CLASS_BIT, "&"},
    {TK_OR, OP_OR, CLASS_BIT, "|"},
    {TK_XOR, OP_XOR, CLASS_BIT, "^"},
    {TK_AND_AND, OP_LOGICAL_AND, CLASS_LOGICAL, "&&"},
    {TK_OR_OR, OP_LOGICAL_OR, CLASS_LOGICAL, "||"},
    {TK_EQ, OP_EQ, CLASS_COMPARE, "=="},
    {TK_NE, OP_NE, CLASS_COMPARE, "!="},
    {TK_LT, OP_LT, CLASS_COMPARE, "<"},
    {TK_LE, OP_LE, CLASS_COMPARE, "<="},
    {TK_GT, OP_GT, CLASS_COMPARE, ">"},
    {TK_GE, OP_GE, CLASS_COMPARE, ">="},
    {TK_SHL, OP_SHL, CLASS_SHIFT, "<<"},
    {TK_SHR, OP_SHR, CLASS_SHIFT, ">>"},
    {TK_PLUS, OP_ADD, CLASS_ADD, "+"},
    {TK_MINUS, OP_SUB, CLASS_ADD, "-"},
    {TK_STAR, OP_MUL, CLASS_MULTIPLY, "*"},
    {TK_SLASH, OP_DIV, CLASS_MULTIPLY, "/"},
    {TK_PERCENT, OP_MOD, CLASS_MULTIPLY, "%"},
};

enum { BINARY_OP_COUNT = sizeof binary_ops / sizeof binary_ops[0] };

const char *op_name(enum wgsl_op op) {
    for (size_t i = 0; i < BINARY_OP_COUNT; i++)
        if (binary_ops[i].op == op)
            return binary_ops[i].text;
    return op == OP_NEG ? "-" : op == OP_NOT ? "!" : op == OP_COMPLEMENT ? "~" : "";
}

/* Index of the binary operator that comes next, -1 if none does. */
static int next_op(const struct wgsl_parser *p) {
    for (int i = 0; i < BINARY_OP_COUNT; i++)
        if (is_next(p, binary_ops[i].token))
            return i;
    return -1;
}

static enum op_class next_class(const struct wgsl_parser *p) {
    int i = next_op(p);
    return i < 0 ? CLASS_NONE : binary_ops[i].class;
}

static struct wgsl_expr *make_binary(struct wgsl_parser *p, struct wgsl_expr *lhs,
                                     const struct wgsl_token *op, enum wgsl_op kind,
                                     struct wgsl_expr *rhs) {
    if (!rhs)
        return NULL;
    struct wgsl_expr *e = new_expr(p, EX_BINARY, lhs->span);
    e->op = kind;
    e->op_span = op->span;
    e->lhs = lhs;
    e->rhs = rhs;
    return finish(p, e);
}

static struct wgsl_expr *parse_relational_rest(struct wgsl_parser *p, struct wgsl_expr *lhs);

/* The operand right of an operator of a class, parsed as tightly as the grammar says. */
static struct wgsl_expr *parse_operand(struct wgsl_parser *p, enum op_class class);

/* lhs followed by any number of operators of one class, left to right. one_kind: all of them the
 * same operator. */
static struct wgsl_expr *parse_chain(struct wgsl_parser *p, struct wgsl_expr *lhs,
                                     enum op_class class, bool one_kind) {
    int first = next_op(p);
    while (lhs && next_class(p) == class && (!one_kind || next_op(p) == first)) {
        int i = next_op(p);
        const struct wgsl_token *op = parse_take(p);
        lhs = make_binary(p, lhs, op, binary_ops[i].op, parse_operand(p, class));
    }
    return lhs;
}

/* At most one operator of a class. */
static struct wgsl_expr *parse_single(struct wgsl_parser *p, struct wgsl_expr *lhs,
                                      enum op_class class) {
    if (!lhs || next_class(p) != class)
        return lhs;
    int i = next_op(p);
    const struct wgsl_token *op = parse_take(p);
    return make_binary(p, lhs, op, binary_ops[i].op, parse_operand(p, class));
}

/* shift_expression: unary ("<<" | ">>") unary | additive_expression, after its first unary
 * additive_expression: multiplicative (("+" | "-") multiplicative)*
 * multiplicative_expression: unary (("*" | "/" | "%") unary)* */
static struct wgsl_expr *parse_shift_rest(struct wgsl_parser *p, struct wgsl_expr *first) {
    if (first && next_class(p) == CLASS_SHIFT)
        return parse_single(p, first, CLASS_SHIFT);
    return parse_chain(p, parse_chain(p, first, CLASS_MULTIPLY, false), CLASS_ADD, false);
}

/* relational_expression: shift_expression (("==" | "<" | ...) shift_expression)? */
static struct wgsl_expr *parse_relational_rest(struct wgsl_parser *p, struct wgsl_expr *first) {
    return parse_single(p, parse_shift_rest(p, first), CLASS_COMPARE);
}

static struct wgsl_expr *parse_operand(struct wgsl_parser *p, enum op_class class) {
    struct wgsl_expr *first = parse_unary(p);
    switch (class) {
    case CLASS_LOGICAL:
        return parse_relational_rest(p, first);
    case CLASS_COMPARE:
        return parse_shift_rest(p, first);
    case CLASS_ADD:
        return parse_chain(p, first, CLASS_MULTIPLY, false);
    default:
        return first;
    }
}

/* expression: unary (("&" unary)* | ("|" unary)* | ("^" unary)*)
 *           | relational (("&&" relational)* | ("||" relational)*) */
struct wgsl_expr *parse_expression(struct wgsl_parser *p) {
    struct wgsl_expr *e = parse_unary(p);
    if (e && next_class(p) == CLASS_BIT)
        e = parse_chain(p, e, CLASS_BIT, true);
    else
        e = parse_chain(p, parse_relational_rest(p, e), CLASS_LOGICAL, true);
    int next = next_op(p);
    if (!e || next < 0)
        return e;
    parse_error(p, "mixing '%s' and '%s' needs parentheses", op_name(e->op), binary_ops[next].text);
    return NULL;
}
