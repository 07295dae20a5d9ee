/* Fuzz target: traces. The input stands for a whole file, then for what a file with the right
 * checksum says of its run. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "sim/buf.h"
#include "sim/trace/compare.h"
#include "sim/trace/hash.h"
#include "sim/trace/inputs.h"
#include "sim/trace/read.h"

static bool parses(const char *data, size_t size) {
    struct trace_read trace;
    struct wgsim_error err = {{0}};
    struct buf where = {0}, values = {0};

    if (trace_parse(&trace, "input", data, size, &err) < 0) {
        FUZZ_CHECK(err.message[0] && !strchr(err.message, '\n'));
        return false;
    }
    FUZZ_CHECK(trace.text && trace.first_screen && trace.version);
    FUZZ_CHECK(compare_json(trace.report, trace.report, &where, &values));
    FUZZ_CHECK(where.len == 0 && values.len == 0);
    buf_release(&where);
    buf_release(&values);
    trace_read_release(&trace);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char head[] = "{\"schema\":\"wgsim-trace/1\",\"traceEvents\":[],\"wgsim\":";
    struct buf file = {0};
    char hex[17];

    parses((const char *)data, size);
    buf_puts(&file, head);
    buf_append(&file, data, size);
    buf_printf(&file, ",\n\"trailer\":{\"wgsim\":\"%s\",\"checksum\":\"",
               trace_hex(hex, sizeof head - 1));
    uint64_t checksum = hash_bytes(HASH_START, file.data, file.len);
    buf_printf(&file, "%s\"}}\n", trace_hex(hex, checksum));
    parses(file.data, file.len);
    file.data[size / 2] ^= 1;
    FUZZ_CHECK(!parses(file.data, file.len));
    buf_release(&file);
    return 0;
}
