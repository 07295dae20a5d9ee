/* Sectors. */
#include "sim/sectors.h"

#include <stdbool.h>
#include <stdlib.h>

#include "sim/banks.h"
#include "sim/distinct.h"

/* The first and last sector of every active lane, gathered; an access that is aligned to its size
 * lies in one. */
struct touched {
    uint64_t sector[2 * REQUEST_LANES_MAX];
    uint32_t count;
    bool ascending;
};

static void touch(struct touched *touched, uint64_t sector) {
    if (touched->count && touched->sector[touched->count - 1] > sector)
        touched->ascending = false;
    touched->sector[touched->count++] = sector;
}

static void gather(struct touched *touched, const struct sector_request *request) {
    touched->count = 0;
    touched->ascending = true;
    for (uint32_t base = 0; base < request->lanes; base += 64)
        for (uint64_t rest = request->active[base / 64]; rest; rest &= rest - 1) {
            uint64_t offset = request->offset[base + (uint32_t)__builtin_ctzll(rest)];
            uint64_t first = offset / SECTOR_BYTES;
            uint64_t last = (offset + request->bytes - 1) / SECTOR_BYTES;
            touch(touched, first);
            if (last != first)
                touch(touched, last);
        }
}

static int compare_sectors(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint32_t count_ascending(const struct touched *touched) {
    uint32_t count = touched->count != 0;
    for (uint32_t i = 1; i < touched->count; i++)
        count += touched->sector[i] != touched->sector[i - 1];
    return count;
}

/* At most 32 sectors, all less than 2^32 apart, so that differences modulo 2^32 tell them apart. */
static uint32_t count_few(const struct touched *touched) {
    uint32_t value[DISTINCT_LANES];
    uint32_t count = touched->count;
    for (uint32_t i = 0; i < count; i++)
        value[i] = (uint32_t)touched->sector[i];
    uint32_t active = count < DISTINCT_LANES ? (UINT32_C(1) << count) - 1 : UINT32_MAX;
    return (uint32_t)__builtin_popcount(distinct_first(value, active));
}

static bool close_together(const struct touched *touched) {
    uint64_t differing = 0;
    for (uint32_t i = 1; i < touched->count; i++)
        differing |= touched->sector[i] ^ touched->sector[0];
    return differing >> 32 == 0;
}

uint32_t sectors_count(const struct sector_request *request) {
    struct touched touched;
    gather(&touched, request);
    if (touched.ascending)
        return count_ascending(&touched);
    if (touched.count <= DISTINCT_LANES && close_together(&touched))
        return count_few(&touched);
    qsort(touched.sector, touched.count, sizeof touched.sector[0], compare_sectors);
    return count_ascending(&touched);
}

uint32_t sectors_most_lanes(const struct sector_request *request) {
    uint64_t offset[REQUEST_LANES_MAX];
    uint32_t count = 0;
    for (uint32_t base = 0; base < request->lanes; base += 64)
        for (uint64_t rest = request->active[base / 64]; rest; rest &= rest - 1)
            offset[count++] = request->offset[base + (uint32_t)__builtin_ctzll(rest)];
    /* cppcheck-suppress uninitvar ; without lanes there is nothing to sort */
    qsort(offset, count, sizeof offset[0], compare_sectors);
    uint32_t most = 0, run = 0;
    for (uint32_t i = 0; i < count; i++) {
        run = i && offset[i] == offset[i - 1] ? run + 1 : 1;
        most = run > most ? run : most;
    }
    return most;
}
