/* The resolver: names, types, constants and checks. */
#ifndef WGSIM_WGSL_RESOLVE_H
#define WGSIM_WGSL_RESOLVE_H

#include "sim/wgsl/decl.h"
#include "sim/wgsl/eval.h"
#include "sim/wgsl/front.h"

/* A local name in scope. */
struct wgsl_local {
    const char *name;
    struct wgsl_variable *variable;
    uint32_t level; /* of its scope */
};

/* What break and continue refer to at some point of a function. */
struct wgsl_jumps {
    bool in_loop, in_switch;
    bool leaves_continuing;   /* a break here would leave a continuing block */
    bool in_continuing;       /* of a loop, and not within a loop inside of that */
    bool no_return;           /* in a continuing block, however deep */
    uint32_t continue_locals; /* locals that the innermost loop's first 'continue' sees, so far */
    struct wgsl_span continue_span;
};

struct wgsl_resolver {
    struct wgsl_module *module;
    struct wgsl_types *types;
    struct wgsl_heap *heap;
    struct wgsl_diagnostics *diagnostics;
    enum wgsl_dialect dialect;
    struct wgsl_eval eval;
    struct wgsl_names names;

    struct wgsl_function *function;         /* being resolved, or NULL */
    const struct wgsl_function **last_user; /* of each global, by index */
    struct wgsl_local *locals;
    uint32_t local_count;
    uint32_t level;
    uint32_t next_index; /* for locals and parameters */
    struct wgsl_jumps jumps;
    uint32_t bypass_from, bypass_to; /* locals that a 'continue' may have jumped over: not usable */
    struct wgsl_span bypass_span;    /* that 'continue' */
    const struct wgsl_filter *filters; /* in force, innermost first */
    uint32_t skipped; /* > 0: inside an operand that a constant || or && leaves unevaluated */
};

/* Resolves a parsed module; errors are in diagnostics. */
void wgsl_resolve(struct wgsl_module *module, struct wgsl_heap *heap,
                  const struct wgsl_options *options, struct wgsl_diagnostics *diagnostics);

/* -- for the resolver's own files -- */

/* Reports and returns the diagnostic, for a note. */
#define RESOLVE_ERROR(r, span, ...) wgsl_diagnose((r)->diagnostics, WGSL_ERROR, (span), __VA_ARGS__)

/* How bad it is to use what naga accepts beyond the standard. */
enum wgsl_severity resolve_beyond_standard(const struct wgsl_resolver *r);

/* What a name means. */
enum wgsl_entity_kind { ENTITY_NONE, ENTITY_VARIABLE, ENTITY_DECL };
struct wgsl_entity {
    enum wgsl_entity_kind kind;
    struct wgsl_variable *variable; /* local, parameter or module-scope */
    struct wgsl_decl *decl;         /* function, struct or alias */
};
struct wgsl_entity resolve_name(const struct wgsl_resolver *r, const char *name);

/* All of these return false or NULL after reporting an error, or silently when what they are about
 * has been reported already. */

/* A value or a reference. */
bool resolve_expr(struct wgsl_resolver *r, struct wgsl_expr *e);
/* A value: references are loaded. */
bool resolve_value(struct wgsl_resolver *r, struct wgsl_expr **e);
/* A value that is then of this type; what: "the initializer". */
bool resolve_value_as(struct wgsl_resolver *r, struct wgsl_expr **e, const struct wgsl_type *type,
                      const char *what);
/* Turns a resolved expression that is a reference into its value. */
bool resolve_load(struct wgsl_resolver *r, struct wgsl_expr **e);
/* Converts a resolved value by itself. False without a report when the type does not convert, with
 * one when the number does not fit. */
bool resolve_convert(struct wgsl_resolver *r, struct wgsl_expr *e, const struct wgsl_type *type);
/* Abstract numbers to i32 and f32. */
bool resolve_concrete(struct wgsl_resolver *r, struct wgsl_expr *e);
/* A value known at shader creation: a constant integer. what: "@align". */
bool resolve_const_integer(struct wgsl_resolver *r, struct wgsl_expr **e, int64_t *value,
                           const char *what);
/* Checks the stage; what: "const initializer". */
bool resolve_stage(struct wgsl_resolver *r, const struct wgsl_expr *e, enum wgsl_stage latest,
                   const char *what);
bool resolve_member(struct wgsl_resolver *r, struct wgsl_expr *e);
bool resolve_index(struct wgsl_resolver *r, struct wgsl_expr *e);
bool resolve_address(struct wgsl_resolver *r, struct wgsl_expr *e);
bool resolve_deref(struct wgsl_resolver *r, struct wgsl_expr *e);
bool resolve_call(struct wgsl_resolver *r, struct wgsl_expr *e);
/* T(args) with args resolved to values. name: as written. */
bool resolve_construct(struct wgsl_resolver *r, struct wgsl_expr *e, const struct wgsl_type *type);
/* vec2(...), mat2x3(...) and array(...) without template arguments; false with *known false: the
 * name is none of these. */
bool resolve_inferred_construct(struct wgsl_resolver *r, struct wgsl_expr *e, bool *known);

const struct wgsl_type *resolve_type(struct wgsl_resolver *r, struct wgsl_expr *e);
/* Whether a name that nothing in the module declares is a predeclared type or a generator of types
 * ("vec2", "array"). */
bool resolve_is_type_name(const char *name);
bool resolve_is_enumerant(const char *name);
bool resolve_space(struct wgsl_resolver *r, const struct wgsl_expr *e, enum wgsl_space *space);
bool resolve_access(struct wgsl_resolver *r, const struct wgsl_expr *e, enum wgsl_access *access);
/* Whether memory of the space may be used with this mode; the mode that holds when none is given.
 */
enum wgsl_access resolve_default_access(enum wgsl_space space);
/* Type fit for memory in a space: host-shareable, with an allowed layout... */
bool resolve_check_store_type(struct wgsl_resolver *r, const struct wgsl_type *type,
                              enum wgsl_space space, struct wgsl_span span);

/* Each of these sets stmt->behaviours too: what the statement may do to control flow. */
void resolve_stmt(struct wgsl_resolver *r, struct wgsl_stmt *stmt);
void resolve_if(struct wgsl_resolver *r, struct wgsl_stmt *stmt);
void resolve_switch(struct wgsl_resolver *r, struct wgsl_stmt *stmt);
void resolve_loop(struct wgsl_resolver *r, struct wgsl_stmt *stmt);
void resolve_for(struct wgsl_resolver *r, struct wgsl_stmt *stmt);
void resolve_while(struct wgsl_resolver *r, struct wgsl_stmt *stmt);
void resolve_break(struct wgsl_resolver *r, struct wgsl_stmt *stmt);
void resolve_continue(struct wgsl_resolver *r, struct wgsl_stmt *stmt);
/* Behaviours of a list of statements, and of a block with its own scope and filters. */
unsigned resolve_statements(struct wgsl_resolver *r, struct wgsl_stmt *stmt);
unsigned resolve_block(struct wgsl_resolver *r, struct wgsl_block *block);
void resolve_body(struct wgsl_resolver *r, struct wgsl_function *f);

/* Returns what closing the scope needs. */
uint32_t resolve_open_scope(struct wgsl_resolver *r);
void resolve_close_scope(struct wgsl_resolver *r, uint32_t locals);
/* A local declared from here to the end of its scope. */
void resolve_declare_local(struct wgsl_resolver *r, struct wgsl_variable *v);
bool resolve_const_assert(struct wgsl_resolver *r, struct wgsl_expr **condition,
                          struct wgsl_span span);
void resolve_use_global(struct wgsl_resolver *r, struct wgsl_variable *v);

void resolve_struct(struct wgsl_resolver *r, struct wgsl_decl *decl);
void resolve_global_variable(struct wgsl_resolver *r, struct wgsl_variable *v);
void resolve_function(struct wgsl_resolver *r, struct wgsl_function *f);

/* -- attributes -- */

/* Where an attribute stands; bits. */
enum wgsl_place {
    PLACE_VAR = 1 << 0,
    PLACE_OVERRIDE = 1 << 1,
    PLACE_FUNCTION = 1 << 2,
    PLACE_PARAM = 1 << 3,
    PLACE_RESULT = 1 << 4,
    PLACE_MEMBER = 1 << 5,
    PLACE_STATEMENT = 1 << 6,
};

/* Reports attributes that may not stand there, or stand there twice. what: "a struct member". */
bool attributes_check(struct wgsl_resolver *r, const struct wgsl_attribute *list,
                      enum wgsl_place place, const char *what);
struct wgsl_attribute *attributes_find(struct wgsl_attribute *list, const char *name);
/* The input and output attributes of a list. */
bool attributes_io(struct wgsl_resolver *r, struct wgsl_attribute *list, struct wgsl_io *io);
/* A constant integer argument, from least on; false also when there is no such attribute. */
bool attributes_integer(struct wgsl_resolver *r, struct wgsl_attribute *list, const char *name,
                        int64_t least, int64_t *value);
/* Puts the @diagnostic attributes of a list into force; returns what was in force before. */
const struct wgsl_filter *attributes_push_filters(struct wgsl_resolver *r,
                                                  const struct wgsl_attribute *list);
/* The module's diagnostic directives, checked and put into force. */
void attributes_module_filters(struct wgsl_resolver *r);
enum wgsl_severity attributes_severity(const struct wgsl_resolver *r, enum wgsl_builtin builtin);

/* -- checks of the whole -- */

/* Whether an item with these attributes can have the type. */
bool wgsl_check_io_type(struct wgsl_resolver *r, const struct wgsl_io *io,
                        const struct wgsl_type *type);
/* Inputs and outputs of an entry point. */
void wgsl_check_io(struct wgsl_resolver *r, struct wgsl_function *f);
/* What stages allow, bindings, overrides' numbers. */
void wgsl_check_entry_points(struct wgsl_resolver *r);
/* That no memory is written through one name while another is in use. */
void wgsl_check_aliases(struct wgsl_resolver *r);

#endif
