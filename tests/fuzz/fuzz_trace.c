/* Fuzz target: a recorded run. The hash at its end lets few inputs through; what is before it and
 * the end itself are read all the same. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "sim/trace/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct trace_read trace;
    struct wgsim_error err = {{0}};
    if (trace_parse(&trace, "fuzz", (const char *)data, size, &err) != 0) {
        FUZZ_CHECK(err.message[0] && !strchr(err.message, '\n'));
        return 0;
    }
    FUZZ_CHECK(trace.root && trace.arguments && trace.inputs && trace.outcome && trace.report);
    trace_read_release(&trace);
    return 0;
}
