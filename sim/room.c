/* Memory that the machine can give, as Linux tells it and gives it. */
#include "sim/room.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* The number behind a name at the start of a line; the file's only number if the name is empty. */
static uint64_t number_in(const char *path, const char *name) {
    FILE *file = fopen(path, "re");
    char line[256];
    uint64_t value = UINT64_MAX;

    while (file && value == UINT64_MAX && fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0 &&
            sscanf(line + strlen(name), "%" SCNu64, &value) != 1)
            break;
    if (file)
        fclose(file);
    return value;
}

uint64_t room_left(void) {
    uint64_t kib = number_in("/proc/meminfo", "MemAvailable:");
    uint64_t machine = kib > UINT64_MAX >> 10 ? UINT64_MAX : kib << 10;
    uint64_t limit = number_in("/sys/fs/cgroup/memory.max", "");
    uint64_t used = number_in("/sys/fs/cgroup/memory.current", "");

    if (limit == UINT64_MAX || used == UINT64_MAX)
        return machine;
    uint64_t group = used < limit ? limit - used : 0;
    return group < machine ? group : machine;
}

uint64_t room_to_map(uint64_t *mapped) {
    struct rlimit limit;

    *mapped = 0;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    uint64_t kib = number_in("/proc/self/status", "VmSize:");
    if (kib > UINT64_MAX >> 10)
        return UINT64_MAX;
    *mapped = kib << 10;
    return *mapped < limit.rlim_cur ? limit.rlim_cur - *mapped : 0;
}

void *room_take(size_t bytes) {
    enum { PAGE = 1 << 21, FEW = 2 * PAGE, MANY = 1 << 26 };

    if (bytes < FEW || bytes > MANY)
        return malloc(bytes);
    size_t whole = (bytes + PAGE - 1) / PAGE * PAGE;
    void *memory = aligned_alloc(PAGE, whole);
#ifdef MADV_HUGEPAGE
    if (memory)
        madvise(memory, whole, MADV_HUGEPAGE);
#endif
    return memory;
}
