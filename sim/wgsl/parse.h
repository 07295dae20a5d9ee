/* The parser: tokens to tree. */
#ifndef WGSIM_WGSL_PARSE_H
#define WGSIM_WGSL_PARSE_H

#include "sim/wgsl/decl.h"
#include "sim/wgsl/token.h"

struct wgsl_parser {
    const struct wgsl_token *tokens;
    uint32_t at; /* next token; never behind TK_EOF */
    struct wgsl_heap *heap;
    struct wgsl_diagnostics *diagnostics;
    struct wgsl_module *module;
    struct wgsl_decl **last_decl;
    uint32_t depth;       /* of nested expressions */
    uint32_t brace_depth; /* of nested statements */
    bool broken;          /* an error was reported and parsing has not got going again since */
};

enum {
    PARSE_DEPTH_LIMIT = 512, /* levels of operands in an expression */
    BRACE_DEPTH_LIMIT = 127, /* the specification's limit for statements */
};

/* Reads everything; errors are in diagnostics, and what was wrong is left out of the tree. */
void wgsl_parse(const struct wgsl_tokens *tokens, struct wgsl_module *module,
                struct wgsl_heap *heap, struct wgsl_diagnostics *diagnostics);

/* -- for the parser's own files -- */

static inline const struct wgsl_token *peek(const struct wgsl_parser *p) {
    return &p->tokens[p->at];
}

static inline bool is_next(const struct wgsl_parser *p, enum wgsl_token_kind kind) {
    return p->tokens[p->at].kind == kind;
}

/* Takes the next token. */
const struct wgsl_token *parse_take(struct wgsl_parser *p);
/* Takes the next token if it is of this kind. */
bool parse_accept(struct wgsl_parser *p, enum wgsl_token_kind kind);
/* Takes the next token or reports that it should be there; where: "after the condition". */
bool parse_expect(struct wgsl_parser *p, enum wgsl_token_kind kind, const char *where);
/* An identifier, or NULL after reporting; what: "a name for the struct". */
const struct wgsl_token *parse_name(struct wgsl_parser *p, const char *what);
/* Reports at the next token, once until parsing gets going again. */
void parse_error(struct wgsl_parser *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* From the beginning of a token to the end of the last one taken. */
struct wgsl_span parse_span_from(const struct wgsl_parser *p, struct wgsl_span start);

/* All return NULL after reporting an error. */
struct wgsl_expr *parse_expression(struct wgsl_parser *p);
struct wgsl_expr *parse_unary(struct wgsl_parser *p);
struct wgsl_expr *parse_type(struct wgsl_parser *p);
/* "(" expression_comma_list? ")"; returns false after an error. */
bool parse_arguments(struct wgsl_parser *p, struct wgsl_expr ***args, uint32_t *count);
bool parse_template_list(struct wgsl_parser *p, struct wgsl_expr ***args, uint32_t *count);

struct wgsl_attribute *parse_attributes(struct wgsl_parser *p);
struct wgsl_filter *parse_diagnostic_control(struct wgsl_parser *p);

/* var, let, const and override up to before ';'. */
struct wgsl_variable *parse_variable(struct wgsl_parser *p, bool module_scope);
struct wgsl_block *parse_block(struct wgsl_parser *p, const char *where);

#endif
