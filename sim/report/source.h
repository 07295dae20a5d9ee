/* Lines of source files, to be shown beside what is said about them. */
#ifndef SIM_REPORT_SOURCE_H
#define SIM_REPORT_SOURCE_H

#include <stdint.h>

#include "sim/arena.h"

struct source_file;

struct sources {
    struct arena arena;
    const char *root; /* folder that relative names start from; NULL: the current one */
    struct source_file *files;
};

void sources_init(struct sources *sources, const char *root);
void sources_release(struct sources *sources);

/* Line `line`, from 1, without its end; NULL where there is no such file or line. */
const char *sources_line(struct sources *sources, const char *file, uint32_t line);

#endif
