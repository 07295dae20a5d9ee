/* What sentences call an element of a variable. */
#ifndef SIM_ELEMENT_H
#define SIM_ELEMENT_H

#include "sim/finding.h"
#include "wgsim/kernel.h"

/* name[i], and of a struct the member, as the site writes it. */
const char *element_text(struct findings *findings, const struct wg_var *var, uint64_t byte,
                         const struct wg_site *site);

/* What a site accesses: its text, or for an atomic the operand behind the '&'. */
const char *element_operand(struct findings *findings, const char *text);

#endif
