/* The tree of a shader: made by the parser, completed in place by the resolver. */
#ifndef WGSIM_WGSL_AST_H
#define WGSIM_WGSL_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/wgsl/builtin.h"
#include "sim/wgsl/diagnostic.h"
#include "sim/wgsl/source.h"
#include "sim/wgsl/type.h"
#include "sim/wgsl/value.h"

struct wgsl_block;
struct wgsl_function;
struct wgsl_heap;
struct wgsl_decl;

enum wgsl_op {
    OP_NONE,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_MOD,
    OP_AND,
    OP_OR,
    OP_XOR,
    OP_SHL,
    OP_SHR,
    OP_LOGICAL_AND,
    OP_LOGICAL_OR,
    OP_EQ,
    OP_NE,
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
    OP_NEG,
    OP_NOT,
    OP_COMPLEMENT,
};

/* When the value of an expression is known. */
enum wgsl_stage { STAGE_CONST, STAGE_OVERRIDE, STAGE_RUNTIME };

enum wgsl_expr_kind {
    /* made by the parser, gone after the resolver */
    EX_IDENT, /* name, template arguments in args if has_template */
    EX_CALL,  /* lhs: the EX_IDENT that is called; args */

    /* in the checked tree */
    EX_LITERAL,  /* value */
    EX_VARIABLE, /* variable; a reference when it names memory, else the value */
    EX_LOAD,     /* lhs: a reference; the value in memory now (made by the resolver) */
    EX_MEMBER,   /* lhs: a struct, or reference or pointer to one; member */
    EX_SWIZZLE,  /* lhs: a vector, or reference or pointer to one; swizzle, swizzle_count.
                    One component of a reference is a reference, several are a value. */
    EX_INDEX,    /* lhs: array, matrix or vector, or reference or pointer to one; rhs: index */
    EX_UNARY,    /* op lhs */
    EX_BINARY,   /* lhs op rhs */
    EX_ADDRESS,  /* &lhs */
    EX_DEREF,    /* *lhs */
    EX_USER,     /* function(args) */
    EX_BUILTIN,  /* builtin(args) */
    EX_CONSTRUCT /* type(args), how: see construct */
};

enum wgsl_construct {
    CONSTRUCT_ZERO,       /* T(): no arguments */
    CONSTRUCT_CONVERT,    /* one argument of the same shape: converts each scalar, or copies */
    CONSTRUCT_SPLAT,      /* vec(scalar) */
    CONSTRUCT_COMPONENTS, /* all scalars of all arguments in order: vectors, matrices from columns
                             or scalars, arrays and structs from their parts */
};

/* A checked expression. After the resolver each argument has just the type that its place
 * demands: EX_LOAD stands where a reference is read, and abstract numbers are converted (only
 * constants are abstract, so a conversion shows in type and value alone; below a node that has a
 * value, types may still be abstract). Whoever finds value set need not look at the operands.
 * An index or member of a pointer stands for one of what it points at, and is a reference. */
struct wgsl_expr {
    enum wgsl_expr_kind kind;
    struct wgsl_span span; /* from its first character */
    const struct wgsl_type *type;
    enum wgsl_stage stage;
    const struct wgsl_value *value; /* known at shader creation, else NULL; has the same type */
    uint32_t depth;                 /* levels of operands below, bounded */

    enum wgsl_op op;
    struct wgsl_span op_span; /* of the operator, name after a dot, or called name */
    struct wgsl_expr *lhs, *rhs;
    struct wgsl_expr **args;
    uint32_t arg_count;

    const char *name; /* EX_IDENT; of EX_MEMBER and EX_SWIZZLE what stands after the dot */
    bool has_template;
    bool parenthesised;
    bool is_waited_on; /* EX_BUILTIN: an atomic on which a loop waits; set by the emitter */
    bool adds_float;   /* EX_BUILTIN: an exchange that puts back a sum; set by the emitter */

    struct wgsl_variable *variable;   /* EX_VARIABLE */
    struct wgsl_variable *root;       /* of references and pointers: the variable or parameter
                                               that the memory belongs to */
    const struct wgsl_member *member; /* EX_MEMBER */
    uint8_t swizzle[4];               /* component numbers */
    uint8_t swizzle_count;
    struct wgsl_function *function; /* EX_USER */
    enum wgsl_builtin builtin;      /* EX_BUILTIN; bitcast's T is the expression's type */
    enum wgsl_construct construct;  /* EX_CONSTRUCT */
    enum wgsl_severity severity;    /* EX_BUILTIN: how bad a call in non-uniform control flow
                                       is here, all diagnostic filters applied */
    const char *text;               /* EX_LITERAL that is a string (print), else NULL */
};

enum wgsl_stmt_kind {
    ST_BLOCK,     /* block */
    ST_DECLARE,   /* variable */
    ST_ASSIGN,    /* lhs = rhs */
    ST_COMPOUND,  /* lhs op= rhs; operand types as in binary (lhs loaded) op rhs */
    ST_INCREMENT, /* lhs++ (op OP_ADD) or lhs-- (OP_SUB) */
    ST_PHONY,     /* _ = rhs */
    ST_CALL,      /* rhs: EX_USER or EX_BUILTIN, result dropped */
    ST_IF,        /* condition, body, else_ (NULL, ST_IF or ST_BLOCK) */
    ST_SWITCH,    /* condition: selector; cases */
    ST_LOOP,      /* body, continuing (or NULL), break_if (or NULL; part of continuing) */
    ST_FOR,       /* init, condition (each or NULL), update, body */
    ST_WHILE,     /* condition, body */
    ST_BREAK,
    ST_CONTINUE,
    ST_RETURN, /* rhs or NULL */
    ST_DISCARD,
    ST_CONST_ASSERT, /* condition; checked, nothing to run */
};

/* What statements do to control flow: the spec's "behaviours". */
enum wgsl_behaviour { BEHAVE_NEXT = 1, BEHAVE_BREAK = 2, BEHAVE_CONTINUE = 4, BEHAVE_RETURN = 8 };

/* One @diagnostic attribute or diagnostic directive. */
struct wgsl_filter {
    struct wgsl_filter *next;
    enum wgsl_severity severity;
    const char *rule; /* "derivative_uniformity", "chromium.thing", ... */
    struct wgsl_span span;
};

/* An attribute as parsed; the resolver turns it into fields of its owner. */
struct wgsl_attribute {
    struct wgsl_attribute *next;
    const char *name;
    struct wgsl_span span;
    struct wgsl_expr **args;
    uint32_t arg_count;
    bool has_parens;
    struct wgsl_filter *filter; /* of @diagnostic */
};

struct wgsl_case {
    struct wgsl_span span;
    struct wgsl_expr **selectors; /* NULL entry: default */
    uint32_t selector_count;
    struct wgsl_block *body;
};

struct wgsl_stmt {
    enum wgsl_stmt_kind kind;
    struct wgsl_span span;
    struct wgsl_stmt *next; /* in its block */
    unsigned behaviours;    /* of enum wgsl_behaviour */

    enum wgsl_op op;
    struct wgsl_expr *lhs, *rhs;
    struct wgsl_expr *condition;
    struct wgsl_block *block; /* ST_BLOCK */
    struct wgsl_block *body;
    struct wgsl_block *continuing;
    struct wgsl_expr *break_if;
    struct wgsl_stmt *else_;
    struct wgsl_stmt *init, *update;
    struct wgsl_case *cases;
    uint32_t case_count;
    struct wgsl_variable *variable;
    struct wgsl_attribute *attributes;
    struct wgsl_attribute *body_attributes; /* of the cases' braces: ST_SWITCH only */
};

struct wgsl_block {
    struct wgsl_span span; /* of '{' */
    struct wgsl_span end;  /* of '}' */
    struct wgsl_stmt *first;
    struct wgsl_attribute *attributes;
};

enum wgsl_variable_kind { VAR_VAR, VAR_LET, VAR_CONST, VAR_OVERRIDE, VAR_PARAM };

/* Anything that a name can stand for and that has a value or memory. */
struct wgsl_variable {
    enum wgsl_variable_kind kind;
    const char *name;
    struct wgsl_span span;        /* of the name */
    const struct wgsl_type *type; /* store type of VAR_VAR, else type of the value */
    enum wgsl_space space;        /* VAR_VAR */
    enum wgsl_access access;      /* VAR_VAR */
    bool is_global;
    uint32_t index; /* globals: in module.globals; locals and parameters: unique in the function */

    struct wgsl_expr *type_expr;    /* as written, or NULL */
    struct wgsl_expr *init;         /* or NULL */
    const struct wgsl_value *value; /* VAR_CONST */

    bool has_binding;
    uint32_t group, binding;

    uint32_t override_index; /* VAR_OVERRIDE: in module.overrides */
    bool has_id;
    uint32_t id;

    struct wgsl_io io;  /* VAR_PARAM of an entry point */
    bool written;       /* some statement or call may store to it */
    bool address_taken; /* of it, or of a part */
    bool feeds_index;   /* an index is made of it; set by the emitter, for locals and parameters */
    bool wraps;         /* and so is this: it may have wrapped around 2^32 */

    struct wgsl_attribute *attributes;
    struct wgsl_expr **template_args; /* var<space, access> as parsed */
    uint32_t template_count;
    bool has_template;
    struct wgsl_variable *root; /* VAR_LET of pointer type: whose memory it points into */
};

enum wgsl_shader_stage { SHADER_NONE, SHADER_VERTEX, SHADER_FRAGMENT, SHADER_COMPUTE };

struct wgsl_function {
    const char *name;
    struct wgsl_span span; /* of the name */
    struct wgsl_variable **params;
    uint32_t param_count;
    const struct wgsl_type *result; /* TY_VOID if none */
    struct wgsl_io result_io;
    struct wgsl_block *body;

    enum wgsl_shader_stage stage;        /* of an entry point */
    struct wgsl_expr *workgroup_size[3]; /* NULL: 1; i32 or u32, const or override */
    bool must_use;
    bool makes_index; /* an index is made of its result; set by the emitter */
    bool wraps;       /* and so is this: the result may have wrapped around 2^32 */
    uint32_t index;   /* in module.functions */

    struct wgsl_variable **locals; /* all variables declared in the body, in order */
    uint32_t local_count;
    struct wgsl_function **callees; /* called directly, each once */
    uint32_t callee_count;
    struct wgsl_variable **globals; /* VAR_VAR and VAR_OVERRIDE used here or in callees, each once,
                                       in order of module.globals */
    uint32_t global_count;

    struct wgsl_attribute *attributes;
    struct wgsl_attribute *result_attributes;
    struct wgsl_expr *result_expr;
    struct wgsl_filter *filters; /* of its @diagnostic attributes */
};

enum wgsl_extension {
    EXT_F16 = 1 << 0,
    EXT_SUBGROUPS = 1 << 1,
    EXT_CLIP_DISTANCES = 1 << 2,
    EXT_DUAL_SOURCE_BLENDING = 1 << 3,
    EXT_PRIMITIVE_INDEX = 1 << 4,
    EXT_PRINT = 1 << 5,
};

struct wgsl_module {
    struct arena arena;       /* owns everything below */
    struct wgsl_heap *heap;   /* what types are made from */
    struct wgsl_types *types; /* more types can be made as long as the module lives */
    struct wgsl_file *files;
    uint32_t file_count;

    const char *text; /* what the preprocessor made of the shader */

    unsigned extensions;         /* enabled: of enum wgsl_extension */
    struct wgsl_filter *filters; /* diagnostic directives */

    struct wgsl_variable **globals; /* var, const and override, each after what it needs */
    uint32_t global_count;
    struct wgsl_variable **overrides;
    uint32_t override_count;
    struct wgsl_function **functions; /* callees before callers */
    uint32_t function_count;
    const struct wgsl_type **structs; /* declared ones, members' before their users */
    uint32_t struct_count;

    struct wgsl_decl *decls; /* as written; for the front end alone */
};

const char *op_name(enum wgsl_op op);

#endif
