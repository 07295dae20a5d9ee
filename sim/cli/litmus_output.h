/* How verdicts of litmus tests are printed. */
#ifndef SIM_CLI_LITMUS_OUTPUT_H
#define SIM_CLI_LITMUS_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>

#include "sim/progress/decide.h"
#include "sim/progress/litmus.h"

/* "P", "F" or "unknown". */
const char *verdict_letter(enum model_verdict verdict);

/* {"config", "id", "program"} */
json_t *litmus_row(const struct litmus_test *test, size_t number);
/* With a verdict for each model. */
json_t *litmus_verdicts(const struct litmus_test *test, size_t number,
                        const struct decision *decision);

/* Rows as a table with a header: config, id, the columns, of which the last is followed by NULL,
 * and the program. */
void litmus_print_table(const json_t *rows, const char *const columns[]);

/* Prints rows as a table with a header, or as a document. The rows are given up. */
int litmus_print(json_t *rows, bool json);

/* A document of schema wgsim-progress/1 around verdicts, which are given up; and printing one. */
json_t *progress_document(json_t *verdicts);
int progress_print(json_t *document);

#endif
