/* What the parts of the emitter share.
 *
 * Expressions become C expressions; what must happen first (the accesses and calls before the last
 * one of a statement, in WGSL's order) is written as statements to emit.out before the text that
 * needs it is used. */
#ifndef WGSIM_WGSL_EMIT_IMPL_H
#define WGSIM_WGSL_EMIT_IMPL_H

#include "sim/arena.h"
#include "sim/buf.h"
#include "sim/wgsl/front.h"

/* How tightly a C expression binds, loosest first. */
enum emit_level {
    LEVEL_ASSIGN,
    LEVEL_LOGICAL_OR,
    LEVEL_LOGICAL_AND,
    LEVEL_OR,
    LEVEL_XOR,
    LEVEL_AND,
    LEVEL_EQUAL,
    LEVEL_ORDER,
    LEVEL_SHIFT,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_UNARY,
    LEVEL_PRIMARY,
};

/* A C expression. stable: it has the same value when it is evaluated later in the same statement.
 */
struct emit_text {
    const char *c;
    enum emit_level level;
    bool stable;
};

/* A place in memory that the simulator watches: constant + dynamic bytes into a variable, and index
 * strides more where an index spans the whole variable, which is then checked by the access itself.
 */
struct emit_place {
    const struct wgsl_variable *root; /* NULL: known only at run time */
    const char *var;                  /* C expression: the variable's number */
    const char *index;                /* C expression or NULL */
    const char *wanted;               /* C expression: whether what is there is used; NULL: yes */
    uint64_t stride;
    const struct wgsl_type *whole; /* the array that index goes into */
    struct wgsl_span index_span;
    const char *dynamic; /* C expression or NULL */
    uint64_t constant;
    uint32_t vector_bytes; /* of the vector that this is a component of, else 0 */
    bool stable;
};

struct emit_site_info {
    const char *op, *flags; /* names of kernel.h; flags may be NULL */
    const struct wgsl_variable *root;
    bool own; /* the root is of the invocation itself, not in memory that others see */
    enum wgsl_space space;
    enum wgsl_access access;
    uint32_t bytes;        /* of an access, else 0 */
    uint32_t vector_bytes; /* of the vector that is accessed in part, else 0 */
};

/* What a C name was declared for. */
enum emit_declared_kind { DECLARED_TYPE, DECLARED_LOAD, DECLARED_STORE, DECLARED_TABLE };

struct emit_loop;

/* A line of a source file. */
struct emit_near {
    uint32_t file, line;
    const char *text; /* NULL: there is no such line */
};

struct emit {
    struct wgsl_pipeline *pipeline;
    struct wgsl_module *module;
    struct arena arena;
    struct buf types;  /* declarations of types and the functions that load and store them */
    struct buf tables; /* constants */
    struct buf sites;
    struct buf code; /* functions */
    struct buf *out; /* where statements go */
    int indent;
    const char **locals;            /* C names by wgsl_variable.index */
    const char **exacts;            /* of the arrays beside them; see emit_carries */
    const char *result_both;        /* the array for the result of the function, or NULL */
    const char **globals;           /* the same */
    const char **functions;         /* C names by wgsl_function.index; NULL: not emitted yet */
    uint32_t *frames;               /* bytes of stack by wgsl_function.index */
    bool *function_marks;           /* whether a call of it is marked */
    struct emit_name *names;        /* in use in the file */
    struct emit_name *local_names;  /* in use in the function */
    struct emit_declared *declared; /* on first use */
    struct emit_loop *loop;         /* the innermost */
    uint32_t temporary_bytes;       /* of stack in the function */
    uint32_t temp_count, label_count, table_count, site_count, access_count;
    uint32_t exact_count;  /* operations that are done both ways, see emit_index.c */
    uint32_t advice_count; /* sites of arithmetic, at which nothing is logged */
    struct emit_near near; /* the line looked at last */
    bool keep_indices;     /* an index of a place is kept, since the place is used twice or later */
    const char *wanted;    /* C expression: whether the value is used, of an operand of select */
    const char
        *reach; /* what the place is for whose indices are emitted, an enum wg_op; NULL: a load */
    bool textures; /* some variable is a texture or sampler */
    bool prints;   /* some function calls print */
    bool failed;
    bool unsupported; /* and err says what */
    struct wgsim_error *err;
};

/* emit.c */
const char *emit_format(struct emit *e, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *emit_escaped(struct emit *e, const char *text, size_t length); /* inside a C string */
void emit_line(struct emit *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
void emit_unsupported(struct emit *e, struct wgsl_span span, const char *what);
/* Where the C name of something declared on first use is kept: NULL there until it has one. */
const char **emit_declared(struct emit *e, const void *key, enum emit_declared_kind kind);
bool emit_uses_privates(const struct wgsl_function *function);

/* emit_name.c: a C name like the given one that nothing else in the file or function has. */
const char *emit_global_name(struct emit *e, const char *name);
const char *emit_local_name(struct emit *e, const char *name);
const char *emit_member_name(struct emit *e, const char *name);

/* emit_type.c */
const char *emit_type(struct emit *e, const struct wgsl_type *type); /* declares it when needed */
/* The name that functions of wgsl_value.h have for a type: f16's are those of f32. */
const char *emit_family(struct emit *e, const struct wgsl_type *type);
uint32_t emit_stack_bytes(struct emit *e, const struct wgsl_type *type); /* as a C variable */
const char *emit_zero(struct emit *e, const struct wgsl_type *type);
struct emit_text emit_value(struct emit *e, const struct wgsl_value *value);
const char *emit_braces(struct emit *e, const struct wgsl_value *value); /* as an initialiser */
bool emit_is_half(const struct wgsl_type *type);

/* emit_expr.c */
struct emit_text emit_expr(struct emit *e, const struct wgsl_expr *expr);
/* A call of a function; both: where what its result would be goes, if it returns both. */
struct emit_text emit_call(struct emit *e, const struct wgsl_expr *expr, const char *both);
/* The same in parentheses if it binds less tightly than level. */
const char *emit_at(struct emit *e, const struct wgsl_expr *expr, enum emit_level level);
const char *emit_wrap(struct emit *e, struct emit_text text, enum emit_level level);
/* A vector, matrix, array or struct of its parts' texts. */
struct emit_text emit_components(struct emit *e, const struct wgsl_expr *expr,
                                 const struct emit_text *texts);
/* The text's value kept in a constant, unless it is stable already. */
struct emit_text emit_keep(struct emit *e, const struct wgsl_type *type, struct emit_text text);
void emit_add_temporary(struct emit *e, const struct wgsl_type *type); /* counts its stack */
const struct wgsl_value *emit_constant(struct emit *e, const struct wgsl_expr *expr); /* or NULL */
bool emit_has_effect(const struct wgsl_expr *expr);
bool emit_in_memory(const struct wgsl_expr *reference); /* in memory that the simulator watches */
/* A place in the invocation's own memory, and the value of what lies there. */
struct emit_text emit_local_place(struct emit *e, const struct wgsl_expr *reference);
struct emit_text emit_lane_value(struct emit *e, const struct wgsl_expr *expr,
                                 struct emit_text text);
bool emit_is_bool_lane(const struct wgsl_expr *expr); /* a component of a vector of bool */

/* emit_order.c */
/* Evaluates operands from left to right; earlier ones are kept in temporaries when later ones could
 * disturb them. */
void emit_operands(struct emit *e, struct wgsl_expr *const *operands, uint32_t count,
                   struct emit_text *texts);
/* Whether operand k has to be kept before the later ones are evaluated. */
bool emit_must_keep(struct wgsl_expr *const *operands, uint32_t count, uint32_t k);
bool emit_any_operand(const struct wgsl_expr *expr, bool (*is)(const struct wgsl_expr *));
/* A function of the shader, or a builtin that does more than compute or look something up. */
bool emit_is_call(const struct wgsl_expr *expr);
/* Whether it calls functions of the shader, which may change the invocation's own variables. */
bool emit_calls(const struct wgsl_expr *expr);
/* Whether a call may change its value, or another invocation meanwhile. */
bool emit_may_change(const struct wgsl_expr *expr);
bool emit_place_may_change(const struct wgsl_expr *reference); /* which element it is */
/* Whether the condition of a select() may be evaluated before its other operands. */
bool emit_condition_may_lead(const struct wgsl_expr *select);

/* emit_operator.c */

/* lhs op rhs, of texts. */
struct emit_operation {
    enum wgsl_op op;
    struct wgsl_span span;
    const struct wgsl_type *result, *lhs_type, *rhs_type;
    struct emit_text lhs, rhs;
    const struct wgsl_value *rhs_value; /* NULL: not a constant */
    bool quiet;                         /* wrapping is not worth a word */
};
struct emit_text emit_operation(struct emit *e, const struct emit_operation *operation);
/* Rounded to f16 if that is the type. */
struct emit_text emit_rounded(struct emit *e, const struct wgsl_type *type, struct emit_text text);
/* A scalar beside a vector stands for a vector of it. */
struct emit_text emit_splat(struct emit *e, struct emit_text text, const struct wgsl_type *type,
                            const struct wgsl_type *other);

/* emit_index.c */

/* What a value that was given a name, and keeps it, is computed from. */
struct wgsl_expr *emit_origin(struct wgsl_expr *expr);
/* Finds the variables, parameters and results that indices are made of and that may wrap. */
void emit_mark_indices(struct wgsl_module *module);
bool emit_index_wraps(const struct wgsl_expr *index); /* May it? */
/* Such an index, which says at run time that it wrapped where it lands inside `count` elements, a C
 * expression, of the variable with that number. site: of what is accessed. */
struct emit_text emit_wrapping_index(struct emit *e, const struct wgsl_expr *index, uint32_t site,
                                     const char *var, const char *count);
/* Whether a variable or a result carries what it would be if nothing wrapped: an array of struct
 * wgsl_exact, one for each scalar. */
bool emit_carries(const struct wgsl_variable *variable);
bool emit_returns_both(const struct wgsl_function *function);
/* A value, kept, and the name of such an array. */
struct emit_text emit_both(struct emit *e, const struct wgsl_expr *value, const char **both);
void emit_declare_both(struct emit *e, const struct wgsl_variable *variable);
/* An assignment to a variable that carries both, or to its part. False: this is none. */
bool emit_assign_both(struct emit *e, const struct wgsl_stmt *stmt);
/* Behind any other assignment to the invocation's own memory. */
void emit_assigned(struct emit *e, const struct wgsl_stmt *stmt);

/* emit_advice.c */

/* A sum of floats that gives advice at run time. False: this one does not. */
bool emit_sum(struct emit *e, const struct wgsl_expr *expr, struct emit_text *text);
/* Before a compare-exchange of the bits of a float, or an exchange that adds to some: that their
 * order is free. */
void emit_advise_exchange(struct emit *e, const struct wgsl_expr *call, bool result_used);

/* emit_builtin.c */
struct emit_text emit_builtin(struct emit *e, const struct wgsl_expr *expr, bool result_used);

/* emit_print.c */
struct emit_text emit_print(struct emit *e, const struct wgsl_expr *expr,
                            const struct emit_text *args);

/* emit_texture.c */
struct emit_text emit_texture(struct emit *e, const struct wgsl_expr *expr,
                              const struct emit_text *args);

/* emit_access.c */
uint32_t emit_site(struct emit *e, struct wgsl_span span, struct emit_site_info info);
/* The site as a C expression; none where the value is not used, see emit.wanted. */
const char *emit_site_if_wanted(struct emit *e, uint32_t site);
const char *emit_space(enum wgsl_space space, enum wgsl_access access);
/* What the place is for that is emitted next: an enum wg_op, NULL for a load. Returns what was set
 * before. */
const char *emit_reach(struct emit *e, const char *op);
struct emit_place emit_place(struct emit *e, const struct wgsl_expr *reference);
void emit_place_keep(struct emit *e, struct emit_place *place); /* makes it stable */
const char *emit_byte(struct emit *e, const struct emit_place *place);
struct emit_text emit_pointer(struct emit *e, const struct wgsl_expr *reference);
const char *emit_access_name(struct emit *e, const struct wgsl_type *type, bool store);
struct emit_text emit_load(struct emit *e, const struct wgsl_expr *reference);
struct emit_text emit_load_place(struct emit *e, const struct wgsl_expr *reference,
                                 const struct emit_place *place);
void emit_store(struct emit *e, const struct emit_place *place, const struct wgsl_expr *reference,
                const char *value);

/* emit_stmt.c */
void emit_block(struct emit *e, const struct wgsl_block *block);

#endif
