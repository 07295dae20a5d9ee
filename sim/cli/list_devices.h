/* Listing the devices that can be simulated. */
#ifndef SIM_CLI_LIST_DEVICES_H
#define SIM_CLI_LIST_DEVICES_H

#include <jansson.h>

#include "sim/device.h"

/* Prints a line for each preset on stdout. */
int list_devices_text(struct wgsim_error *err);

/* Prints every field of one device with its source. */
void list_device_text(const struct device *device);

/* Every preset as a device file; NULL with a message on failure. */
json_t *list_devices_json(struct wgsim_error *err);

#endif
