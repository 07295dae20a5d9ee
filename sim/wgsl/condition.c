/* Conditions of #if. */
#include "sim/wgsl/condition.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct condition {
    struct wgsl_macros *macros;
    const char *p, *end;
    uint32_t depth;
    bool malformed;
};

enum { CONDITION_DEPTH_LIMIT = 64 };

/* Binary operators, tightest first. */
static const struct {
    const char *text;
    int precedence;
} operators[] = {
    {"*", 10}, {"/", 10}, {"%", 10}, {"+", 9},  {"-", 9},  {"<<", 8},
    {">>", 8}, {"<=", 7}, {">=", 7}, {"==", 6}, {"!=", 6}, {"&&", 2},
    {"||", 1}, {"<", 7},  {">", 7},  {"&", 5},  {"^", 4},  {"|", 3},
};

static int64_t parse_binary(struct condition *c, int least);

static void skip_spaces(struct condition *c) {
    while (c->p < c->end && isspace((unsigned char)*c->p))
        c->p++;
}

static bool eat(struct condition *c, const char *text) {
    size_t length = strlen(text);
    skip_spaces(c);
    if ((size_t)(c->end - c->p) < length || memcmp(c->p, text, length) != 0)
        return false;
    c->p += length;
    return true;
}

/* defined: "defined" (NAME | "(" NAME ")") */
static int64_t parse_defined(struct condition *c) {
    bool parens = eat(c, "(");
    skip_spaces(c);
    size_t length = macro_word(c->p, c->end);
    bool found = length && macro_find(c->macros, c->p, length);
    c->p += length;
    if (!length || (parens && !eat(c, ")")))
        c->malformed = true;
    return found;
}

/* The value of a name: of its expansion, or 0. */
static int64_t name_value(struct condition *c, const char *name, size_t length) {
    if (length == 4 && memcmp(name, "true", 4) == 0)
        return 1;
    struct buf expanded = {0};
    int64_t value = 0;
    size_t used = macro_expand(c->macros, name, c->end, &expanded);
    if (used) {
        c->p = name + used;
        struct condition inner = {c->macros, expanded.data, expanded.data, c->depth + 1, false};
        inner.end += expanded.len;
        if (expanded.len && c->depth < CONDITION_DEPTH_LIMIT)
            value = parse_binary(&inner, 1);
        else
            value = 1; /* defined as nothing */
        c->malformed |= inner.malformed;
    }
    buf_release(&expanded);
    return value;
}

static int64_t parse_number(struct condition *c) {
    char *after;
    int64_t value = (int64_t)strtoull(c->p, &after, 0);
    c->p = after;
    while (c->p < c->end && *c->p && strchr("uUlLi", *c->p))
        c->p++;
    return value;
}

/* atom: NUMBER | NAME | defined | "(" binary ")" */
static int64_t parse_atom(struct condition *c) {
    skip_spaces(c);
    const char *name = c->p;
    size_t length = macro_word(c->p, c->end);
    if (length) {
        c->p += length;
        return length == 7 && memcmp(name, "defined", 7) == 0 ? parse_defined(c)
                                                              : name_value(c, name, length);
    }
    if (c->p < c->end && isdigit((unsigned char)*c->p))
        return parse_number(c);
    if (!eat(c, "(")) {
        c->malformed = true;
        return 0;
    }
    int64_t value = parse_binary(c, 1);
    c->malformed |= !eat(c, ")");
    return value;
}

/* primary: ("!" | "-" | "+" | "~") primary | atom */
static int64_t parse_primary(struct condition *c) {
    int64_t value;
    if (c->malformed || ++c->depth > CONDITION_DEPTH_LIMIT) {
        c->malformed = true;
        return 0;
    }
    if (eat(c, "!"))
        value = !parse_primary(c);
    else if (eat(c, "-"))
        value = (int64_t)(0 - (uint64_t)parse_primary(c));
    else if (eat(c, "+"))
        value = parse_primary(c);
    else if (eat(c, "~"))
        value = ~parse_primary(c);
    else
        value = parse_atom(c);
    c->depth--;
    return value;
}

static int64_t apply(struct condition *c, const char *op, int64_t a, int64_t b) {
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    if ((op[0] == '/' || op[0] == '%') && (b == 0 || (a == INT64_MIN && b == -1))) {
        c->malformed = true;
        return 0;
    }
    bool doubled = op[1] == op[0], with_equal = op[1] == '=';
    switch (op[0]) {
    case '*':
        return (int64_t)(ua * ub);
    case '/':
        return a / b;
    case '%':
        return a % b;
    case '+':
        return (int64_t)(ua + ub);
    case '-':
        return (int64_t)(ua - ub);
    case '<':
        return doubled ? (int64_t)(ua << (ub & 63)) : with_equal ? a <= b : a < b;
    case '>':
        return doubled ? a >> (ub & 63) : with_equal ? a >= b : a > b;
    case '=':
        return a == b;
    case '!':
        return a != b;
    case '&':
        return doubled ? a && b : a & b;
    case '|':
        return doubled ? a || b : a | b;
    default:
        return a ^ b;
    }
}

/* binary: primary (operator binary)*, operators of at least this precedence */
static int64_t parse_binary(struct condition *c, int least) {
    int64_t value = parse_primary(c);
    while (!c->malformed) {
        size_t i = 0, count = sizeof operators / sizeof operators[0];
        const char *start = c->p;
        while (i < count && !eat(c, operators[i].text))
            i++;
        if (i == count)
            break;
        if (operators[i].precedence < least) {
            c->p = start;
            break;
        }
        int64_t right = parse_binary(c, operators[i].precedence + 1);
        value = apply(c, operators[i].text, value, right);
    }
    return value;
}

int condition_holds(struct wgsl_macros *macros, const char *text, size_t length) {
    struct condition c = {macros, text, text + length, 0, false};
    int64_t value = parse_binary(&c, 1);
    skip_spaces(&c);
    return c.malformed || c.p != c.end ? -1 : value != 0;
}
