/* The command line as it was typed. */
#include "sim/cli/command_line.h"

#include <string.h>

static void quote(const char *word, struct buf *out) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_=,./:@%+";

    if (*word && word[strspn(word, plain)] == 0) {
        buf_puts(out, word);
        return;
    }
    buf_puts(out, "'");
    for (; *word; word++) {
        if (*word == '\'')
            buf_puts(out, "'\\''");
        else
            buf_append(out, word, 1);
    }
    buf_puts(out, "'");
}

void command_line(int argc, char **argv, struct buf *out) {
    buf_puts(out, "wgsim");
    for (int i = 0; i < argc; i++) {
        buf_puts(out, " ");
        quote(argv[i], out);
    }
}
