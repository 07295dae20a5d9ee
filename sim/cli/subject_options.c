/* Options for what a command runs when it is a shader. */
#include "sim/cli/subject_options.h"

#define AT(member) offsetof(struct subject_cli, member)

const struct cli_option subject_option_table[] = {
    {"buffer", NULL, 0, CLI_NAMED, AT(buffers), "[G:]B=SPEC", NULL,
     "contents of a binding: zero:TYPE[N], iota:TYPE[N], random:TYPE[N][@seed], "
     "values:TYPE:v,v,..., file:PATH, texture:FORMAT:WxH or sampler:FILTER; may be repeated "
     "(zeros)"},
    {0},
};
