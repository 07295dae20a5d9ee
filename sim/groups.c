/* Joining accesses by hash. */
#include "sim/groups.h"

#include <stdlib.h>

static uint32_t place_of(uint64_t key, uint32_t site, uint32_t var) {
    uint64_t hash = (key ^ ((uint64_t)site << 8 | var) * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;

    return (uint32_t)(hash >> 40) & (GROUPS_TABLE - 1);
}

static int grow(struct groups *groups) {
    size_t capacity = groups->capacity ? groups->capacity * 2 : 16;

    if (!groups->table && !(groups->table = calloc(GROUPS_TABLE, sizeof *groups->table)))
        return -1;
    struct group *items = realloc(groups->items, capacity * sizeof *items);
    if (!items)
        return -1;
    groups->items = items;
    groups->capacity = capacity;
    return 0;
}

static void join(struct groups *groups, struct group *group, uint32_t lane, uint64_t address) {
    lanes_add(&group->lanes, lane);
    group->address[lane] = address;
    group->joined[lane] = groups->joins++;
}

int groups_add(struct groups *groups, uint32_t site, uint32_t var, uint64_t key, uint32_t lane,
               uint64_t address) {
    if (groups->count == groups->capacity && grow(groups) < 0)
        return -1;
    bool repeated = false;
    uint32_t place = place_of(key, site, var);
    for (; groups->table[place]; place = (place + 1) & (GROUPS_TABLE - 1)) {
        struct group *group = &groups->items[groups->table[place] - 1];
        if (group->key != key || group->site != site || group->var != var)
            continue;
        if (lanes_has(group->lanes, lane)) {
            repeated = true;
            continue;
        }
        join(groups, group, lane, address);
        return 0;
    }
    struct group *group = &groups->items[groups->count++];
    group->key = key;
    group->site = site;
    group->var = var;
    group->place = place;
    group->repeated = repeated;
    group->opener = lane;
    group->passed = false;
    group->lanes = group->charged = (struct lanes){{0, 0}};
    join(groups, group, lane, address);
    groups->table[place] = (uint32_t)groups->count;
    return 0;
}

bool groups_join(struct groups *groups, uint32_t site, uint32_t var, uint64_t key,
                 uint32_t first_lane, uint32_t mask, const uint64_t *words, uint64_t address_bits) {
    uint32_t place = place_of(key, site, var);

    for (; groups->table[place]; place = (place + 1) & (GROUPS_TABLE - 1)) {
        struct group *group = &groups->items[groups->table[place] - 1];
        bool same = group->key == key && group->site == site && group->var == var;
        if (!same || lanes_block(group->lanes, first_lane / 32) & mask)
            continue;
        for (uint32_t rest = mask; rest; rest &= rest - 1) {
            uint32_t i = (uint32_t)__builtin_ctz(rest);
            join(groups, group, first_lane + i, words[i] & address_bits);
        }
        return true;
    }
    return false;
}

/* A group that a lane is a member of. */
struct member {
    struct group *group;
    uint64_t joined;
};

static int by_joining(const void *a, const void *b) {
    const struct member *x = a, *y = b;

    return x->joined < y->joined ? 1 : x->joined > y->joined ? -1 : 0;
}

/* Those of the groups that the lane opened. `members` has room for all groups. */
static void find_passed_of(struct groups *groups, struct lanes lanes, uint32_t opener,
                           struct member *members) {
    struct lanes been = {{0, 0}}; /* in groups that the opener joined later */
    size_t count = 0;

    for (size_t i = 0; i < groups->count; i++)
        if (lanes_has(groups->items[i].lanes, opener))
            members[count++] = (struct member){&groups->items[i], groups->items[i].joined[opener]};
    qsort(members, count, sizeof *members, by_joining);
    for (size_t i = 0; i < count; i++) {
        been = lanes_or(been, members[i].group->lanes);
        if (members[i].group->opener == opener)
            members[i].group->passed = lanes_empty(lanes_without(lanes, been));
    }
}

void groups_find_passed(struct groups *groups, struct lanes lanes) {
    struct member *members = malloc(groups->count * sizeof *members);
    struct lanes openers = {{0, 0}};
    uint32_t lane;

    for (size_t i = 0; i < groups->count; i++) {
        groups->items[i].passed = lanes_empty(lanes_without(lanes, groups->items[i].lanes));
        lanes_add(&openers, groups->items[i].opener);
    }
    if (!members)
        return;
    for (LANES_EACH(lane, openers))
        find_passed_of(groups, lanes, lane, members);
    free(members);
}

void groups_sweep(struct groups *groups,
                  bool (*done)(const struct group *group, struct lanes lanes), struct lanes lanes,
                  void (*take)(void *self, const struct group *group), void *self) {
    size_t kept = 0;

    for (size_t i = 0; i < groups->count; i++) {
        struct group *group = &groups->items[i];
        groups->table[group->place] = 0;
        if (done(group, lanes))
            take(self, group);
        else if (kept++ != i)
            groups->items[kept - 1] = *group;
    }
    groups->count = groups->issued = kept;
    for (size_t i = 0; i < kept; i++) {
        uint32_t place =
            place_of(groups->items[i].key, groups->items[i].site, groups->items[i].var);
        while (groups->table[place])
            place = (place + 1) & (GROUPS_TABLE - 1);
        groups->items[i].place = place;
        groups->table[place] = (uint32_t)i + 1;
    }
}

void groups_close(struct groups *groups, void (*take)(void *self, const struct group *group),
                  void *self) {
    for (size_t i = 0; i < groups->count; i++) {
        take(self, &groups->items[i]);
        groups->table[groups->items[i].place] = 0;
    }
    groups->count = groups->issued = 0;
}

void groups_release(struct groups *groups) {
    free(groups->items);
    free(groups->table);
    *groups = (struct groups){0};
}
