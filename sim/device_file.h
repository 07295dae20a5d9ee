/* Device files: a device as JSON, schema "wgsim-device/1". */
#ifndef SIM_DEVICE_FILE_H
#define SIM_DEVICE_FILE_H

#include <jansson.h>

#include "sim/arena.h"
#include "sim/device.h"

/* Reads a device: the preset named by "base" (the default device if absent) with the fields that
 * the file gives. "units", an array of objects, gives compute units that differ. Unknown keys,
 * wrong types and values out of range are refused by name. The device's strings and units live in
 * the arena. */
int device_file_read(struct device *device, const char *path, struct arena *arena,
                     struct wgsim_error *err);

/* The same from memory. */
int device_file_parse(struct device *device, const char *text, size_t length, struct arena *arena,
                      struct wgsim_error *err);

/* Every field and its source, in a form that device_file_read accepts; NULL when out of memory.
 * Print it with at least 12 digits of reals. */
json_t *device_to_json(const struct device *device);

#endif
