/* Contents of textures and samplers as users write them: "rgba8unorm:64x32:random@7",
 * "linear:repeat". */
#ifndef SIM_TEXTURE_SPEC_H
#define SIM_TEXTURE_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "wgsim/wgsim.h"

/* FORMAT:WxH[xD][:CONTENTS], where CONTENTS are zero, random[@seed] or file:PATH with the texels.
 * The bytes as wgsim/wgsl_format.h says, which the caller frees. */
uint8_t *texture_spec_fill(const char *text, uint64_t *bytes, struct wgsim_error *err);

/* [nearest or linear][:clamp, repeat or mirror] */
uint8_t *sampler_spec_fill(const char *text, uint64_t *bytes, struct wgsim_error *err);

/* Whether a variable of this type, as in WGSL, is a texture or a sampler. */
bool texture_spec_is_texture(const char *type);
bool texture_spec_is_sampler(const char *type);

/* Where a variable's contents begin: of a texture, behind what describes it. */
uint64_t texture_spec_start(const char *type);

/* The number of the texel, as texels lie, that holds a byte of a texture's bytes: their length
 * gives how many there are. */
uint64_t texture_spec_texel(const uint8_t *data, uint64_t byte);

/* Where that texel lies in a texture of the type, "(7, 0), layer 2", into `text`, which is
 * returned. */
enum { TEXTURE_PLACE_LENGTH = 80 };
const char *texture_spec_place(const uint8_t *data, const char *type, uint64_t byte,
                               char text[TEXTURE_PLACE_LENGTH]);

/* A texture of zeros for a variable of a type, of its own format or one of 8 bits a channel. */
uint8_t *texture_spec_default(const char *type, const uint32_t size[3], uint64_t *bytes,
                              struct wgsim_error *err);

/* Makes the texture one of three dimensions or of layers, as the variable's type is. */
void texture_spec_fit(uint8_t *data, const char *type);

/* Refuses bytes that are no texture, and one that WebGPU does not bind to a variable of the type:
 * for its format, its dimensions or its layers. */
int texture_spec_check(const uint8_t *data, uint64_t bytes, const char *type,
                       struct wgsim_error *err);

#endif
