/* Standard output: documents, and what happens when it is closed, or cannot be written. */
#ifndef SIM_CLI_OUTPUT_H
#define SIM_CLI_OUTPUT_H

#include <jansson.h>

#include "wgsim/wgsim.h"

/* Call first in main: standard streams that are closed become /dev/null, so that no file that is
 * opened later gets their number, and a reader that goes away does not kill the process, nor does a
 * file that grows too large. */
void output_init(void);

/* What was printed is written before anything else is. */
void output_flush(void);

/* Call last in main with the exit status so far; returns the one to exit with. A reader that went
 * away (EPIPE) is silent; any other failed write is one line on stderr and status 2. */
int output_finish(int status);

/* Prints a document and releases it. NULL is one that could not be made: -1 with a message. A write
 * that fails is output_finish's to tell. */
int output_json(json_t *document, struct wgsim_error *err);

#endif
