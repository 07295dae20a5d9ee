/* The device presets: known devices by name. */
#ifndef SIM_PRESET_H
#define SIM_PRESET_H

#include <stddef.h>

#include "sim/device.h"

/* Fills in the preset of that name; the message of a failure lists the names. */
int preset_find(struct device *device, const char *name, struct wgsim_error *err);

/* Presets by index, for listing: the name and in one line what it is; NULL behind the last. */
const char *preset_name(size_t index);
const char *preset_title(size_t index);

#endif
