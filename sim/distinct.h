/* Equal and distinct values among up to 32 lanes. Each function has a form that runs on any CPU and
 * one that needs AVX2; both give the same, and the plain name takes the faster one that the CPU can
 * run. Values of inactive lanes may be anything. */
#ifndef SIM_DISTINCT_H
#define SIM_DISTINCT_H

#include <stdint.h>

enum { DISTINCT_LANES = 32 };

#if defined __x86_64__
#define DISTINCT_HAS_AVX2 1
#endif

/* The active lanes that are the first with their value, as bits. */
uint32_t distinct_first(const uint32_t values[DISTINCT_LANES], uint32_t active);
uint32_t distinct_first_scalar(const uint32_t values[DISTINCT_LANES], uint32_t active);
uint32_t distinct_first_avx2(const uint32_t values[DISTINCT_LANES], uint32_t active);

/* Most active lanes whose values modulo `classes`, a power of two up to 32, are the same. */
uint32_t distinct_most(const uint32_t values[DISTINCT_LANES], uint32_t active, uint32_t classes);
uint32_t distinct_most_scalar(const uint32_t values[DISTINCT_LANES], uint32_t active,
                              uint32_t classes);
uint32_t distinct_most_avx2(const uint32_t values[DISTINCT_LANES], uint32_t active,
                            uint32_t classes);

#endif
