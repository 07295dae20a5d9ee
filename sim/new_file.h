/* Files that appear under their name only once they are whole: until then they have none, so that
 * nothing is left of them if the program ends before. */
#ifndef SIM_NEW_FILE_H
#define SIM_NEW_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "wgsim/wgsim.h"

struct new_file {
    const char *path;
    int fd;     /* without a name; -1: not open */
    int target; /* of what is no file of its own, such as a pipe: copied to at the end; else -1 */
    int failed; /* errno of the first write that failed, or 0 */
};

/* Says what can be said now of whether the file can be written. The path must stay. */
int new_file_open(struct new_file *file, const char *path, struct wgsim_error *err);
/* The same question, and nothing left open. */
int new_file_check(const char *path, struct wgsim_error *err);
/* Throws away what was written, if it was not published. Does nothing to a file of zeros. */
void new_file_release(struct new_file *file);

/* A write that fails is told when the file is published; those behind it do nothing. */
void new_file_write(struct new_file *file, const void *bytes, size_t count);

/* The file is whole: gives it its name, in place of what was there. */
int new_file_publish(struct new_file *file, struct wgsim_error *err);

#endif
