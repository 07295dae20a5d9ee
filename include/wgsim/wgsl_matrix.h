/* WGSL's matrices in C: mat3x4f has three columns of four rows; those of f16 share the types and
 * are rounded. */
#ifndef WGSIM_WGSL_MATRIX_H
#define WGSIM_WGSL_MATRIX_H

#include <wgsim/wgsl_value.h>

/* C columns of R rows: +, -, times a scalar, times a vector from either side. */
#define WGSL_MATRIX(C, R)                                                                          \
    typedef struct mat##C##x##R##f {                                                               \
        vec##R##f c[C];                                                                            \
    } mat##C##x##R##f;                                                                             \
    typedef mat##C##x##R##f mat##C##x##R##h;                                                       \
    WGSL_FN mat##C##x##R##f mat##C##x##R##f_add(mat##C##x##R##f a, mat##C##x##R##f b) {            \
        for (int k = 0; k < C; k++) {                                                              \
            a.c[k] = a.c[k] + b.c[k];                                                              \
        }                                                                                          \
        return a;                                                                                  \
    }                                                                                              \
    WGSL_FN mat##C##x##R##f mat##C##x##R##f_sub(mat##C##x##R##f a, mat##C##x##R##f b) {            \
        for (int k = 0; k < C; k++) {                                                              \
            a.c[k] = a.c[k] - b.c[k];                                                              \
        }                                                                                          \
        return a;                                                                                  \
    }                                                                                              \
    WGSL_FN mat##C##x##R##f mat##C##x##R##f_scale(mat##C##x##R##f a, f32 s) {                      \
        for (int k = 0; k < C; k++) {                                                              \
            a.c[k] = a.c[k] * vec##R##f_splat(s);                                                  \
        }                                                                                          \
        return a;                                                                                  \
    }                                                                                              \
    WGSL_FN mat##C##x##R##h mat##C##x##R##h_round(mat##C##x##R##f a) {                             \
        for (int k = 0; k < C; k++) {                                                              \
            a.c[k] = vec##R##h_round(a.c[k]);                                                      \
        }                                                                                          \
        return a;                                                                                  \
    }                                                                                              \
    WGSL_FN vec##R##f mat##C##x##R##f_mul_vec(mat##C##x##R##f a, vec##C##f v) {                    \
        vec##R##f sum = a.c[0] * vec##R##f_splat(v[0]);                                            \
        for (int k = 1; k < C; k++) {                                                              \
            sum = sum + a.c[k] * vec##R##f_splat(v[k]);                                            \
        }                                                                                          \
        return sum;                                                                                \
    }                                                                                              \
    WGSL_FN vec##C##f mat##C##x##R##f_vec_mul(vec##R##f v, mat##C##x##R##f a) {                    \
        vec##C##f product = {0};                                                                   \
        for (int k = 0; k < C; k++) {                                                              \
            product[k] = vec##R##f_dot(v, a.c[k]);                                                 \
        }                                                                                          \
        return product;                                                                            \
    }
WGSL_MATRIX(2, 2)
WGSL_MATRIX(2, 3)
WGSL_MATRIX(2, 4)
WGSL_MATRIX(3, 2)
WGSL_MATRIX(3, 3)
WGSL_MATRIX(3, 4)
WGSL_MATRIX(4, 2)
WGSL_MATRIX(4, 3)
WGSL_MATRIX(4, 4)

/* K columns of R rows times C columns of K rows, and the transpose. */
#define WGSL_MATRIX_PRODUCT(K, R, C)                                                               \
    WGSL_FN mat##C##x##R##f mat##K##x##R##f_mul_mat##C##x##K##f(mat##K##x##R##f a,                 \
                                                                mat##C##x##K##f b) {               \
        mat##C##x##R##f product;                                                                   \
        for (int k = 0; k < C; k++) {                                                              \
            product.c[k] = mat##K##x##R##f_mul_vec(a, b.c[k]);                                     \
        }                                                                                          \
        return product;                                                                            \
    }
#define WGSL_MATRIX_PRODUCTS(K, R)                                                                 \
    WGSL_MATRIX_PRODUCT(K, R, 2)                                                                   \
    WGSL_MATRIX_PRODUCT(K, R, 3)                                                                   \
    WGSL_MATRIX_PRODUCT(K, R, 4)                                                                   \
    WGSL_FN mat##R##x##K##f mat##K##x##R##f_transpose(mat##K##x##R##f a) {                         \
        mat##R##x##K##f t = {{{0}}};                                                               \
        for (int column = 0; column < R; column++) {                                               \
            for (int row = 0; row < K; row++) {                                                    \
                t.c[column][row] = a.c[row][column];                                               \
            }                                                                                      \
        }                                                                                          \
        return t;                                                                                  \
    }
WGSL_MATRIX_PRODUCTS(2, 2)
WGSL_MATRIX_PRODUCTS(2, 3)
WGSL_MATRIX_PRODUCTS(2, 4)
WGSL_MATRIX_PRODUCTS(3, 2)
WGSL_MATRIX_PRODUCTS(3, 3)
WGSL_MATRIX_PRODUCTS(3, 4)
WGSL_MATRIX_PRODUCTS(4, 2)
WGSL_MATRIX_PRODUCTS(4, 3)
WGSL_MATRIX_PRODUCTS(4, 4)

WGSL_FN f32 mat2x2f_determinant(mat2x2f m) {
    return m.c[0][0] * m.c[1][1] - m.c[1][0] * m.c[0][1];
}
WGSL_FN f32 mat3x3f_determinant(mat3x3f m) {
    return vec3f_dot(m.c[0], vec3f_cross(m.c[1], m.c[2]));
}
/* Along the first row: each entry times the determinant of the other columns' last three rows. */
WGSL_FN f32 mat4x4f_determinant(mat4x4f m) {
    f32 sum = 0.0f;
    for (int k = 0; k < 4; k++) {
        mat3x3f minor;
        for (int j = 0; j < 3; j++) {
            minor.c[j] = wgsl_swizzle3(m.c[j + (j >= k)], 1, 2, 3);
        }
        f32 term = m.c[k][0] * mat3x3f_determinant(minor);
        sum = k & 1 ? sum - term : sum + term;
    }
    return sum;
}

#endif
