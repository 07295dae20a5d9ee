/* Building JSON objects. */
#include "sim/report/maker.h"

#include <stdlib.h>
#include <string.h>

#include "sim/finding.h"

void maker_put(struct maker *m, json_t *object, const char *key, json_t *value) {
    m->failed |= json_object_set_new(object, key, value) < 0;
}

void maker_int(struct maker *m, json_t *object, const char *key, uint64_t value) {
    maker_put(m, object, key, json_integer((json_int_t)value));
}

/* Text from a kernel may be anything: what is not UTF-8 becomes "?". */
static json_t *text_of(const char *text) {
    if (!text)
        return json_null();
    json_t *plain = json_string(text);
    if (plain)
        return plain;
    char *copy = strdup(text);
    for (char *c = copy; c && *c; c++)
        if (*c & 0x80)
            *c = '?';
    if (copy)
        plain = json_string(copy);
    free(copy);
    return plain;
}

void maker_text(struct maker *m, json_t *object, const char *key, const char *text) {
    maker_put(m, object, key, text_of(text));
}

void maker_append(struct maker *m, json_t *array, json_t *value) {
    m->failed |= json_array_append_new(array, value) < 0;
}

void maker_known(struct maker *m, json_t *object, const char *key, uint64_t value) {
    if (value != FINDING_UNKNOWN)
        maker_int(m, object, key, value);
}
