/* Template-list discovery. */
#include "sim/wgsl/token.h"

/* The specification finds template lists in text; this does the same on tokens. A '<' after an
 * identifier may open a list; the '>' that closes it stands at the same depth of parentheses, with
 * no token between that cannot be part of an expression. */

struct candidate {
    uint32_t token;
    uint32_t depth;
};

struct discovery {
    struct wgsl_heap *heap;
    struct candidate *pending;
    uint32_t pending_count;
    uint32_t depth;
};

static void drop_from_depth(struct discovery *d) {
    while (d->pending_count && d->pending[d->pending_count - 1].depth >= d->depth)
        d->pending_count--;
}

static void close_list(struct discovery *d, struct wgsl_token *items, uint32_t i) {
    if (!d->pending_count || d->pending[d->pending_count - 1].depth != d->depth)
        return;
    items[d->pending[--d->pending_count].token].kind = TK_TEMPLATE_OPEN;
    items[i].kind = TK_TEMPLATE_CLOSE;
}

static bool is_unmatched_ge(const struct wgsl_token *t) {
    return t[-1].kind == TK_GT && t[-1].touches_next;
}

static void discover(struct discovery *d, struct wgsl_token *items, uint32_t i) {
    switch (items[i].kind) {
    case TK_LT:
        if (i > 0 && (items[i - 1].kind == TK_IDENT || items[i - 1].kind == TK_var)) {
            struct candidate c = {i, d->depth};
            HEAP_PUSH(d->heap, d->pending, d->pending_count, c);
        }
        break;
    case TK_GT:
        close_list(d, items, i);
        break;
    case TK_PAREN_OPEN:
    case TK_BRACKET_OPEN:
        d->depth++;
        break;
    case TK_PAREN_CLOSE:
    case TK_BRACKET_CLOSE:
        drop_from_depth(d);
        d->depth -= d->depth > 0;
        break;
    case TK_AND_AND:
    case TK_OR_OR:
        drop_from_depth(d);
        break;
    case TK_ASSIGN:
        if (i > 0 && is_unmatched_ge(&items[i]))
            break;
        /* fall through */
    case TK_SEMICOLON:
    case TK_BRACE_OPEN:
    case TK_COLON:
        d->depth = 0;
        d->pending_count = 0;
        break;
    default:
        break;
    }
}

/* Length in tokens of the operator that begins with the '>' at t, and what it is. */
static uint32_t join(const struct wgsl_token *t, enum wgsl_token_kind *kind) {
    bool pair = t[0].touches_next && t[1].kind == TK_GT;
    if (pair && t[1].touches_next && t[2].kind == TK_ASSIGN) {
        *kind = TK_SHR_ASSIGN;
        return 3;
    }
    *kind = pair ? TK_SHR : TK_GT;
    if (!pair && t[0].touches_next && t[1].kind == TK_ASSIGN) {
        *kind = TK_GE;
        return 2;
    }
    return pair ? 2 : 1;
}

void wgsl_find_template_lists(struct wgsl_tokens *tokens, struct wgsl_heap *heap) {
    struct discovery d = {.heap = heap};
    for (uint32_t i = 0; i < tokens->count; i++)
        discover(&d, tokens->items, i);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < tokens->count;) {
        struct wgsl_token token = tokens->items[i];
        uint32_t length = 1;
        if (token.kind == TK_GT) {
            length = join(&tokens->items[i], &token.kind);
            token.span.length = length;
        }
        tokens->items[kept++] = token;
        i += length;
    }
    tokens->count = kept;
}
