/* Building JSON objects. */
#include "sim/report/maker.h"

#include "sim/finding.h"
#include "sim/json_text.h"

void maker_put(struct maker *m, json_t *object, const char *key, json_t *value) {
    m->failed |= json_object_set_new(object, key, value) < 0;
}

void maker_int(struct maker *m, json_t *object, const char *key, uint64_t value) {
    maker_put(m, object, key, json_integer((json_int_t)value));
}

void maker_text(struct maker *m, json_t *object, const char *key, const char *text) {
    maker_put(m, object, key, json_text(text));
}

void maker_append(struct maker *m, json_t *array, json_t *value) {
    m->failed |= json_array_append_new(array, value) < 0;
}

void maker_known(struct maker *m, json_t *object, const char *key, uint64_t value) {
    if (value != FINDING_UNKNOWN)
        maker_int(m, object, key, value);
}
