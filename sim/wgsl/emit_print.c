/* print() and debugPrintf() as calls of the engine's printf. */
#include "sim/wgsl/emit_impl.h"

#include <string.h>

/* What the C call is made of: its format, and ", " before each argument. */
struct printing {
    struct buf format, arguments;
};

/* The conversion of printf for a scalar: the one asked for if it suits the type. */
static char conversion(const struct wgsl_type *scalar, char wanted) {
    const char *possible = type_is_float(scalar)     ? "gfFeEG"
                           : scalar->kind == TY_U32  ? "uxXo"
                           : scalar->kind == TY_BOOL ? "s"
                                                     : "dxXo";
    return wanted && strchr(possible, wanted) ? wanted : possible[0];
}

static void print_scalar(struct printing *p, const struct wgsl_type *scalar, const char *c,
                         const char *flags, char wanted) {
    buf_printf(&p->format, "%%%s%c", flags, conversion(scalar, wanted));
    buf_printf(&p->arguments,
               scalar->kind == TY_BOOL ? ", %s ? \"true\" : \"false\""
               : type_is_float(scalar) ? ", (double)(%s)"
                                       : ", %s",
               c);
}

/* A vector is printed component by component, named by its type where print() does it. */
static void print_value(struct emit *e, struct printing *p, const struct wgsl_expr *expr,
                        struct emit_text value, const char *flags, char wanted) {
    const struct wgsl_type *type = expr->type, *scalar = type_scalar(type);
    if (type_is_scalar(type)) {
        print_scalar(p, scalar, value.c, flags, wanted);
        return;
    }
    if (type->kind != TY_VEC) {
        emit_unsupported(e, expr->span, "printing this type");
        return;
    }
    value.stable = false; /* it is used once for each component */
    value = emit_keep(e, type, value);
    buf_printf(&p->format, "%s(", wanted ? "" : type->name);
    for (uint32_t k = 0; k < type->rows; k++) {
        buf_puts(&p->format, k ? ", " : "");
        print_scalar(p, scalar, emit_format(e, "%s[%u]", value.c, k), flags, wanted);
    }
    buf_puts(&p->format, ")");
}

/* A format of debugPrintf: %d, %8.3f, %x and, for a vector, %v3f take the next argument, which is
 * printed by its own type. Returns the number of arguments used, the format's among them. */
static uint32_t print_formatted(struct emit *e, struct printing *p, const struct wgsl_expr *expr,
                                const struct emit_text *args) {
    const char *text = expr->args[0]->text;
    uint32_t next = 1;
    while (*text) {
        size_t plain = strcspn(text, "%");
        buf_puts(&p->format, emit_escaped(e, text, plain));
        text += plain;
        size_t flags = *text ? strspn(text + 1, "-+ #0123456789.") : 0;
        const char *kind = *text ? text + 1 + flags : text;
        kind += *kind == 'v' && kind[1] >= '2' && kind[1] <= '4' ? 2 : 0;
        if (!*kind) {
            break;
        }
        if (*kind == '%' || next == expr->arg_count) {
            buf_puts(&p->format, "%%");
        } else {
            print_value(e, p, expr->args[next], args[next],
                        emit_format(e, "%.*s", (int)flags, text + 1), *kind);
            next++;
        }
        text = kind + 1;
    }
    return next;
}

struct emit_text emit_print(struct emit *e, const struct wgsl_expr *expr,
                            const struct emit_text *args) {
    struct printing p = {{0}, {0}};
    uint32_t first = 0;
    e->prints = true;
    if (expr->builtin == BI_debugPrintf && expr->arg_count && expr->args[0]->text) {
        first = print_formatted(e, &p, expr, args);
    }
    for (uint32_t k = first; k < expr->arg_count; k++) {
        buf_puts(&p.format, k ? " " : "");
        if (expr->args[k]->text) {
            buf_puts(&p.format, "%s");
            buf_printf(&p.arguments, ", %s", args[k].c);
        } else {
            print_value(e, &p, expr->args[k], args[k], "", '\0');
        }
    }
    uint32_t site = emit_site(e, expr->span, (struct emit_site_info){.op = "WG_OP_PRINT"});
    const char *c =
        emit_format(e, "wg->ctx->ops->print(wg_caller_(wg), %u, \"%s\"%s)", site,
                    p.format.data ? p.format.data : "", p.arguments.data ? p.arguments.data : "");
    e->failed |= p.format.failed || p.arguments.failed;
    buf_release(&p.format);
    buf_release(&p.arguments);
    return (struct emit_text){c, LEVEL_PRIMARY, false};
}
