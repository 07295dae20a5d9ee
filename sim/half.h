/* IEEE half precision to and from float, by bits: not every compiler has a 16-bit float type. */
#ifndef SIM_HALF_H
#define SIM_HALF_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline float half_to_float(uint16_t half) {
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31,
             fraction = half & 0x3ff;
    float value;

    if (exponent == 0) { /* zero and subnormal: fraction times 2^-24, exact */
        value = (float)fraction * 0x1p-24f;
        return sign ? -value : value;
    }
    uint32_t bits = sign | (exponent == 31 ? 0xffu : exponent + 112) << 23 | fraction << 13;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Rounds to nearest, ties to even. */
static inline uint16_t float_to_half(float value) {
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    uint32_t magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000)
        return sign | 0x7e00;
    if (magnitude >= 0x477ff000) /* from 65520 on: infinity */
        return sign | 0x7c00;
    if (magnitude < 0x38800000) /* below 2^-14: a multiple of 2^-24, which the addition rounds to */
        return sign | (uint16_t)lrintf(fabsf(value) * 0x1p24f);
    uint32_t rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
    return sign | (uint16_t)((rounded >> 13) - (112 << 10));
}

#endif
