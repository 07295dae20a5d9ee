/* Fuzz target: number parsing. What is accepted survives a round trip. */
#include "tests/fuzz/fuzz.h"

#include <inttypes.h>
#include <string.h>

#include "sim/units.h"

static void check_size(const char *text) {
    uint64_t value, again;
    char decimal[32];
    struct wgsim_error err;
    if (parse_size(text, &value, &err) != 0) {
        FUZZ_CHECK(strlen(err.message) > 0);
        return;
    }
    snprintf(decimal, sizeof decimal, "%" PRIu64, value);
    FUZZ_CHECK(parse_u64(decimal, &again, &err) == 0 && again == value);
    uint32_t narrow;
    FUZZ_CHECK((parse_u32(decimal, &narrow, &err) == 0) == (value <= UINT32_MAX));
}

static void check_groups(const char *text) {
    uint32_t groups[3], again[3];
    char canonical[64];
    struct wgsim_error err;
    if (parse_groups(text, groups, &err) != 0)
        return;
    snprintf(canonical, sizeof canonical, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, groups[0], groups[1],
             groups[2]);
    FUZZ_CHECK(parse_groups(canonical, again, &err) == 0);
    FUZZ_CHECK(memcmp(groups, again, sizeof groups) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    check_size(text);
    check_groups(text);
    free(text);
    return 0;
}
