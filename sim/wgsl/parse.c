/* The parser: module scope. */
#include "sim/wgsl/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct wgsl_token *parse_take(struct wgsl_parser *p) {
    const struct wgsl_token *token = &p->tokens[p->at];
    if (token->kind != TK_EOF)
        p->at++;
    return token;
}

bool parse_accept(struct wgsl_parser *p, enum wgsl_token_kind kind) {
    if (!is_next(p, kind))
        return false;
    parse_take(p);
    return true;
}

void parse_error(struct wgsl_parser *p, const char *format, ...) {
    if (p->broken)
        return;
    p->broken = true;
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    wgsl_diagnose(p->diagnostics, WGSL_ERROR, peek(p)->span, "%s", text);
}

bool parse_expect(struct wgsl_parser *p, enum wgsl_token_kind kind, const char *where) {
    if (!p->broken && parse_accept(p, kind))
        return true;
    const struct wgsl_token *found = peek(p);
    parse_error(p, "expected '%s' %s, found '%s'", token_name(kind), where,
                found->text ? found->text : token_name(found->kind));
    return false;
}

const struct wgsl_token *parse_name(struct wgsl_parser *p, const char *what) {
    if (is_next(p, TK_IDENT))
        return parse_take(p);
    parse_error(p, "expected %s, found '%s'", what, token_name(peek(p)->kind));
    return NULL;
}

struct wgsl_span parse_span_from(const struct wgsl_parser *p, struct wgsl_span start) {
    const struct wgsl_span *last = &p->tokens[p->at ? p->at - 1 : 0].span;
    if (last->file == start.file && last->line == start.line && last->column >= start.column)
        start.length = last->column + last->length - start.column;
    return start;
}

/* -- directives -- */

static const struct {
    const char *name;
    enum wgsl_extension bit;
} extensions[] = {
    {"f16", EXT_F16},
    {"subgroups", EXT_SUBGROUPS},
    {"clip_distances", EXT_CLIP_DISTANCES},
    {"dual_source_blending", EXT_DUAL_SOURCE_BLENDING},
    {"primitive_index", EXT_PRIMITIVE_INDEX},
    {"chromium_print", EXT_PRINT},
};

static const char *const features[] = {
    "readonly_and_readwrite_storage_textures",
    "packed_4x8_integer_dot_product",
    "unrestricted_pointer_parameters",
    "pointer_composite_access",
    "uniform_buffer_standard_layout",
    "subgroup_id",
    "subgroup_uniformity",
    "texture_and_sampler_let",
    "texture_formats_tier1",
    "linear_indexing",
    "fragment_depth",
    "chromium_print",
};

static bool enable(struct wgsl_parser *p, const struct wgsl_token *name) {
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; i++)
        if (strcmp(extensions[i].name, name->text) == 0) {
            p->module->extensions |= extensions[i].bit;
            return true;
        }
    return false;
}

static bool has_feature(const char *name) {
    for (size_t i = 0; i < sizeof features / sizeof features[0]; i++)
        if (strcmp(features[i], name) == 0)
            return true;
    return false;
}

/* enable_directive: "enable" IDENT ("," IDENT)* ","? ";"
 * requires_directive: "requires" IDENT ("," IDENT)* ","? ";" */
static void parse_extensions(struct wgsl_parser *p) {
    bool enables = parse_take(p)->kind == TK_enable;
    do {
        const struct wgsl_token *name = parse_name(p, "the name of an extension");
        if (!name)
            return;
        if (enables ? !enable(p, name) : !has_feature(name->text))
            wgsl_diagnose(p->diagnostics, WGSL_ERROR, name->span, "there is no %s '%s'",
                          enables ? "extension" : "language feature", name->text);
    } while (parse_accept(p, TK_COMMA) && !is_next(p, TK_SEMICOLON));
    parse_expect(p, TK_SEMICOLON, "after the directive");
}

/* diagnostic_directive: "diagnostic" diagnostic_control ";" */
static void parse_diagnostic_directive(struct wgsl_parser *p) {
    parse_take(p);
    struct wgsl_filter *filter = parse_diagnostic_control(p);
    if (!filter || !parse_expect(p, TK_SEMICOLON, "after the directive"))
        return;
    filter->next = p->module->filters;
    p->module->filters = filter;
}

static bool is_directive(const struct wgsl_parser *p) {
    return is_next(p, TK_enable) || is_next(p, TK_requires) || is_next(p, TK_diagnostic);
}

static void parse_directive(struct wgsl_parser *p) {
    if (is_next(p, TK_diagnostic))
        parse_diagnostic_directive(p);
    else
        parse_extensions(p);
}

/* -- declarations -- */

static struct wgsl_decl *add_decl(struct wgsl_parser *p, enum wgsl_decl_kind kind, const char *name,
                                  struct wgsl_span span) {
    struct wgsl_decl *decl = HEAP_NEW(p->heap, struct wgsl_decl);
    decl->kind = kind;
    decl->name = name;
    decl->span = span;
    *p->last_decl = decl;
    p->last_decl = &decl->next;
    return decl;
}

/* global_variable_decl ";" | global_value_decl ";" */
static void parse_global_variable(struct wgsl_parser *p, struct wgsl_attribute *attributes) {
    struct wgsl_variable *v = parse_variable(p, true);
    if (!v || !parse_expect(p, TK_SEMICOLON, "after this declaration"))
        return;
    v->attributes = attributes;
    add_decl(p, DECL_VARIABLE, v->name, v->span)->variable = v;
}

/* type_alias_decl: "alias" IDENT "=" type_specifier ";" */
static void parse_alias(struct wgsl_parser *p) {
    parse_take(p);
    const struct wgsl_token *name = parse_name(p, "a name for the alias");
    if (!name || !parse_expect(p, TK_ASSIGN, "after the name"))
        return;
    struct wgsl_expr *type = parse_type(p);
    if (type && parse_expect(p, TK_SEMICOLON, "after this declaration"))
        add_decl(p, DECL_ALIAS, name->text, name->span)->expr = type;
}

/* struct_member: attribute* IDENT ":" type_specifier */
static bool parse_field(struct wgsl_parser *p, struct wgsl_decl *decl) {
    struct wgsl_field field = {.attributes = parse_attributes(p)};
    const struct wgsl_token *name = parse_name(p, "the name of a member");
    if (!name || !parse_expect(p, TK_COLON, "after the member's name"))
        return false;
    field.name = name->text;
    field.span = name->span;
    field.type_expr = parse_type(p);
    if (!field.type_expr)
        return false;
    HEAP_PUSH(p->heap, decl->fields, decl->field_count, field);
    return true;
}

/* struct_decl: "struct" IDENT "{" struct_member ("," struct_member)* ","? "}" */
static void parse_struct(struct wgsl_parser *p) {
    parse_take(p);
    const struct wgsl_token *name = parse_name(p, "a name for the struct");
    if (!name || !parse_expect(p, TK_BRACE_OPEN, "after the struct's name"))
        return;
    struct wgsl_decl *decl = add_decl(p, DECL_STRUCT, name->text, name->span);
    do
        if (!parse_field(p, decl))
            return;
    while (parse_accept(p, TK_COMMA) && !is_next(p, TK_BRACE_CLOSE));
    parse_expect(p, TK_BRACE_CLOSE, "after the members");
}

/* param: attribute* IDENT ":" type_specifier */
static bool parse_param(struct wgsl_parser *p, struct wgsl_function *f) {
    struct wgsl_variable *v = HEAP_NEW(p->heap, struct wgsl_variable);
    v->kind = VAR_PARAM;
    v->attributes = parse_attributes(p);
    const struct wgsl_token *name = parse_name(p, "the name of a parameter");
    if (!name || !parse_expect(p, TK_COLON, "after the parameter's name"))
        return false;
    v->name = name->text;
    v->span = name->span;
    v->type_expr = parse_type(p);
    if (!v->type_expr)
        return false;
    HEAP_PUSH(p->heap, f->params, f->param_count, v);
    return true;
}

/* function_header: "fn" IDENT "(" (param ("," param)* ","?)? ")" ("->" attribute* type)? */
static bool parse_header(struct wgsl_parser *p, struct wgsl_function *f) {
    parse_take(p);
    const struct wgsl_token *name = parse_name(p, "a name for the function");
    if (!name || !parse_expect(p, TK_PAREN_OPEN, "after the function's name"))
        return false;
    f->name = name->text;
    f->span = name->span;
    while (!is_next(p, TK_PAREN_CLOSE)) {
        if (!parse_param(p, f))
            return false;
        if (!parse_accept(p, TK_COMMA))
            break;
    }
    if (!parse_expect(p, TK_PAREN_CLOSE, "after the parameters"))
        return false;
    if (parse_accept(p, TK_ARROW)) {
        f->result_attributes = parse_attributes(p);
        f->result_expr = parse_type(p);
    }
    return !p->broken;
}

/* function_decl: attribute* function_header compound_statement */
static void parse_function(struct wgsl_parser *p, struct wgsl_attribute *attributes) {
    struct wgsl_function *f = HEAP_NEW(p->heap, struct wgsl_function);
    f->attributes = attributes;
    if (!parse_header(p, f))
        return;
    add_decl(p, DECL_FUNCTION, f->name, f->span)->function = f;
    f->body = parse_block(p, "before the function's body");
    if (!f->body)
        f->body = HEAP_NEW(p->heap, struct wgsl_block);
}

/* const_assert: "const_assert" expression ";" */
static void parse_const_assert(struct wgsl_parser *p) {
    struct wgsl_span span = parse_take(p)->span;
    struct wgsl_expr *condition = parse_expression(p);
    if (condition && parse_expect(p, TK_SEMICOLON, "after this declaration"))
        add_decl(p, DECL_CONST_ASSERT, NULL, span)->expr = condition;
}

static void refuse_attributes(struct wgsl_parser *p, const struct wgsl_attribute *attributes) {
    if (attributes)
        wgsl_diagnose(p->diagnostics, WGSL_ERROR, attributes->span,
                      "attributes are not allowed on this declaration");
}

/* global_decl: attribute* (variable | function) | alias | struct | const_assert | ";" */
static void parse_decl(struct wgsl_parser *p) {
    struct wgsl_attribute *attributes = parse_attributes(p);
    if (p->broken)
        return;
    enum wgsl_token_kind kind = peek(p)->kind;
    switch (kind) {
    case TK_var:
    case TK_override:
        parse_global_variable(p, attributes);
        return;
    case TK_const:
        refuse_attributes(p, attributes);
        parse_global_variable(p, NULL);
        return;
    case TK_fn:
        parse_function(p, attributes);
        return;
    default:
        break;
    }
    refuse_attributes(p, attributes);
    if (kind == TK_alias)
        parse_alias(p);
    else if (kind == TK_struct)
        parse_struct(p);
    else if (kind == TK_const_assert)
        parse_const_assert(p);
    else if (kind == TK_SEMICOLON)
        parse_take(p);
    else if (kind == TK_let)
        parse_error(p, "'let' is not allowed at module scope; use 'const' or 'var<private>'");
    else if (is_directive(p))
        parse_error(p, "directives must come before all declarations");
    else
        parse_error(p, "expected a declaration, found '%s'", token_name(kind));
}

/* Skips to where a declaration may begin. Always moves on. */
static void recover(struct wgsl_parser *p) {
    uint32_t depth = 0;
    p->broken = false;
    p->brace_depth = p->depth = 0;
    for (; !is_next(p, TK_EOF); parse_take(p)) {
        enum wgsl_token_kind kind = peek(p)->kind;
        if (kind == TK_BRACE_OPEN) {
            depth++;
        } else if (kind == TK_fn || kind == TK_struct || kind == TK_alias || kind == TK_override) {
            return; /* these never stand within a body */
        } else if ((kind == TK_BRACE_CLOSE && depth <= 1) || (kind == TK_SEMICOLON && !depth)) {
            parse_take(p);
            return;
        } else if (kind == TK_BRACE_CLOSE) {
            depth--;
        }
    }
}

/* translation_unit: directive* global_decl* */
void wgsl_parse(const struct wgsl_tokens *tokens, struct wgsl_module *module,
                struct wgsl_heap *heap, struct wgsl_diagnostics *diagnostics) {
    struct wgsl_parser parser = {.tokens = tokens->items,
                                 .heap = heap,
                                 .diagnostics = diagnostics,
                                 .module = module,
                                 .last_decl = &module->decls};
    struct wgsl_parser *p = &parser;
    while (is_directive(p)) {
        parse_directive(p);
        if (p->broken)
            recover(p);
    }
    while (!is_next(p, TK_EOF)) {
        uint32_t before = p->at;
        parse_decl(p);
        if (p->broken) {
            if (p->at == before)
                parse_take(p);
            recover(p);
        }
    }
}
