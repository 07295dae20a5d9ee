/* Tokens of WGSL. */
#ifndef WGSIM_WGSL_TOKEN_H
#define WGSIM_WGSL_TOKEN_H

#include "sim/wgsl/diagnostic.h"
#include "sim/wgsl/heap.h"
#include "sim/wgsl/preprocess.h"
#include "sim/wgsl/source.h"
#include "sim/wgsl/type.h"

enum wgsl_token_kind {
    TK_EOF,
    TK_IDENT,
    TK_INT,    /* integer, type TY_ABSTRACT_INT, TY_I32 or TY_U32 */
    TK_FLOAT,  /* number, type TY_ABSTRACT_FLOAT, TY_F32 or TY_F16 */
    TK_STRING, /* only print and debugPrintf take one */
    TK_TEMPLATE_OPEN,
    TK_TEMPLATE_CLOSE,
#define KEYWORD(name) TK_##name,
#define SYMBOL(id, text) TK_##id,
#include "sim/wgsl/token.def"
#undef KEYWORD
#undef SYMBOL
};

struct wgsl_token {
    enum wgsl_token_kind kind;
    struct wgsl_span span;
    const char *text;  /* TK_IDENT, TK_STRING */
    bool touches_next; /* nothing stands between this and the next token */
    enum wgsl_type_kind type;
    int64_t integer;
    double number;
};

struct wgsl_tokens {
    struct wgsl_token *items; /* the last is TK_EOF */
    uint32_t count;
};

/* Text to tokens. Reports what is no token and leaves it out. */
struct wgsl_tokens wgsl_lex(const struct wgsl_text *text, struct wgsl_heap *heap,
                            struct wgsl_diagnostics *diagnostics);

/* Tells the '<' and '>' around template arguments from operators, and joins the '>' that are left
 * with what follows to '>>', '>=' and '>>='. Part of wgsl_lex. */
void wgsl_find_template_lists(struct wgsl_tokens *tokens, struct wgsl_heap *heap);

/* As written, in quotes, for messages. */
const char *token_name(enum wgsl_token_kind kind);

#endif
