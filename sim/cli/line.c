/* Lines of input. */
#include "sim/cli/line.h"

bool line_read(struct buf *line, size_t limit, FILE *file) {
    int c = 0;

    line->len = 0;
    while (c != '\n' && line->len <= limit && !line->failed && (c = getc_unlocked(file)) != EOF)
        buf_append(line, &(char){(char)c}, 1);
    return line->len > 0 || line->failed;
}
