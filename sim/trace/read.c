/* Reading traces. */
#include "sim/trace/read.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/error.h"
#include "sim/read_file.h"
#include "sim/trace/hash.h"

static const char head[] = "{\"schema\":\"wgsim-trace/";
static const char version_head[] = "{\"schema\":\"wgsim-trace/1\",";
static const char before_offset[] = ",\n\"trailer\":{\"wgsim\":\"";
static const char before_checksum[] = "\",\"checksum\":\"";
static const char tail[] = "\"}}\n";

enum {
    HEX = 16,
    TAIL_BYTES = sizeof before_offset - 1 + HEX + sizeof before_checksum - 1 + HEX + sizeof tail - 1
};

static bool read_hex(const char *text, uint64_t *value) {
    *value = 0;
    for (int i = 0; i < HEX; i++) {
        const char *digits = "0123456789abcdef", *digit = strchr(digits, text[i]);
        if (!digit || !*digit)
            return false;
        *value = *value << 4 | (uint64_t)(digit - digits);
    }
    return true;
}

static bool read_literal(const char **at, const char *text) {
    size_t length = strlen(text);
    bool same = memcmp(*at, text, length) == 0;

    *at += length;
    return same;
}

/* The end of a trace: where its object "wgsim" starts, and that all is as it was written. */
static bool read_tail(const char *data, size_t size, uint64_t *offset) {
    const char *at = data + size - TAIL_BYTES;
    uint64_t checksum;

    if (!read_literal(&at, before_offset) || !read_hex(at, offset))
        return false;
    at += HEX;
    if (!read_literal(&at, before_checksum) || !read_hex(at, &checksum))
        return false;
    size_t covered = (size_t)(at - data);
    at += HEX;
    return read_literal(&at, tail) && *offset < size - TAIL_BYTES &&
           hash_bytes(HASH_START, data, covered) == checksum;
}

static int unpack(struct trace_read *trace, const char *name, struct wgsim_error *err) {
    json_int_t records;

    trace->ahead = -1;
    if (json_unpack(trace->root, "{s:s, s:s, s:s, s:o, s:o, s:{s:{s:I, s?b}}, s:o, s:o, s:b, s:i}",
                    "version", &trace->version, "text", &trace->text, "first_screen",
                    &trace->first_screen, "arguments", &trace->arguments, "inputs", &trace->inputs,
                    "outcome", "schedule", "records", &records, "ahead", &trace->ahead, "outcome",
                    &trace->outcome, "report", &trace->report, "interrupted", &trace->interrupted,
                    "status", &trace->status) < 0 ||
        !json_is_array(trace->arguments) || !json_is_object(trace->report) || records < 0)
        return error_set(err, "%s is not a trace that this version of wgsim can read", name);
    trace->records = (uint64_t)records;
    trace->counterexample = json_object_get(trace->root, "counterexample");
    return 0;
}

int trace_parse(struct trace_read *trace, const char *name, const char *data, size_t size,
                struct wgsim_error *err) {
    uint64_t offset;
    json_error_t why;

    *trace = (struct trace_read){0};
    if (size < sizeof head - 1 || memcmp(data, head, sizeof head - 1) != 0)
        return error_set(err, "%s is not a trace of wgsim", name);
    if (size < sizeof version_head + TAIL_BYTES || !read_tail(data, size, &offset))
        return error_set(err, "%s is not whole: it was cut off or edited after it was written",
                         name);
    if (memcmp(data, version_head, sizeof version_head - 1) != 0)
        return error_set(err, "%s is not a trace that this version of wgsim can read", name);
    trace->root = json_loadb(data + offset, size - TAIL_BYTES - offset, 0, &why);
    if (!trace->root)
        return error_set(err, "%s is not a trace that this version of wgsim can read", name);
    if (unpack(trace, name, err) < 0) {
        trace_read_release(trace);
        return -1;
    }
    return 0;
}

static int parse_mapped(struct trace_read *trace, const char *path, int fd,
                        struct wgsim_error *err) {
    struct stat info;

    if (fstat(fd, &info) < 0)
        return error_set(err, "cannot read %s: %s", path, strerror(errno));
    if (check_regular(path, &info, err) < 0)
        return -1;
    size_t size = (size_t)info.st_size;
    if (size == 0)
        return trace_parse(trace, path, "", 0, err);
    void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return error_set(err, "cannot read %s: %s", path, strerror(errno));
    int result = trace_parse(trace, path, data, size, err);
    munmap(data, size);
    return result;
}

int trace_read(struct trace_read *trace, const char *path, struct wgsim_error *err) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0)
        return error_set(err, "cannot read %s: %s", path, strerror(errno));
    int result = parse_mapped(trace, path, fd, err);
    close(fd);
    return result;
}

void trace_read_release(struct trace_read *trace) {
    json_decref(trace->root);
    *trace = (struct trace_read){0};
}
