/* Text of any bytes as a JSON string. */
#include "sim/json_text.h"

#include <stdlib.h>
#include <string.h>

json_t *json_text(const char *text) {
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
