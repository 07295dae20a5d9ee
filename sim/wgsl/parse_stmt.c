/* Parsing of statements. */
#include "sim/wgsl/parse.h"

static struct wgsl_stmt *new_stmt(struct wgsl_parser *p, enum wgsl_stmt_kind kind) {
    struct wgsl_stmt *s = HEAP_NEW(p->heap, struct wgsl_stmt);
    s->kind = kind;
    s->span = peek(p)->span;
    return s;
}

static struct wgsl_stmt *parse_statement(struct wgsl_parser *p);

static void refuse_attributes(struct wgsl_parser *p, const struct wgsl_attribute *attributes) {
    if (!attributes)
        return;
    wgsl_diagnose(p->diagnostics, WGSL_ERROR, attributes->span,
                  "attributes are not allowed on this statement");
}

/* variable_decl: "var" template_list? optionally_typed_ident ("=" expression)?
 *              | ("let" | "const" | "override") optionally_typed_ident ("=" expression)?
 * optionally_typed_ident: IDENT (":" type_specifier)? */
struct wgsl_variable *parse_variable(struct wgsl_parser *p, bool module_scope) {
    struct wgsl_variable *v = HEAP_NEW(p->heap, struct wgsl_variable);
    const struct wgsl_token *keyword = parse_take(p);
    v->kind = keyword->kind == TK_var     ? VAR_VAR
              : keyword->kind == TK_let   ? VAR_LET
              : keyword->kind == TK_const ? VAR_CONST
                                          : VAR_OVERRIDE;
    v->is_global = module_scope;
    if (v->kind == VAR_VAR && is_next(p, TK_TEMPLATE_OPEN)) {
        v->has_template = true;
        if (!parse_template_list(p, &v->template_args, &v->template_count))
            return NULL;
    }
    const struct wgsl_token *name = parse_name(p, "a name for the variable");
    if (!name)
        return NULL;
    v->name = name->text;
    v->span = name->span;
    if (parse_accept(p, TK_COLON) && !(v->type_expr = parse_type(p)))
        return NULL;
    if (parse_accept(p, TK_ASSIGN)) {
        v->init = parse_expression(p);
        return v->init ? v : NULL;
    }
    if (v->kind == VAR_LET || v->kind == VAR_CONST) {
        parse_error(p, "expected '=' and a value for '%s'", v->name);
        return NULL;
    }
    return v;
}

static enum wgsl_op compound_op(enum wgsl_token_kind kind) {
    static const struct {
        enum wgsl_token_kind token;
        enum wgsl_op op;
    } ops[] = {
        {TK_PLUS_ASSIGN, OP_ADD},  {TK_MINUS_ASSIGN, OP_SUB},   {TK_STAR_ASSIGN, OP_MUL},
        {TK_SLASH_ASSIGN, OP_DIV}, {TK_PERCENT_ASSIGN, OP_MOD}, {TK_AND_ASSIGN, OP_AND},
        {TK_OR_ASSIGN, OP_OR},     {TK_XOR_ASSIGN, OP_XOR},     {TK_SHL_ASSIGN, OP_SHL},
        {TK_SHR_ASSIGN, OP_SHR},
    };
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        if (ops[i].token == kind)
            return ops[i].op;
    return OP_NONE;
}

/* "_" "=" expression */
static struct wgsl_stmt *parse_phony(struct wgsl_parser *p) {
    struct wgsl_stmt *s = new_stmt(p, ST_PHONY);
    parse_take(p);
    if (!parse_expect(p, TK_ASSIGN, "after '_'"))
        return NULL;
    s->rhs = parse_expression(p);
    return s->rhs ? s : NULL;
}

/* variable_updating_statement | func_call_statement:
 *   lhs_expression ("=" | "+=" | ...) expression | lhs_expression ("++" | "--") | call */
static struct wgsl_stmt *parse_update(struct wgsl_parser *p) {
    if (is_next(p, TK_UNDERSCORE))
        return parse_phony(p);
    struct wgsl_stmt *s = new_stmt(p, ST_ASSIGN);
    s->lhs = parse_unary(p);
    if (!s->lhs)
        return NULL;
    enum wgsl_token_kind kind = peek(p)->kind;
    if (kind == TK_PLUS_PLUS || kind == TK_MINUS_MINUS) {
        parse_take(p);
        s->kind = ST_INCREMENT;
        s->op = kind == TK_PLUS_PLUS ? OP_ADD : OP_SUB;
        return s;
    }
    if (kind == TK_ASSIGN || compound_op(kind)) {
        parse_take(p);
        s->kind = kind == TK_ASSIGN ? ST_ASSIGN : ST_COMPOUND;
        s->op = compound_op(kind);
        s->rhs = parse_expression(p);
        return s->rhs ? s : NULL;
    }
    if (s->lhs->kind == EX_CALL && !s->lhs->parenthesised) {
        s->kind = ST_CALL;
        s->rhs = s->lhs;
        s->lhs = NULL;
        return s;
    }
    parse_error(p, "expected an assignment or a call");
    return NULL;
}

/* if_statement: "if" expression compound ("else" "if" expression compound)* ("else" compound)? */
static struct wgsl_stmt *parse_if(struct wgsl_parser *p) {
    struct wgsl_stmt *first = NULL, **link = &first;
    for (;;) {
        struct wgsl_stmt *s = new_stmt(p, ST_IF);
        *link = s;
        link = &s->else_;
        parse_take(p); /* "if" */
        s->condition = parse_expression(p);
        if (!s->condition || !(s->body = parse_block(p, "after the condition")))
            return NULL;
        if (!parse_accept(p, TK_else))
            return first;
        if (!is_next(p, TK_if))
            break;
    }
    struct wgsl_stmt *last = new_stmt(p, ST_BLOCK);
    last->block = parse_block(p, "after 'else'");
    *link = last;
    return last->block ? first : NULL;
}

/* case_selectors: ("default" | expression) ("," ("default" | expression))* ","? */
static bool parse_selectors(struct wgsl_parser *p, struct wgsl_case *c) {
    do {
        struct wgsl_expr *selector = NULL;
        if (!parse_accept(p, TK_default) && !(selector = parse_expression(p)))
            return false;
        HEAP_PUSH(p->heap, c->selectors, c->selector_count, selector);
    } while (parse_accept(p, TK_COMMA) && !is_next(p, TK_COLON) && !is_next(p, TK_BRACE_OPEN) &&
             !is_next(p, TK_AT));
    return true;
}

/* switch_clause: ("case" case_selectors | "default") ":"? compound */
static bool parse_case(struct wgsl_parser *p, struct wgsl_stmt *s) {
    struct wgsl_case c = {.span = peek(p)->span};
    if (parse_accept(p, TK_default)) {
        struct wgsl_expr *none = NULL;
        HEAP_PUSH(p->heap, c.selectors, c.selector_count, none);
    } else if (!parse_expect(p, TK_case, "or 'default' in this switch") ||
               !parse_selectors(p, &c)) {
        return false;
    }
    parse_accept(p, TK_COLON);
    c.body = parse_block(p, "after the case");
    if (!c.body)
        return false;
    HEAP_PUSH(p->heap, s->cases, s->case_count, c);
    return true;
}

/* switch_statement: "switch" expression attribute* "{" switch_clause+ "}" */
static struct wgsl_stmt *parse_switch(struct wgsl_parser *p) {
    struct wgsl_stmt *s = new_stmt(p, ST_SWITCH);
    parse_take(p);
    s->condition = parse_expression(p);
    if (!s->condition)
        return NULL;
    s->body_attributes = parse_attributes(p);
    if (!parse_expect(p, TK_BRACE_OPEN, "after the selector"))
        return NULL;
    do
        if (!parse_case(p, s))
            return NULL;
    while (!is_next(p, TK_BRACE_CLOSE));
    return parse_expect(p, TK_BRACE_CLOSE, "after the cases") ? s : NULL;
}

/* Skips what an error left unread of a statement. */
static void recover(struct wgsl_parser *p) {
    uint32_t depth = 0;
    for (; !is_next(p, TK_EOF); parse_take(p)) {
        if (is_next(p, TK_BRACE_OPEN)) {
            depth++;
        } else if (is_next(p, TK_BRACE_CLOSE)) {
            if (depth == 0)
                break;
            if (--depth == 0) {
                parse_take(p);
                break;
            }
        } else if (is_next(p, TK_SEMICOLON) && depth == 0) {
            parse_take(p);
            break;
        }
    }
    p->broken = false;
}

/* statement* up to the closing brace, or to "continuing" or "break if" where those may come. */
static void parse_statements(struct wgsl_parser *p, struct wgsl_block *block, bool in_loop) {
    struct wgsl_stmt **link = &block->first;
    while (*link)
        link = &(*link)->next;
    while (!is_next(p, TK_BRACE_CLOSE) && !is_next(p, TK_EOF)) {
        if (in_loop && is_next(p, TK_continuing))
            return;
        if (is_next(p, TK_break) && p->tokens[p->at + 1].kind == TK_if)
            return;
        if (parse_accept(p, TK_SEMICOLON))
            continue;
        struct wgsl_stmt *s = parse_statement(p);
        if (p->broken)
            recover(p);
        if (s) {
            *link = s;
            link = &s->next;
        }
    }
}

/* "{" and its attributes; NULL after an error. */
static struct wgsl_block *open_block(struct wgsl_parser *p, const char *where) {
    struct wgsl_block *block = HEAP_NEW(p->heap, struct wgsl_block);
    block->attributes = parse_attributes(p);
    block->span = peek(p)->span;
    if (p->broken || !parse_expect(p, TK_BRACE_OPEN, where))
        return NULL;
    if (++p->brace_depth > BRACE_DEPTH_LIMIT) {
        parse_error(p, "statements are nested too deep (more than %d levels)", BRACE_DEPTH_LIMIT);
        p->brace_depth--;
        return NULL;
    }
    return block;
}

static struct wgsl_block *close_block(struct wgsl_parser *p, struct wgsl_block *block) {
    p->brace_depth--;
    block->end = peek(p)->span;
    if (is_next(p, TK_break))
        parse_error(p, "'break if' can only be the last statement of a continuing block");
    return parse_expect(p, TK_BRACE_CLOSE, "after the statements") ? block : NULL;
}

/* compound_statement: attribute* "{" statement* "}" */
struct wgsl_block *parse_block(struct wgsl_parser *p, const char *where) {
    struct wgsl_block *block = open_block(p, where);
    if (!block)
        return NULL;
    parse_statements(p, block, false);
    return close_block(p, block);
}

/* continuing_statement: "continuing" attribute* "{" statement* ("break" "if" expression ";")? "}"
 */
static bool parse_continuing(struct wgsl_parser *p, struct wgsl_stmt *loop) {
    parse_take(p);
    struct wgsl_block *block = open_block(p, "after 'continuing'");
    if (!block)
        return false;
    loop->continuing = block;
    parse_statements(p, block, false);
    if (is_next(p, TK_break)) {
        parse_take(p);
        parse_take(p);
        loop->break_if = parse_expression(p);
        if (!loop->break_if || !parse_expect(p, TK_SEMICOLON, "after 'break if'")) {
            p->brace_depth--;
            return false;
        }
    }
    return close_block(p, block) != NULL;
}

/* loop_statement: "loop" attribute* "{" statement* continuing_statement? "}" */
static struct wgsl_stmt *parse_loop(struct wgsl_parser *p) {
    struct wgsl_stmt *s = new_stmt(p, ST_LOOP);
    parse_take(p);
    s->body = open_block(p, "after 'loop'");
    if (!s->body)
        return NULL;
    parse_statements(p, s->body, true);
    if (is_next(p, TK_continuing) && !parse_continuing(p, s)) {
        p->brace_depth--;
        return NULL;
    }
    return close_block(p, s->body) ? s : NULL;
}

static bool is_declaration(const struct wgsl_parser *p) {
    return is_next(p, TK_var) || is_next(p, TK_let) || is_next(p, TK_const);
}

static struct wgsl_stmt *parse_declaration(struct wgsl_parser *p) {
    struct wgsl_stmt *s = new_stmt(p, ST_DECLARE);
    s->variable = parse_variable(p, false);
    return s->variable ? s : NULL;
}

/* for_header: for_init? ";" expression? ";" for_update? */
static bool parse_for_header(struct wgsl_parser *p, struct wgsl_stmt *s) {
    if (!is_next(p, TK_SEMICOLON) &&
        !(s->init = is_declaration(p) ? parse_declaration(p) : parse_update(p)))
        return false;
    if (!parse_expect(p, TK_SEMICOLON, "after the initialiser of 'for'"))
        return false;
    if (!is_next(p, TK_SEMICOLON) && !(s->condition = parse_expression(p)))
        return false;
    if (!parse_expect(p, TK_SEMICOLON, "after the condition of 'for'"))
        return false;
    return is_next(p, TK_PAREN_CLOSE) || (s->update = parse_update(p));
}

/* for_statement: "for" "(" for_header ")" compound */
static struct wgsl_stmt *parse_for(struct wgsl_parser *p) {
    struct wgsl_stmt *s = new_stmt(p, ST_FOR);
    parse_take(p);
    if (!parse_expect(p, TK_PAREN_OPEN, "after 'for'") || !parse_for_header(p, s) ||
        !parse_expect(p, TK_PAREN_CLOSE, "after the header of 'for'"))
        return NULL;
    s->body = parse_block(p, "after the header of 'for'");
    return s->body ? s : NULL;
}

/* while_statement: "while" expression compound */
static struct wgsl_stmt *parse_while(struct wgsl_parser *p) {
    struct wgsl_stmt *s = new_stmt(p, ST_WHILE);
    parse_take(p);
    s->condition = parse_expression(p);
    if (!s->condition)
        return NULL;
    s->body = parse_block(p, "after the condition");
    return s->body ? s : NULL;
}

/* Statements that end in ';', without it. */
static struct wgsl_stmt *parse_simple(struct wgsl_parser *p) {
    struct wgsl_stmt *s;
    switch (peek(p)->kind) {
    case TK_var:
    case TK_let:
    case TK_const:
        return parse_declaration(p);
    case TK_break:
    case TK_continue:
    case TK_discard:
        s = new_stmt(p, is_next(p, TK_break)      ? ST_BREAK
                        : is_next(p, TK_continue) ? ST_CONTINUE
                                                  : ST_DISCARD);
        parse_take(p);
        return s;
    case TK_return:
        s = new_stmt(p, ST_RETURN);
        parse_take(p);
        if (!is_next(p, TK_SEMICOLON) && !(s->rhs = parse_expression(p)))
            return NULL;
        return s;
    case TK_const_assert:
        s = new_stmt(p, ST_CONST_ASSERT);
        parse_take(p);
        s->condition = parse_expression(p);
        return s->condition ? s : NULL;
    case TK_IDENT:
    case TK_UNDERSCORE:
    case TK_PAREN_OPEN:
    case TK_STAR:
    case TK_AND:
        return parse_update(p);
    case TK_PLUS_PLUS:
    case TK_MINUS_MINUS:
        parse_error(p, "'%s' comes after its operand", token_name(peek(p)->kind));
        return NULL;
    default:
        parse_error(p, "expected a statement, found '%s'", token_name(peek(p)->kind));
        return NULL;
    }
}

/* Statements that end in a block; NULL with *compound false if it is none. */
static struct wgsl_stmt *parse_compound(struct wgsl_parser *p, bool *compound) {
    struct wgsl_stmt *s;
    *compound = true;
    switch (peek(p)->kind) {
    case TK_if:
        return parse_if(p);
    case TK_switch:
        return parse_switch(p);
    case TK_loop:
        return parse_loop(p);
    case TK_for:
        return parse_for(p);
    case TK_while:
        return parse_while(p);
    case TK_BRACE_OPEN:
        s = new_stmt(p, ST_BLOCK);
        s->block = parse_block(p, "at the beginning of a block");
        return s->block ? s : NULL;
    default:
        *compound = false;
        return NULL;
    }
}

/* statement: attribute* compound | simple ";" */
static struct wgsl_stmt *parse_statement(struct wgsl_parser *p) {
    struct wgsl_attribute *attributes = parse_attributes(p);
    bool compound;
    if (p->broken)
        return NULL;
    struct wgsl_stmt *s = parse_compound(p, &compound);
    if (compound) {
        if (s)
            s->attributes = attributes;
        return s;
    }
    refuse_attributes(p, attributes);
    s = parse_simple(p);
    return s && parse_expect(p, TK_SEMICOLON, "after this statement") ? s : NULL;
}
