/* The finalizer of SplitMix64: numbers that look drawn at random, from any numbers. */
#ifndef SIM_MIX_H
#define SIM_MIX_H

#include <stdint.h>

static inline uint64_t mix(uint64_t value) {
    value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 31;
}

#endif
