/* C names for the names of a shader: the same where C and the runtime headers allow it. */
#include "sim/wgsl/emit_impl.h"

#include <ctype.h>
#include <string.h>

/* A name that is taken. */
struct emit_name {
    struct emit_name *next;
    const char *name;
};

/* Words of C that WGSL lets one use, macros of the compiler, functions that it knows. */
static const char *const taken_words[] = {
    "abs",      "acos",   "acosh",   "asin",   "asinh",    "asm",     "atan",     "atan2",
    "atanh",    "auto",   "bcmp",    "bool",   "break",    "calloc",  "case",     "ceil",
    "char",     "cimag",  "conj",    "const",  "continue", "cos",     "cosh",     "default",
    "div",      "do",     "double",  "else",   "enum",     "exit",    "exp",      "exp2",
    "extern",   "false",  "fdim",    "ffs",    "float",    "floor",   "fma",      "fmax",
    "fmin",     "fmod",   "for",     "free",   "frexp",    "gamma",   "goto",     "hypot",
    "if",       "index",  "inline",  "int",    "isalpha",  "isdigit", "j0",       "j1",
    "jn",       "labs",   "ldexp",   "lgamma", "linux",    "log",     "log10",    "log2",
    "logb",     "long",   "lrint",   "lround", "main",     "malloc",  "memcmp",   "memcpy",
    "memset",   "modf",   "nan",     "pow",    "printf",   "puts",    "register", "remainder",
    "restrict", "return", "rindex",  "rint",   "round",    "scalb",   "short",    "signbit",
    "signed",   "sin",    "sincos",  "sinh",   "sizeof",   "sqrt",    "static",   "strlen",
    "struct",   "switch", "tan",     "tanh",   "tgamma",   "toascii", "tolower",  "toupper",
    "true",     "trunc",  "typedef", "typeof", "union",    "unix",    "unsigned", "void",
    "volatile", "while",  "y0",      "y1",     "yn",
};

static const char *const taken_prefixes[] = {
    "wg_",  "WG_",   "wgsl_", "WGSL_",  "wgsim_",   "INT",      "UINT",  "int",
    "uint", "_",     "f32",   "f16",    "i32",      "u32",      "bool_", "vec",
    "mat",  "array", "modf_", "frexp_", "privates", "continue",
};

/* t1, t2, ... and table1, ...: temporaries and constants. */
static bool is_numbered(const char *name) {
    size_t letters = strncmp(name, "table", 5) == 0 ? 5 : name[0] == 't';
    return letters && name[letters] &&
           strspn(name + letters, "0123456789") == strlen(name + letters);
}

static bool is_taken(const char *name) {
    for (size_t k = 0; k < sizeof taken_words / sizeof *taken_words; k++) {
        if (strcmp(name, taken_words[k]) == 0) {
            return true;
        }
    }
    for (size_t k = 0; k < sizeof taken_prefixes / sizeof *taken_prefixes; k++) {
        if (strncmp(name, taken_prefixes[k], strlen(taken_prefixes[k])) == 0) {
            return true;
        }
    }
    return is_numbered(name);
}

static bool is_in(const struct emit_name *names, const char *name) {
    for (; names; names = names->next) {
        if (strcmp(names->name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Letters beyond ASCII as u and their bytes in hexadecimal. */
static const char *ascii(struct emit *e, const char *name) {
    const char *text = "";
    for (const char *c = name; *c; c++) {
        text = (unsigned char)*c < 128 ? emit_format(e, "%s%c", text, *c)
                                       : emit_format(e, "%su%02x", text, (unsigned char)*c);
    }
    return text;
}

static bool is_ascii(const char *name) {
    for (; *name; name++) {
        if ((unsigned char)*name >= 128) {
            return false;
        }
    }
    return true;
}

static const char *add_name(struct emit *e, struct emit_name **names, const char *wanted) {
    const char *base = is_ascii(wanted) ? wanted : ascii(e, wanted);
    const char *name = is_taken(base) ? emit_format(e, "my_%s", base) : base;
    for (unsigned n = 2; is_in(e->names, name) || is_in(e->local_names, name); n++) {
        name = emit_format(e, "%s%s_%u", is_taken(base) ? "my_" : "", base, n);
    }
    struct emit_name *added = arena_alloc(&e->arena, sizeof *added);
    if (!added) {
        e->failed = true;
        return name;
    }
    *added = (struct emit_name){.next = *names, .name = name};
    *names = added;
    return name;
}

const char *emit_global_name(struct emit *e, const char *name) {
    return add_name(e, &e->names, name);
}

const char *emit_local_name(struct emit *e, const char *name) {
    return add_name(e, &e->local_names, name);
}

const char *emit_member_name(struct emit *e, const char *name) {
    const char *base = is_ascii(name) ? name : ascii(e, name);
    return is_taken(base) ? emit_format(e, "my_%s", base) : base;
}
