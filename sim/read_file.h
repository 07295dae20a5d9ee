/* Whole files, up to a limit. */
#ifndef SIM_READ_FILE_H
#define SIM_READ_FILE_H

#include <stddef.h>
#include <sys/stat.h>

#include "wgsim/wgsim.h"

/* The bytes with a NUL behind them, to be freed. NULL with a message that names the file if it
 * cannot be read, or is longer than so many bytes (whole MiB): too long for `what`, such as "a
 * shader". */
char *read_file(const char *path, const char *what, size_t limit, size_t *length,
                struct wgsim_error *err);

/* Why a file cannot be read, by errno: strerror's text, but for folders. */
const char *read_file_error(int number);

/* 0 if it is a regular file, else -1 with a message: for what is read otherwise than from start to
 * end. */
int check_regular(const char *path, const struct stat *info, struct wgsim_error *err);

#endif
