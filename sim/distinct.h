/* Distinct values among up to 32 lanes. */
#ifndef SIM_DISTINCT_H
#define SIM_DISTINCT_H

#include <stdint.h>

enum { DISTINCT_LANES = 32 };

/* The active lanes that are the first with their value, as bits. Values of inactive lanes may be
 * anything. The function runs on any CPU; the vector one needs AVX2 and gives the same. */
uint32_t distinct_first_scalar(const uint32_t values[DISTINCT_LANES], uint32_t active);

#if defined __x86_64__
#define DISTINCT_HAS_AVX2 1
uint32_t distinct_first_avx2(const uint32_t values[DISTINCT_LANES], uint32_t active);
#endif

/* The faster of the two on this CPU. */
uint32_t distinct_first(const uint32_t values[DISTINCT_LANES], uint32_t active);

#endif
