/* Runs one shader of the conformance data in this process, and finds that data. */
#ifndef TESTS_WGSL_CASE_H
#define TESTS_WGSL_CASE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/wgsl/front.h"
#include "wgsim/wgsim.h"

struct case_binding {
    uint32_t group, binding;
    uint64_t bytes;
    uint8_t *data; /* contents before and, when it ran, after */
};

struct case_run {
    const char *name, *wgsl;
    const char *entry; /* NULL: the only one */
    const struct wgsl_setting *settings;
    uint32_t setting_count;
    uint32_t groups[3];
    uint32_t subgroup; /* lanes */
    struct case_binding *bindings;
    size_t binding_count;
};

/* Translates, compiles and runs it. -1: it could not be run, or did not finish; one line in err. */
int case_run(const struct case_run *run, struct wgsim_error *err);

/* Bytes from hexadecimal digits; the caller frees them. */
uint8_t *case_bytes(const char *hex, uint64_t *count);

/* Calls `each` for every line of a compressed file of JSON lines in the data's folder cts/; index
 * counts from 0. False: there is no such file. */
bool case_each_line(const char *file, void (*each)(json_t *line, size_t index, void *self),
                    void *self);

/* The folder of the handed data, $WGSIM_DATA or ../shared beside the source's top; NULL: it is not
 * there. */
const char *case_data(void);

/* Every how many cases one is run: 1 under WGSIM_CTS=all, N under WGSIM_CTS=N, else `usual`. */
size_t case_step(size_t usual);

#endif
