/* Lines of input. */
#ifndef SIM_CLI_LINE_H
#define SIM_CLI_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sim/buf.h"

/* Reads the next line with its newline, which the last one of a file may lack. Of a line over the
 * limit one byte more than that is read. False: there is none. */
bool line_read(struct buf *line, size_t limit, FILE *file);

#endif
