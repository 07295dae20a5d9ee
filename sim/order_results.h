/* Results of two runs of a job, compared: what is equal, what may be so by design, what is not. */
#ifndef SIM_ORDER_RESULTS_H
#define SIM_ORDER_RESULTS_H

#include "sim/finding.h"
#include "sim/job.h"
#include "sim/texture_spec.h"

/* A buffer after a run. */
struct result_buffer {
    const char *name, *type; /* the type as in WGSL */
    uint32_t scalar, stride; /* of its elements: enum wg_scalar, bytes */
    uint32_t word_bytes;     /* what is compared at once */
    uint64_t bytes;
    uint8_t *data;
};

/* A zeroed one is of nothing. */
struct results {
    struct result_buffer *buffers;
    size_t count;
};

/* Copies the buffers of a job. adds_floats: words of atomics may hold floats, added by
 * compare-exchange of their bits. -1: out of memory. */
int results_keep(struct results *results, const struct job *job, bool adds_floats);
/* Copies what the views of storage variables show. */
int results_keep_views(struct results *results, const struct kernel *kernel,
                       const struct wg_view *views, bool adds_floats);
void results_release(struct results *results);

struct results_difference {
    const struct result_buffer *a, *b; /* the first that differs; NULL: none does */
    uint64_t element;                  /* the first that does; of a texture the texel's number */
    char texel[TEXTURE_PLACE_LENGTH];  /* "(7, 0)"; of no texture: "" */
    uint64_t differing;                /* elements of it */
    bool last_digits;              /* of floats alone, as additions in another order leave them */
    char a_value[32], b_value[32]; /* there */
};

/* Whether buffers are as many and as large: others are other problems. */
bool results_comparable(const struct results *a, const struct results *b);
/* Of comparable ones. */
struct results_difference results_compare(const struct results *a, const struct results *b);
/* Whether two runs left the same words in other places. */
bool results_in_other_places(const struct results *a, const struct results *b);

/* Whether another order of what happened leaves another result: not where floats were added in
 * another order, nor where the same words are listed in one. */
bool results_differ(const struct results *a, const struct results *b,
                    struct results_difference *difference);

/* What proves that results depend on an order: an element of a buffer that is `a_value` in one and
 * `b_value` in another. */
struct order_difference {
    const char *buffer; /* NULL: nothing is proved */
    uint64_t element;
    char texel[TEXTURE_PLACE_LENGTH]; /* as above */
    char a_value[32], b_value[32];
};

/* For the end of a sentence. */
const char *order_difference_text(struct findings *findings,
                                  const struct order_difference *difference);

#endif
