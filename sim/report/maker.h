/* Building JSON objects. A failed allocation anywhere is remembered, and asked about once, at the
 * end. */
#ifndef SIM_REPORT_MAKER_H
#define SIM_REPORT_MAKER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct maker {
    bool failed;
};

/* Takes the value; NULL is a failed allocation. */
void maker_put(struct maker *m, json_t *object, const char *key, json_t *value);
void maker_append(struct maker *m, json_t *array, json_t *value);
void maker_int(struct maker *m, json_t *object, const char *key, uint64_t value);
/* Nothing for FINDING_UNKNOWN. */
void maker_known(struct maker *m, json_t *object, const char *key, uint64_t value);
/* null for NULL. */
void maker_text(struct maker *m, json_t *object, const char *key, const char *text);

#endif
