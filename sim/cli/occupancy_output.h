/* Printing the answers of wgsim occupancy. */
#ifndef SIM_CLI_OCCUPANCY_OUTPUT_H
#define SIM_CLI_OCCUPANCY_OUTPUT_H

#include <jansson.h>

#include "sim/limits.h"
#include "sim/occupancy.h"

/* What is asked, on what. */
struct occupancy_question {
    const struct device *device;
    const char *entry; /* of a kernel, or NULL */
    uint32_t size[3];
    struct workgroup_needs needs;
    struct limits_violations violations; /* what pipeline creation would refuse */
};

void occupancy_print_text(const struct occupancy_question *question);
json_t *occupancy_to_json(const struct occupancy_question *question);

#endif
