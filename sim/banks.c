/* Banks. The lanes of a request are served in groups that are as wide as all banks together; a
 * group needs as many passes as its busiest bank has distinct words. */
#include "sim/banks.h"

#include <stdbool.h>
#include <string.h>

#include "sim/distinct.h"

enum { CHUNK = 32, LINE_BYTES = 64 };

/* 32 lanes of a request: with more, each 32 are served on their own. */
struct chunk {
    uint32_t address[CHUNK]; /* 0 for inactive lanes */
    uint32_t active;
};

/* Words of a group, at most one a bank if there is no conflict. */
struct words {
    uint32_t word[CHUNK];
    uint32_t count;
};

/* Passes that the words of the active lanes need: most distinct words in one bank. Lanes are
 * counted first, for where no bank has two of them there is nothing to tell apart. */
static uint32_t passes(const uint32_t *word, uint32_t active, uint32_t banks) {
    uint32_t lanes = distinct_most(word, active, banks);
    if (lanes <= 1)
        return lanes;
    uint32_t first = distinct_first(word, active);
    return first == active ? lanes : distinct_most(word, first, banks);
}

static uint32_t all_of(uint32_t count) {
    return count < CHUNK ? (UINT32_C(1) << count) - 1 : UINT32_MAX;
}

/* Banks are 4 or 8 bytes wide. */
static uint32_t bank_shift(const struct device *device) {
    return device->bank_bytes == 4 ? 2 : 3;
}

static void add_words(struct words *words, uint32_t address, uint32_t bytes, uint32_t shift) {
    uint32_t last = (address + bytes - 1) >> shift;
    for (uint32_t word = address >> shift; word <= last && words->count < CHUNK; word++)
        words->word[words->count++] = word;
}

/* Whether every active lane i has the same address as lane i ^ distance, if that is active. */
static bool pairs_agree(const struct chunk *chunk, uint32_t distance) {
    for (uint32_t rest = chunk->active; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest), other = lane ^ distance;
        if (chunk->active >> other & 1 && chunk->address[lane] != chunk->address[other])
            return false;
    }
    return true;
}

/* One lane of each pair that agrees. */
static uint32_t one_of_pair(uint32_t active, uint32_t distance) {
    uint32_t upper = distance == 1 ? 0xaaaaaaaa : 0xcccccccc;
    return active & ~(upper & active << distance);
}

/* A group of 16-byte loads on AMD takes lanes that lie 16 to 20 apart. */
static const uint8_t amd_load_order[CHUNK] = {0,  1,  2,  3,  20, 21, 22, 23, 4,  5,  6,
                                              7,  16, 17, 18, 19, 8,  9,  10, 11, 28, 29,
                                              30, 31, 12, 13, 14, 15, 24, 25, 26, 27};

static uint32_t power_of_two_bytes(uint32_t bytes) {
    return bytes <= 4 ? 4 : bytes <= 8 ? 8 : 16;
}

/* How the lanes of a chunk are grouped. */
struct grouping {
    uint32_t lanes; /* of a group */
    uint32_t serve; /* lanes that have to be served: one of each pair that agrees */
    const uint8_t *order;
};

static struct grouping group_lanes(const struct device *device, const struct bank_request *request,
                                   const struct chunk *chunk) {
    uint32_t bytes = power_of_two_bytes(request->bytes);
    uint32_t lanes = device->banks * device->bank_bytes / bytes;
    struct grouping grouping = {lanes ? lanes : 1, chunk->active, NULL};
    if (grouping.lanes > CHUNK)
        grouping.lanes = CHUNK;
    bool load = request->op == BANK_LOAD;
    if (device->bank_rule == BANKS_AMD && load && bytes == 16)
        grouping.order = amd_load_order;
    if (device->bank_rule != BANKS_NVIDIA || !load || bytes == 4)
        return grouping;
    for (uint32_t distance = 1; distance <= 2; distance++)
        if (pairs_agree(chunk, distance)) {
            grouping.lanes *= 2;
            grouping.serve = one_of_pair(chunk->active, distance);
            break;
        }
    return grouping;
}

static uint32_t distinct_words(const struct device *device, const struct bank_request *request,
                               const struct chunk *chunk) {
    uint32_t lanes = distinct_first(chunk->address, chunk->active);
    uint32_t count = (uint32_t)__builtin_popcount(lanes);
    return count * ((request->bytes + device->bank_bytes - 1) / device->bank_bytes);
}

/* Accesses of one word a lane, all lanes in one group: the usual case. */
static struct bank_cost one_group_cost(const struct device *device, const struct chunk *chunk) {
    uint32_t word[CHUNK], shift = bank_shift(device);
    for (int i = 0; i < CHUNK; i++)
        word[i] = chunk->address[i] >> shift;
    return (struct bank_cost){.wavefronts = passes(word, chunk->active, device->banks), .ideal = 1};
}

/* Plain loads and stores. */
static struct bank_cost access_cost(const struct device *device, const struct bank_request *request,
                                    const struct chunk *chunk) {
    struct grouping grouping = group_lanes(device, request, chunk);
    if (grouping.lanes == CHUNK && request->bytes <= 4)
        return one_group_cost(device, chunk);
    struct bank_cost cost = {0};
    for (uint32_t base = 0; base < CHUNK; base += grouping.lanes) {
        struct words words = {.count = 0};
        for (uint32_t i = base; i < base + grouping.lanes && i < CHUNK; i++) {
            uint32_t lane = grouping.order ? grouping.order[i] : i;
            if (grouping.serve >> lane & 1)
                add_words(&words, chunk->address[lane], request->bytes, bank_shift(device));
        }
        cost.wavefronts += passes(words.word, all_of(words.count), device->banks);
        cost.ideal += words.count != 0;
    }
    if (request->bytes == 12)
        cost.ideal = (distinct_words(device, request, chunk) + device->banks - 1) / device->banks;
    return cost;
}

/* Lanes on one word are served one after the other, unless the device merges increments. */
static struct bank_cost atomic_cost(const struct device *device, const struct bank_request *request,
                                    const struct chunk *chunk) {
    uint32_t word[CHUNK], shift = bank_shift(device);
    for (int i = 0; i < CHUNK; i++)
        word[i] = chunk->address[i] >> shift;
    uint32_t lanes = chunk->active;
    if (request->op == BANK_INCREMENT && device->merge_increments)
        lanes = distinct_first(word, lanes);
    return (struct bank_cost){.wavefronts = distinct_most(word, lanes, device->banks), .ideal = 1};
}

/* Most active lanes with the same value. */
static uint32_t most_equal(const uint32_t *values, uint32_t active) {
    uint32_t largest = 0;
    for (uint32_t rest = distinct_first(values, active); rest; rest &= rest - 1) {
        uint32_t count = 0, value = values[__builtin_ctz(rest)];
        for (uint32_t lane = active; lane; lane &= lane - 1)
            count += values[__builtin_ctz(lane)] == value;
        if (count > largest)
            largest = count;
    }
    return largest;
}

/* Memory without banks: a pass a line; atomics wait for the lanes before them on their word. */
static struct bank_cost lines_cost(const struct device *device, const struct bank_request *request,
                                   const struct chunk *chunk) {
    uint32_t line[CHUNK];
    for (int i = 0; i < CHUNK; i++)
        line[i] = chunk->address[i] / LINE_BYTES;
    uint32_t lines = (uint32_t)__builtin_popcount(distinct_first(line, chunk->active));
    uint32_t words = distinct_words(device, request, chunk);
    uint32_t a_line = LINE_BYTES / device->bank_bytes;
    struct bank_cost cost = {.wavefronts = lines, .ideal = (words + a_line - 1) / a_line};
    if (request->op == BANK_ATOMIC || request->op == BANK_INCREMENT)
        cost.wavefronts += most_equal(chunk->address, chunk->active) - 1;
    return cost;
}

static struct chunk take_chunk(const struct bank_request *request, uint32_t base) {
    struct chunk chunk = {.active = (uint32_t)(request->active[base / 64] >> base % 64)};
    if (chunk.active == UINT32_MAX) {
        memcpy(chunk.address, request->address + base, sizeof chunk.address);
        return chunk;
    }
    for (uint32_t rest = chunk.active; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        chunk.address[lane] = request->address[base + (uint32_t)lane];
    }
    return chunk;
}

struct bank_cost banks_cost(const struct device *device, const struct bank_request *request) {
    bool atomic = request->op == BANK_ATOMIC || request->op == BANK_INCREMENT;
    struct bank_cost total = {0};
    for (uint32_t base = 0; base < request->lanes; base += CHUNK) {
        struct chunk chunk = take_chunk(request, base);
        if (!chunk.active)
            continue;
        struct bank_cost cost = device->bank_rule == BANKS_LINES
                                    ? lines_cost(device, request, &chunk)
                                : atomic ? atomic_cost(device, request, &chunk)
                                         : access_cost(device, request, &chunk);
        total.wavefronts += cost.wavefronts;
        total.ideal += cost.ideal;
    }
    if (atomic && total.wavefronts) {
        total.wavefronts += device->atomic_unlock_wavefronts;
        total.ideal += device->atomic_unlock_wavefronts;
    }
    total.conflicts = total.wavefronts - total.ideal;
    return total;
}
