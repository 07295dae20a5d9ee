/* The list of WebGPU devices that a library offers. */
#ifndef SIM_WEBGPU_DEVICE_LIST_H
#define SIM_WEBGPU_DEVICE_LIST_H

#include "sim/buf.h"
#include "sim/webgpu/driver.h"

/* An array of adapters as adapter_describe tells them, of which there may be none; NULL on failure.
 */
json_t *device_list_get(const struct device_target *target, struct wgsim_error *err);

/* One line an adapter: its number for --adapter, name, driver, library, subgroup size, limits. */
void device_list_print(const json_t *adapters, struct buf *out);

#endif
