/* C names for the names of a shader: the same where C and the runtime headers allow it. */
#include "sim/wgsl/emit_impl.h"

#include <ctype.h>
#include <string.h>

/* A name that is taken. */
struct emit_name {
    struct emit_name *next;
    const char *name;
};

/* Words of C and macros of the compiler. */
static const char *const taken_words[] = {
    "asm",      "auto",    "bool",     "break",    "case",     "char",    "const",
    "continue", "default", "do",       "double",   "else",     "enum",    "extern",
    "false",    "float",   "for",      "goto",     "if",       "inline",  "int",
    "linux",    "long",    "register", "restrict", "return",   "short",   "signed",
    "sizeof",   "static",  "struct",   "switch",   "true",     "typedef", "typeof",
    "union",    "unix",    "unsigned", "void",     "volatile", "while"};

/* Functions that the compiler knows, main, and what the emitter calls its own. */
static const char *const taken_functions[] = {"entries",   "initial_privates",
                                              "own",       "own_privates",
                                              "sites",     "vars",
                                              "wg",        "abs",
                                              "acos",      "acosh",
                                              "asin",      "asinh",
                                              "atan",      "atan2",
                                              "atanh",     "bcmp",
                                              "calloc",    "ceil",
                                              "cimag",     "conj",
                                              "cos",       "cosh",
                                              "div",       "exit",
                                              "exp",       "exp2",
                                              "fdim",      "ffs",
                                              "floor",     "fma",
                                              "fmax",      "fmin",
                                              "fmod",      "free",
                                              "frexp",     "gamma",
                                              "hypot",     "index",
                                              "isalpha",   "isdigit",
                                              "j0",        "j1",
                                              "jn",        "labs",
                                              "ldexp",     "lgamma",
                                              "log",       "log10",
                                              "log2",      "logb",
                                              "lrint",     "lround",
                                              "main",      "malloc",
                                              "memcmp",    "memcpy",
                                              "memset",    "modf",
                                              "nan",       "pow",
                                              "printf",    "puts",
                                              "remainder", "rindex",
                                              "rint",      "round",
                                              "scalb",     "signbit",
                                              "sin",       "sincos",
                                              "sinh",      "sqrt",
                                              "strlen",    "tan",
                                              "tanh",      "tgamma",
                                              "toascii",   "tolower",
                                              "toupper",   "trunc",
                                              "y0",        "y1",
                                              "yn"};

/* What the headers define macros for. */
static const char *const taken_macros[] = {"wg_", "WG_",  "WGSL_", "WGSIM_",
                                           "INT", "UINT", "SIZE_", "_"};

/* What else they declare, and the emitter. */
static const char *const taken_prefixes[] = {
    "wgsl_", "wgsim_", "int", "uint",  "f32",   "f16",    "i32",      "u32",
    "bool_", "vec",    "mat", "array", "modf_", "frexp_", "privates", "continue",
};

static bool is_listed(const char *name, const char *const *words, size_t count) {
    for (size_t k = 0; k < count; k++) {
        if (strcmp(name, words[k]) == 0) {
            return true;
        }
    }
    return false;
}

static bool begins_as_listed(const char *name, const char *const *prefixes, size_t count) {
    for (size_t k = 0; k < count; k++) {
        if (strncmp(name, prefixes[k], strlen(prefixes[k])) == 0) {
            return true;
        }
    }
    return false;
}

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Not even the name of a member may be one of these. */
static bool is_reserved(const char *name) {
    return is_listed(name, taken_words, COUNT(taken_words)) ||
           begins_as_listed(name, taken_macros, COUNT(taken_macros));
}

/* t1, t2, ... and table1, ...: temporaries and constants. */
static bool is_numbered(const char *name) {
    size_t letters = strncmp(name, "table", 5) == 0 ? 5 : name[0] == 't';
    return letters && name[letters] &&
           strspn(name + letters, "0123456789") == strlen(name + letters);
}

static bool is_taken(const char *name) {
    return is_reserved(name) || is_listed(name, taken_functions, COUNT(taken_functions)) ||
           begins_as_listed(name, taken_prefixes, COUNT(taken_prefixes)) || is_numbered(name);
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
    return is_reserved(base) ? emit_format(e, "my_%s", base) : base;
}
