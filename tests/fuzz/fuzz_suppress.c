/* Fuzz target: a file of findings that the user does not want to hear of. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "sim/suppress.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct suppress suppress;
    struct wgsim_error err = {{0}};
    int result = suppress_parse(&suppress, (const char *)data, size, "rules", &err);
    FUZZ_CHECK(result == 0 || (err.message[0] && !strchr(err.message, '\n')));
    for (size_t i = 0; result == 0 && i < suppress.count; i++)
        FUZZ_CHECK(suppress.rules[i].kinds);
    suppress_release(&suppress);
    return 0;
}
