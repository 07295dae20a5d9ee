/* What variables hold along the ways through a function. */
#include "sim/wgsl/uniformity.h"

#include <string.h>

static void log_old(struct uniformity *u, uint32_t index) {
    if (u->log_count == u->log_capacity) {
        u->log_capacity = u->log_capacity ? 2 * u->log_capacity : 64;
        struct uniform_change *bigger = heap_alloc(u->heap, u->log_capacity * sizeof *bigger);
        if (u->log_count)
            memcpy(bigger, u->log, u->log_count * sizeof *bigger);
        u->log = bigger;
    }
    u->log[u->log_count++] = (struct uniform_change){index, u->values[index]};
}

void uniform_assign(struct uniformity *u, uint32_t index, struct uniform_node *value) {
    log_old(u, index);
    u->values[index] = value;
}

void uniform_leave(struct uniformity *u, uint32_t mark, struct uniform_exits *exits) {
    struct uniform_exit *exit = HEAP_NEW(u->heap, struct uniform_exit);
    exit->changes = heap_alloc(u->heap, (u->log_count - mark) * sizeof *exit->changes);
    u->stamp++;
    for (uint32_t i = mark; i < u->log_count; i++) {
        uint32_t index = u->log[i].index;
        if (u->stamps[index] == u->stamp)
            continue;
        u->stamps[index] = u->stamp;
        exit->changes[exit->count++] = (struct uniform_change){index, u->values[index]};
    }
    exit->next = exits->first;
    exits->first = exit;
    exits->count++;
}

void uniform_go_back(struct uniformity *u, uint32_t mark) {
    while (u->log_count > mark) {
        const struct uniform_change *c = &u->log[--u->log_count];
        u->values[c->index] = c->value;
    }
}

/* One variable on the ways that meet. */
struct meeting {
    uint32_t index;
    uint32_t changed; /* on how many ways */
    struct uniform_node *value;
};

static void meet(struct uniformity *u, struct meeting *all, uint32_t *count,
                 const struct uniform_change *c) {
    if (u->stamps[c->index] != u->stamp) {
        u->stamps[c->index] = u->stamp;
        u->places[c->index] = *count;
        all[(*count)++] = (struct meeting){c->index, 0, graph_node(&u->graph)};
    }
    struct meeting *m = &all[u->places[c->index]];
    m->changed++;
    graph_edge(&u->graph, m->value, c->value);
}

void uniform_join(struct uniformity *u, const struct uniform_exits *exits) {
    uint32_t most = 0, count = 0;
    for (const struct uniform_exit *e = exits->first; e; e = e->next)
        most += e->count;
    struct meeting *all = heap_alloc(u->heap, (size_t)most * sizeof *all);
    u->stamp++;
    for (const struct uniform_exit *e = exits->first; e; e = e->next)
        for (uint32_t i = 0; i < e->count; i++)
            meet(u, all, &count, &e->changes[i]);
    for (uint32_t i = 0; i < count; i++) {
        if (all[i].changed < exits->count)
            graph_edge(&u->graph, all[i].value, u->values[all[i].index]);
        uniform_assign(u, all[i].index, all[i].value);
    }
}
