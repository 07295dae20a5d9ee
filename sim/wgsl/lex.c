/* The lexer. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/wgsl/token.h"
#include "sim/wgsl/unicode.h"

struct lexer {
    const struct wgsl_text *text;
    const char *p;   /* next character */
    const char *end; /* of the text, where a NUL stands */
    struct wgsl_heap *heap;
    struct wgsl_diagnostics *diagnostics;
    struct wgsl_tokens tokens;

    const char *known; /* character whose place is here: */
    struct wgsl_span here;
    bool expanded;
    uint32_t next_piece;
};

static const struct {
    const char *text;
    enum wgsl_token_kind kind;
} keywords[] =
    {
#define KEYWORD(name) {#name, TK_##name},
#define SYMBOL(id, text)
#include "sim/wgsl/token.def"
#undef KEYWORD
#undef SYMBOL
},
  symbols[] = {
#define KEYWORD(name)
#define SYMBOL(id, text) {text, TK_##id},
#include "sim/wgsl/token.def"
#undef KEYWORD
#undef SYMBOL
};

static const char *const reserved[] = {
#define RESERVED(name) #name,
#include "sim/wgsl/reserved.def"
#undef RESERVED
};

enum {
    KEYWORD_COUNT = sizeof keywords / sizeof keywords[0],
    SYMBOL_COUNT = sizeof symbols / sizeof symbols[0],
};

const char *token_name(enum wgsl_token_kind kind) {
    for (size_t i = 0; i < SYMBOL_COUNT; i++)
        if (symbols[i].kind == kind)
            return symbols[i].text;
    for (size_t i = 0; i < KEYWORD_COUNT; i++)
        if (keywords[i].kind == kind)
            return keywords[i].text;
    switch (kind) {
    case TK_EOF:
        return "end of file";
    case TK_IDENT:
        return "identifier";
    case TK_TEMPLATE_OPEN:
        return "<";
    case TK_TEMPLATE_CLOSE:
        return ">";
    case TK_STRING:
        return "string";
    default:
        return "number";
    }
}

/* Moves the known place on to character p; only forward. */
static void advance_place(struct lexer *l, const char *p) {
    const struct wgsl_text *text = l->text;
    while (l->known < p) {
        if (!l->expanded) {
            char c = *l->known;
            l->here.column++;
            if (c == '\n' || (c == '\r' && l->known[1] != '\n')) {
                l->here.line++;
                l->here.column = 1;
            }
        }
        l->known++;
        if (l->next_piece < text->piece_count &&
            text->text + text->pieces[l->next_piece].offset == l->known) {
            l->here = text->pieces[l->next_piece].place;
            l->expanded = text->pieces[l->next_piece].expanded;
            l->next_piece++;
        }
    }
}

static struct wgsl_span span_from(struct lexer *l, const char *start) {
    while (l->next_piece < l->text->piece_count &&
           l->text->text + l->text->pieces[l->next_piece].offset <= l->known) {
        l->here = l->text->pieces[l->next_piece].place;
        l->expanded = l->text->pieces[l->next_piece].expanded;
        l->next_piece++;
    }
    advance_place(l, start);
    struct wgsl_span span = l->here;
    if (!l->expanded)
        span.length = (uint32_t)(l->p - start);
    return span;
}

static struct wgsl_token *push(struct lexer *l, enum wgsl_token_kind kind, const char *start) {
    struct wgsl_token token = {.kind = kind, .span = span_from(l, start)};
    HEAP_PUSH(l->heap, l->tokens.items, l->tokens.count, token);
    return &l->tokens.items[l->tokens.count - 1];
}

#define LEX_ERROR(l, start, ...)                                                                   \
    wgsl_diagnose((l)->diagnostics, WGSL_ERROR, span_from((l), (start)), __VA_ARGS__)

static bool is_line_break(uint32_t c) {
    return (c >= '\n' && c <= '\r') || c == 0x85 || c == 0x2028 || c == 0x2029;
}

static bool is_blank(uint32_t c) {
    return c == ' ' || c == '\t' || is_line_break(c) || c == 0x200e || c == 0x200f;
}

/* Skips a character of a comment and returns it. */
static uint32_t skip_comment_character(struct lexer *l) {
    const char *start = l->p;
    uint32_t c = utf8_next(&l->p, l->end);
    if (c == 0)
        LEX_ERROR(l, start, "null character in the text");
    else if (c == UTF8_INVALID)
        LEX_ERROR(l, start, "the text is not valid UTF-8 here");
    return c;
}

static void skip_line_comment(struct lexer *l) {
    while (l->p < l->end && !is_line_break(skip_comment_character(l))) {
    }
}

/* Block comments nest. */
static void skip_block_comment(struct lexer *l) {
    const char *start = l->p;
    uint32_t depth = 0;
    do {
        if (l->p >= l->end) {
            l->p = l->end;
            LEX_ERROR(l, start, "unterminated block comment");
            return;
        }
        if (l->p[0] == '/' && l->p[1] == '*') {
            depth++;
            l->p += 2;
        } else if (l->p[0] == '*' && l->p[1] == '/') {
            depth--;
            l->p += 2;
        } else {
            skip_comment_character(l);
        }
    } while (depth);
}

static void skip_blank(struct lexer *l) {
    while (l->p < l->end) {
        const char *next = l->p;
        if (l->p[0] == '/' && l->p[1] == '/')
            skip_line_comment(l);
        else if (l->p[0] == '/' && l->p[1] == '*')
            skip_block_comment(l);
        else if (is_blank(utf8_next(&next, l->end)))
            l->p = next;
        else
            return;
    }
}

static bool is_reserved(const char *word) {
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
        if (strcmp(reserved[i], word) == 0)
            return true;
    return false;
}

static void add_word(struct lexer *l, const char *start) {
    char *word = heap_text(l->heap, start, (size_t)(l->p - start));
    for (size_t i = 0; i < KEYWORD_COUNT; i++)
        if (strcmp(keywords[i].text, word) == 0) {
            push(l, keywords[i].kind, start);
            return;
        }
    if (is_reserved(word))
        LEX_ERROR(l, start, "'%s' is a reserved word", word);
    else if (word[0] == '_' && word[1] == '_')
        LEX_ERROR(l, start, "identifier '%s' begins with two underscores", word);
    push(l, TK_IDENT, start)->text = word;
}

/* ident_pattern_token: ([_\p{XID_Start}][\p{XID_Continue}]+) | [\p{XID_Start}] */
static bool lex_word(struct lexer *l) {
    const char *start = l->p, *next = l->p;
    uint32_t first = utf8_next(&next, l->end);
    if (first != '_' && !unicode_is_xid_start(first))
        return false;
    const char *p = next;
    while (p < l->end && unicode_is_xid_continue(utf8_next(&next, l->end)))
        p = next;
    if (first == '_' && p == start + 1)
        return false; /* the token "_" */
    l->p = p;
    add_word(l, start);
    return true;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_hex_digit(char c) {
    return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f');
}

/* What a number is made of. */
struct number {
    const char *start;
    bool hex, has_point, has_exponent;
    uint32_t digits; /* in the significand */
    const char *end; /* before the suffix */
    char suffix;     /* 0, 'i', 'u', 'f' or 'h' */
};

static void lex_digits(struct lexer *l, struct number *n) {
    for (;; l->p++) {
        if (n->hex ? is_hex_digit(*l->p) : is_digit(*l->p))
            n->digits++;
        else if (*l->p == '.' && !n->has_point)
            n->has_point = true;
        else
            return;
    }
}

/* Returns false and reports when 'e' or 'p' has no digits after it. */
static bool lex_exponent(struct lexer *l, struct number *n) {
    if ((*l->p | 32) != (n->hex ? 'p' : 'e'))
        return true;
    l->p++;
    if (*l->p == '+' || *l->p == '-')
        l->p++;
    if (!is_digit(*l->p)) {
        LEX_ERROR(l, n->start, "the exponent of this number has no digits");
        return false;
    }
    while (is_digit(*l->p))
        l->p++;
    n->has_exponent = true;
    return true;
}

static void lex_suffix(struct lexer *l, struct number *n) {
    n->end = l->p;
    bool integer = !n->has_point && !n->has_exponent;
    bool may_be_float = n->hex ? n->has_exponent : true;
    if ((integer && (*l->p == 'i' || *l->p == 'u')) ||
        (may_be_float && (*l->p == 'f' || *l->p == 'h')))
        n->suffix = *l->p++;
}

static void add_integer(struct lexer *l, const struct number *n) {
    struct wgsl_token *token = push(l, TK_INT, n->start);
    token->type = n->suffix == 'i' ? TY_I32 : n->suffix == 'u' ? TY_U32 : TY_ABSTRACT_INT;
    if (!n->hex && n->digits > 1 && n->start[0] == '0')
        LEX_ERROR(l, n->start, "an integer does not begin with 0");
    errno = 0;
    unsigned long long value = strtoull(n->start, NULL, n->hex ? 16 : 10);
    unsigned long long max = n->suffix == 'i'   ? INT32_MAX
                             : n->suffix == 'u' ? UINT32_MAX
                                                : INT64_MAX;
    if (errno || value > max)
        LEX_ERROR(l, n->start, "%.*s is too large for '%s'", (int)(l->p - n->start), n->start,
                  n->suffix == 'i'   ? "i32"
                  : n->suffix == 'u' ? "u32"
                                     : "abstract-int");
    else
        token->integer = (int64_t)value;
}

/* Whether the significand of a hexadecimal number has more than bits bits, first to last set. */
static bool is_too_precise(const struct number *n, int bits) {
    int first = -1, last = -1, position = 0;
    for (const char *p = n->start + 2; p < n->end && (*p | 32) != 'p'; p++) {
        if (*p == '.')
            continue;
        int digit = is_digit(*p) ? *p - '0' : (*p | 32) - 'a' + 10;
        for (int bit = 3; bit >= 0; bit--, position++)
            if (digit >> bit & 1) {
                first = first < 0 ? position : first;
                last = position;
            }
    }
    return last - first + 1 > bits;
}

static void add_float(struct lexer *l, const struct number *n) {
    char *digits = heap_text(l->heap, n->start, (size_t)(n->end - n->start));
    double value = strtod(digits, NULL), rounded = value;
    if (n->suffix == 'f')
        rounded = (double)strtof(digits, NULL);
    else if (n->suffix == 'h')
        rounded = value_round_f16(value);
    const char *type = n->suffix == 'f' ? "f32" : n->suffix == 'h' ? "f16" : "abstract-float";
    bool inexact = n->hex && (rounded != value || is_too_precise(n, n->suffix == 'f'   ? 24
                                                                    : n->suffix == 'h' ? 11
                                                                                       : 53));
    if (isinf(rounded))
        LEX_ERROR(l, n->start, "%s is too large for '%s'", digits, type);
    else if (inexact)
        LEX_ERROR(l, n->start, "%s is not exactly representable as '%s'", digits, type);
    struct wgsl_token *token = push(l, TK_FLOAT, n->start);
    token->type = n->suffix == 'f' ? TY_F32 : n->suffix == 'h' ? TY_F16 : TY_ABSTRACT_FLOAT;
    token->number = isinf(rounded) ? 0 : rounded;
}

/* int_literal | float_literal */
static bool lex_number(struct lexer *l) {
    if (!is_digit(l->p[0]) && !(l->p[0] == '.' && is_digit(l->p[1])))
        return false;
    struct number n = {.start = l->p};
    n.hex = l->p[0] == '0' && (l->p[1] | 32) == 'x';
    if (n.hex)
        l->p += 2;
    lex_digits(l, &n);
    if (n.digits == 0)
        LEX_ERROR(l, n.start, "a hexadecimal number needs digits");
    if (!lex_exponent(l, &n) || n.digits == 0)
        return true;
    lex_suffix(l, &n);
    if (n.has_point || n.has_exponent || n.suffix == 'f' || n.suffix == 'h')
        add_float(l, &n);
    else
        add_integer(l, &n);
    return true;
}

/* A string for print and debugPrintf: no escapes but \" and \\ are interpreted here. */
static bool lex_string(struct lexer *l) {
    if (*l->p != '"')
        return false;
    const char *start = l->p++;
    while (l->p < l->end && *l->p != '"' && *l->p != '\n')
        l->p += *l->p == '\\' && l->p + 1 < l->end ? 2 : 1;
    if (l->p >= l->end || *l->p != '"') {
        LEX_ERROR(l, start, "unterminated string");
        return true;
    }
    l->p++;
    push(l, TK_STRING, start)->text = heap_text(l->heap, start + 1, (size_t)(l->p - start) - 2);
    return true;
}

static bool lex_symbol(struct lexer *l) {
    for (size_t i = 0; i < SYMBOL_COUNT; i++) {
        size_t length = strlen(symbols[i].text);
        if (strncmp(l->p, symbols[i].text, length) == 0) {
            const char *start = l->p;
            l->p += length;
            push(l, symbols[i].kind, start);
            return true;
        }
    }
    return false;
}

static void lex_one(struct lexer *l) {
    if (lex_word(l) || lex_number(l) || lex_string(l) || lex_symbol(l))
        return;
    const char *start = l->p, *next = l->p;
    uint32_t c = utf8_next(&next, l->end);
    l->p = next;
    if (c == UTF8_INVALID)
        LEX_ERROR(l, start, "the text is not valid UTF-8 here");
    else if (c < 0x20 || c == 0x7f)
        LEX_ERROR(l, start, "unexpected control character U+%04X", c);
    else if (c == 0xfeff)
        LEX_ERROR(l, start, "unexpected byte order mark");
    else
        LEX_ERROR(l, start, "unexpected character '%.*s'", (int)(next - start), start);
}

struct wgsl_tokens wgsl_lex(const struct wgsl_text *text, struct wgsl_heap *heap,
                            struct wgsl_diagnostics *diagnostics) {
    struct lexer l = {.text = text, .heap = heap, .diagnostics = diagnostics};
    l.p = l.known = text->text;
    l.end = text->text + text->length;
    const char *previous_end = NULL;
    for (;;) {
        skip_blank(&l);
        if (l.p >= l.end)
            break;
        uint32_t count = l.tokens.count;
        if (count && previous_end == l.p)
            l.tokens.items[count - 1].touches_next = true;
        lex_one(&l);
        previous_end = l.p;
    }
    push(&l, TK_EOF, l.p);
    wgsl_find_template_lists(&l.tokens, heap);
    return l.tokens;
}
