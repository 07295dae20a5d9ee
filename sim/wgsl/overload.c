/* Overload resolution by table. */
#include "sim/wgsl/overload.h"

#include <ctype.h>
#include <string.h>

/* A signature is "T:set U:set | param, param -> result". T and U stand for scalar types of a set.
 *   {T}         T or a vector of T; all braces of a signature have the same shape
 *   vecN<T>     a vector; N, C, R and K stand for numbers
 *   matCxR<T>   a matrix
 *   bool i32 u32 f32 f16 ai af (the abstract types)
 *   frexp{T} modf{T}   results of these
 */
struct signature {
    int what; /* enum wgsl_builtin or enum wgsl_op */
    const char *text;
};

#define NUM3(what)                                                                                 \
    {what, "T:num | {T}, {T} -> {T}"}, {what, "T:num | vecN<T>, T -> vecN<T>"}, {                  \
        what, "T:num | T, vecN<T> -> vecN<T>"                                                      \
    }

static const struct signature operators[] = {
    NUM3(OP_ADD),
    {OP_ADD, "T:float | matCxR<T>, matCxR<T> -> matCxR<T>"},
    NUM3(OP_SUB),
    {OP_SUB, "T:float | matCxR<T>, matCxR<T> -> matCxR<T>"},
    NUM3(OP_MUL),
    {OP_MUL, "T:float | matCxR<T>, T -> matCxR<T>"},
    {OP_MUL, "T:float | T, matCxR<T> -> matCxR<T>"},
    {OP_MUL, "T:float | matCxR<T>, vecC<T> -> vecR<T>"},
    {OP_MUL, "T:float | vecR<T>, matCxR<T> -> vecC<T>"},
    {OP_MUL, "T:float | matKxR<T>, matCxK<T> -> matCxR<T>"},
    NUM3(OP_DIV),
    NUM3(OP_MOD),
    {OP_AND, "T:bits | {T}, {T} -> {T}"},
    {OP_OR, "T:bits | {T}, {T} -> {T}"},
    {OP_XOR, "T:int | {T}, {T} -> {T}"},
    {OP_SHL, "T:int | {T}, {u32} -> {T}"},
    {OP_SHR, "T:int | {T}, {u32} -> {T}"},
    {OP_LOGICAL_AND, "bool, bool -> bool"},
    {OP_LOGICAL_OR, "bool, bool -> bool"},
    {OP_EQ, "T:scalar | {T}, {T} -> {bool}"},
    {OP_NE, "T:scalar | {T}, {T} -> {bool}"},
    {OP_LT, "T:num | {T}, {T} -> {bool}"},
    {OP_LE, "T:num | {T}, {T} -> {bool}"},
    {OP_GT, "T:num | {T}, {T} -> {bool}"},
    {OP_GE, "T:num | {T}, {T} -> {bool}"},
    {OP_NEG, "T:signed | {T} -> {T}"},
    {OP_NOT, "{bool} -> {bool}"},
    {OP_COMPLEMENT, "T:int | {T} -> {T}"},
};

#define FLOAT1(what)                                                                               \
    { what, "T:float | {T} -> {T}" }
#define FLOAT2(what)                                                                               \
    { what, "T:float | {T}, {T} -> {T}" }
#define NUM2(what)                                                                                 \
    { what, "T:num | {T}, {T} -> {T}" }
#define BITS1(what)                                                                                \
    { what, "T:iu | {T} -> {T}" }
#define VEC2(what)                                                                                 \
    { what, "T:float | vecN<T>, vecN<T> -> vecN<T>" }
#define DERIVATIVE1(what)                                                                          \
    { what, "{f32} -> {f32}" }
#define SUBGROUP1(what)                                                                            \
    { what, "T:concrete | {T} -> {T}" }
#define SUBGROUP2(what)                                                                            \
    { what, "T:concrete U:iu | {T}, U -> {T}" }

static const struct signature functions[] = {
    {BI_all, "bool -> bool"},
    {BI_all, "vecN<bool> -> bool"},
    {BI_any, "bool -> bool"},
    {BI_any, "vecN<bool> -> bool"},
    {BI_select, "T:scalar | {T}, {T}, bool -> {T}"},
    {BI_select, "T:scalar | vecN<T>, vecN<T>, vecN<bool> -> vecN<T>"},
    {BI_abs, "T:num | {T} -> {T}"},
    FLOAT1(BI_acos),
    FLOAT1(BI_acosh),
    FLOAT1(BI_asin),
    FLOAT1(BI_asinh),
    FLOAT1(BI_atan),
    FLOAT2(BI_atan2),
    FLOAT1(BI_atanh),
    FLOAT1(BI_ceil),
    {BI_clamp, "T:num | {T}, {T}, {T} -> {T}"},
    FLOAT1(BI_cos),
    FLOAT1(BI_cosh),
    BITS1(BI_countLeadingZeros),
    BITS1(BI_countOneBits),
    BITS1(BI_countTrailingZeros),
    {BI_cross, "T:float | vec3<T>, vec3<T> -> vec3<T>"},
    FLOAT1(BI_degrees),
    {BI_determinant, "T:float | matNxN<T> -> T"},
    {BI_distance, "T:float | {T}, {T} -> T"},
    {BI_dot, "T:num | vecN<T>, vecN<T> -> T"},
    {BI_dot4I8Packed, "u32, u32 -> i32"},
    {BI_dot4U8Packed, "u32, u32 -> u32"},
    FLOAT1(BI_exp),
    FLOAT1(BI_exp2),
    {BI_extractBits, "T:iu | {T}, u32, u32 -> {T}"},
    {BI_faceForward, "T:float | vecN<T>, vecN<T>, vecN<T> -> vecN<T>"},
    BITS1(BI_firstLeadingBit),
    BITS1(BI_firstTrailingBit),
    FLOAT1(BI_floor),
    {BI_fma, "T:float | {T}, {T}, {T} -> {T}"},
    FLOAT1(BI_fract),
    {BI_frexp, "T:float | {T} -> frexp{T}"},
    {BI_insertBits, "T:iu | {T}, {T}, u32, u32 -> {T}"},
    FLOAT1(BI_inverseSqrt),
    {BI_ldexp, "{af}, {ai} -> {af}"},
    {BI_ldexp, "T:float16_32 | {T}, {i32} -> {T}"},
    {BI_length, "T:float | {T} -> T"},
    FLOAT1(BI_log),
    FLOAT1(BI_log2),
    NUM2(BI_max),
    NUM2(BI_min),
    {BI_mix, "T:float | {T}, {T}, {T} -> {T}"},
    {BI_mix, "T:float | vecN<T>, vecN<T>, T -> vecN<T>"},
    {BI_modf, "T:float | {T} -> modf{T}"},
    {BI_normalize, "T:float | vecN<T> -> vecN<T>"},
    {BI_pack2x16float, "vec2<f32> -> u32"},
    {BI_pack2x16snorm, "vec2<f32> -> u32"},
    {BI_pack2x16unorm, "vec2<f32> -> u32"},
    {BI_pack4x8snorm, "vec4<f32> -> u32"},
    {BI_pack4x8unorm, "vec4<f32> -> u32"},
    {BI_pack4xI8, "vec4<i32> -> u32"},
    {BI_pack4xI8Clamp, "vec4<i32> -> u32"},
    {BI_pack4xU8, "vec4<u32> -> u32"},
    {BI_pack4xU8Clamp, "vec4<u32> -> u32"},
    FLOAT2(BI_pow),
    {BI_quantizeToF16, "{f32} -> {f32}"},
    FLOAT1(BI_radians),
    VEC2(BI_reflect),
    {BI_refract, "T:float | vecN<T>, vecN<T>, T -> vecN<T>"},
    BITS1(BI_reverseBits),
    FLOAT1(BI_round),
    FLOAT1(BI_saturate),
    {BI_sign, "T:signed | {T} -> {T}"},
    FLOAT1(BI_sin),
    FLOAT1(BI_sinh),
    {BI_smoothstep, "T:float | {T}, {T}, {T} -> {T}"},
    FLOAT1(BI_sqrt),
    FLOAT2(BI_step),
    FLOAT1(BI_tan),
    FLOAT1(BI_tanh),
    {BI_transpose, "T:float | matCxR<T> -> matRxC<T>"},
    FLOAT1(BI_trunc),
    {BI_unpack2x16float, "u32 -> vec2<f32>"},
    {BI_unpack2x16snorm, "u32 -> vec2<f32>"},
    {BI_unpack2x16unorm, "u32 -> vec2<f32>"},
    {BI_unpack4x8snorm, "u32 -> vec4<f32>"},
    {BI_unpack4x8unorm, "u32 -> vec4<f32>"},
    {BI_unpack4xI8, "u32 -> vec4<i32>"},
    {BI_unpack4xU8, "u32 -> vec4<u32>"},
    DERIVATIVE1(BI_dpdx),
    DERIVATIVE1(BI_dpdxCoarse),
    DERIVATIVE1(BI_dpdxFine),
    DERIVATIVE1(BI_dpdy),
    DERIVATIVE1(BI_dpdyCoarse),
    DERIVATIVE1(BI_dpdyFine),
    DERIVATIVE1(BI_fwidth),
    DERIVATIVE1(BI_fwidthCoarse),
    DERIVATIVE1(BI_fwidthFine),
    {BI_storageBarrier, " -> void"},
    {BI_textureBarrier, " -> void"},
    {BI_workgroupBarrier, " -> void"},
    SUBGROUP1(BI_subgroupAdd),
    SUBGROUP1(BI_subgroupExclusiveAdd),
    SUBGROUP1(BI_subgroupInclusiveAdd),
    {BI_subgroupAll, "bool -> bool"},
    {BI_subgroupAny, "bool -> bool"},
    BITS1(BI_subgroupAnd),
    BITS1(BI_subgroupOr),
    BITS1(BI_subgroupXor),
    {BI_subgroupBallot, "bool -> vec4<u32>"},
    SUBGROUP2(BI_subgroupBroadcast),
    SUBGROUP1(BI_subgroupBroadcastFirst),
    {BI_subgroupElect, " -> bool"},
    SUBGROUP1(BI_subgroupMax),
    SUBGROUP1(BI_subgroupMin),
    SUBGROUP1(BI_subgroupMul),
    SUBGROUP1(BI_subgroupExclusiveMul),
    SUBGROUP1(BI_subgroupInclusiveMul),
    SUBGROUP2(BI_subgroupShuffle),
    {BI_subgroupShuffleDown, "T:concrete | {T}, u32 -> {T}"},
    {BI_subgroupShuffleUp, "T:concrete | {T}, u32 -> {T}"},
    {BI_subgroupShuffleXor, "T:concrete | {T}, u32 -> {T}"},
    SUBGROUP2(BI_quadBroadcast),
    SUBGROUP1(BI_quadSwapDiagonal),
    SUBGROUP1(BI_quadSwapX),
    SUBGROUP1(BI_quadSwapY),
};

enum {
    AI = SCALAR_BIT(TY_ABSTRACT_INT),
    AF = SCALAR_BIT(TY_ABSTRACT_FLOAT),
    I32 = SCALAR_BIT(TY_I32),
    U32 = SCALAR_BIT(TY_U32),
    F32 = SCALAR_BIT(TY_F32),
    F16 = SCALAR_BIT(TY_F16),
    BOOL = SCALAR_BIT(TY_BOOL),
};

static const struct {
    const char *name;
    unsigned bits;
} sets[] = {
    {"num", AI | AF | I32 | U32 | F32 | F16},
    {"scalar", AI | AF | I32 | U32 | F32 | F16 | BOOL},
    {"float", AF | F32 | F16},
    {"float16_32", F32 | F16},
    {"int", AI | I32 | U32},
    {"iu", I32 | U32},
    {"bits", AI | I32 | U32 | BOOL},
    {"signed", AI | AF | I32 | F32 | F16},
    {"concrete", I32 | U32 | F32 | F16},
};

static const struct {
    const char *name;
    enum wgsl_type_kind kind;
} fixed[] = {
    {"bool", TY_BOOL}, {"i32", TY_I32},         {"u32", TY_U32},           {"f32", TY_F32},
    {"f16", TY_F16},   {"ai", TY_ABSTRACT_INT}, {"af", TY_ABSTRACT_FLOAT},
};

/* What the variables of a signature stand for. */
struct bindings {
    const struct wgsl_candidates *use;
    struct {
        unsigned allowed; /* 0: the signature has no such variable */
        const struct wgsl_type *scalars[OVERLOAD_ARGUMENTS];
        uint32_t count;
        const struct wgsl_type *type;
    } scalar[2];          /* T and U */
    uint32_t numbers[26]; /* N, C, R, K by letter; 0: not bound */
    uint32_t shape;       /* of braces: 0 not bound, 1 scalar, else components */
};

/* Order of preference: the conversion of least rank comes first. */
static const enum wgsl_type_kind preference[] = {
    TY_ABSTRACT_INT, TY_I32, TY_U32, TY_ABSTRACT_FLOAT, TY_F32, TY_F16, TY_BOOL,
};

const struct wgsl_type *overload_common(struct wgsl_types *types,
                                        const struct wgsl_type *const *scalars, uint32_t count,
                                        unsigned allowed, bool constant) {
    if (!constant)
        allowed &= ~(unsigned)(AI | AF);
    for (size_t i = 0; i < sizeof preference / sizeof preference[0]; i++) {
        if (!(allowed & SCALAR_BIT(preference[i])))
            continue;
        const struct wgsl_type *type = type_basic(types, preference[i]);
        uint32_t n = 0;
        while (n < count && type_conversion_rank(scalars[n], type) >= 0)
            n++;
        if (n == count)
            return type;
    }
    return NULL;
}

static const char *skip(const char *p) {
    while (*p == ' ' || *p == ',')
        p++;
    return p;
}

/* "T:set U:set |" at the beginning, if there is one. */
static const char *read_variables(const char *p, struct bindings *b) {
    if (!strchr(p, '|'))
        return p;
    for (p = skip(p); *p != '|'; p = skip(p)) {
        int variable = *p == 'U';
        size_t length = strcspn(p += 2, " |");
        for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
            if (strlen(sets[i].name) == length && memcmp(sets[i].name, p, length) == 0)
                b->scalar[variable].allowed = sets[i].bits;
        p += length;
    }
    return p + 1;
}

static size_t word_length(const char *p) {
    size_t length = 0;
    while (isalnum((unsigned char)p[length]))
        length++;
    return length;
}

static const struct wgsl_type *find_fixed(const struct bindings *b, const char *p, size_t length) {
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        if (strlen(fixed[i].name) == length && memcmp(fixed[i].name, p, length) == 0)
            return type_basic(b->use->types, fixed[i].kind);
    return NULL;
}

/* Takes a scalar argument for the scalar term at p; p is left behind the term. */
static bool take_scalar(struct bindings *b, const char **p, const struct wgsl_type *arg) {
    size_t length = word_length(*p);
    const char *term = *p;
    *p += length;
    if (length == 1) {
        int v = term[0] == 'U';
        b->scalar[v].scalars[b->scalar[v].count++] = arg;
        return type_is_scalar(arg);
    }
    const struct wgsl_type *type = find_fixed(b, term, length);
    if (type_is_abstract(type) && !b->use->constant)
        return false;
    return type_conversion_rank(arg, type) >= 0;
}

static bool take_number(struct bindings *b, char term, uint32_t number) {
    if (isdigit((unsigned char)term))
        return (uint32_t)(term - '0') == number;
    uint32_t *bound = &b->numbers[term - 'A'];
    if (*bound == 0)
        *bound = number;
    return *bound == number;
}

/* Matches one argument with the parameter at p. */
static bool take(struct bindings *b, const char **p, const struct wgsl_type *arg) {
    bool ok = true;
    if (**p == '{') {
        uint32_t shape = arg->kind == TY_VEC ? arg->rows : 1;
        ok = b->shape == 0 || b->shape == shape;
        b->shape = shape;
        ++*p;
        ok = take_scalar(b, p, arg->kind == TY_VEC ? arg->elem : arg) && ok;
        ++*p;
    } else if (strncmp(*p, "vec", 3) == 0) {
        ok = arg->kind == TY_VEC && take_number(b, (*p)[3], arg->rows);
        *p += 5;
        ok = take_scalar(b, p, type_scalar(arg)) && ok;
        ++*p;
    } else if (strncmp(*p, "mat", 3) == 0) {
        ok = arg->kind == TY_MAT && take_number(b, (*p)[3], arg->columns) &&
             take_number(b, (*p)[5], arg->rows);
        *p += 7;
        ok = take_scalar(b, p, type_scalar(arg)) && ok;
        ++*p;
    } else {
        ok = take_scalar(b, p, arg);
    }
    return ok;
}

static const struct wgsl_type *make_scalar(const struct bindings *b, const char **p) {
    size_t length = word_length(*p);
    const char *term = *p;
    *p += length;
    return length == 1 ? b->scalar[term[0] == 'U'].type : find_fixed(b, term, length);
}

static uint32_t make_number(const struct bindings *b, char term) {
    return isdigit((unsigned char)term) ? (uint32_t)(term - '0') : b->numbers[term - 'A'];
}

/* The type that a term stands for once all is bound. */
static const struct wgsl_type *make(const struct bindings *b, const char **p) {
    struct wgsl_types *types = b->use->types;
    const struct wgsl_type *type;
    if (**p == '{') {
        ++*p;
        type = make_scalar(b, p);
        ++*p;
        return b->shape > 1 ? type_vec(types, type, b->shape) : type;
    }
    if (strncmp(*p, "vec", 3) == 0) {
        uint32_t rows = make_number(b, (*p)[3]);
        *p += 5;
        type = type_vec(types, make_scalar(b, p), rows);
        ++*p;
        return type;
    }
    if (strncmp(*p, "mat", 3) == 0) {
        uint32_t columns = make_number(b, (*p)[3]), rows = make_number(b, (*p)[5]);
        *p += 7;
        type = type_mat(types, make_scalar(b, p), columns, rows);
        ++*p;
        return type;
    }
    if (strncmp(*p, "void", 4) == 0)
        return type_basic(types, TY_VOID);
    bool frexp_result = strncmp(*p, "frexp", 5) == 0, modf_result = strncmp(*p, "modf", 4) == 0;
    if (!frexp_result && !modf_result)
        return make_scalar(b, p);
    *p = strchr(*p, '{');
    type = make(b, p);
    return frexp_result ? type_frexp_result(types, type) : type_modf_result(types, type);
}

static bool bind_arguments(struct bindings *b, const char *p) {
    for (uint32_t i = 0; i < b->use->arg_count; i++) {
        p = skip(p);
        if (*p == '-' || !take(b, &p, b->use->args[i]))
            return false;
    }
    return *skip(p) == '-';
}

static bool choose_scalars(struct bindings *b) {
    for (int v = 0; v < 2; v++) {
        if (!b->scalar[v].allowed)
            continue;
        b->scalar[v].type = overload_common(b->use->types, b->scalar[v].scalars, b->scalar[v].count,
                                            b->scalar[v].allowed, b->use->constant);
        if (!b->scalar[v].type)
            return false;
    }
    return true;
}

static bool fits(const struct wgsl_candidates *use, const char *signature,
                 struct wgsl_match *match) {
    struct bindings b = {.use = use};
    const char *params = read_variables(signature, &b);
    if (!bind_arguments(&b, params) || !choose_scalars(&b))
        return false;
    const char *p = params;
    for (uint32_t i = 0; i < use->arg_count; i++) {
        p = skip(p);
        match->params[i] = make(&b, &p);
    }
    p = skip(p) + 2;
    p = skip(p);
    match->result = make(&b, &p);
    return true;
}

static bool resolve(const struct wgsl_candidates *use, const struct signature *table, size_t count,
                    int what, struct wgsl_match *match) {
    if (use->arg_count > OVERLOAD_ARGUMENTS)
        return false;
    for (size_t i = 0; i < count; i++)
        if (table[i].what == what && fits(use, table[i].text, match))
            return true;
    return false;
}

bool overload_operator(const struct wgsl_candidates *use, enum wgsl_op op,
                       struct wgsl_match *match) {
    return resolve(use, operators, sizeof operators / sizeof operators[0], (int)op, match);
}

bool overload_builtin(const struct wgsl_candidates *use, enum wgsl_builtin builtin,
                      struct wgsl_match *match) {
    return resolve(use, functions, sizeof functions / sizeof functions[0], (int)builtin, match);
}
