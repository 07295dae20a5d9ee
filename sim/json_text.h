/* Text of any bytes as a JSON string. */
#ifndef SIM_JSON_TEXT_H
#define SIM_JSON_TEXT_H

#include <jansson.h>

/* Names of files and text of kernels may be anything: where it is not UTF-8, all that is not ASCII
 * becomes "?". NULL becomes null. */
json_t *json_text(const char *text);

#endif
