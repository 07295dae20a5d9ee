/* The order in which workgroups are admitted. Uses no memory per workgroup, except for an order
 * read from a file. */
#ifndef SIM_QUEUE_H
#define SIM_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "wgsim/wgsim.h"

enum queue_order { ORDER_ASCENDING, ORDER_DESCENDING, ORDER_RANDOM, ORDER_LIST };

extern const char *const queue_order_names[]; /* of those that have one; ends with NULL */

struct queue {
    enum queue_order order;
    uint64_t total, next; /* next: how many are already out */
    uint64_t seed;
    uint32_t half_bits;   /* ORDER_RANDOM: of the permutation's domain */
    const uint64_t *list; /* ORDER_LIST: a permutation of 0 to total - 1 */
};

void queue_init(struct queue *queue, enum queue_order order, uint64_t total, uint64_t seed,
                const uint64_t *list);
/* The workgroup at a position of the order. */
uint64_t queue_at(const struct queue *queue, uint64_t position);

/* Reads a file of linear ids, one a line, which must name each of 0 to listed - 1 once. The list,
 * of those below total alone, is the caller's to free. */
int queue_read_list(const char *path, uint64_t listed, uint64_t total, uint64_t **list,
                    struct wgsim_error *err);

#endif
