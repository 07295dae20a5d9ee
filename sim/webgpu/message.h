/* The one line that matters in a WebGPU implementation's message. */
#ifndef SIM_WEBGPU_MESSAGE_H
#define SIM_WEBGPU_MESSAGE_H

#include <stddef.h>

/* Writes "LINE:COLUMN: what is wrong" (or only what is wrong, where the text names no place) to
 * out, cut at size bytes. Knows the forms of wgpu-native (a report of several lines with a picture
 * of the source) and Dawn ("Error while parsing WGSL: :3:5 error: ..."); of anything else it takes
 * the first line. */
void message_condense(const char *text, size_t length, char *out, size_t size);

#endif
