/* Comma-separated test data: opens a file of tests/data and splits its lines. */
#ifndef TESTS_CSV_H
#define TESTS_CSV_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CSV_COLUMNS = 64 };

struct csv {
    FILE *file;
    char line[4096];
    char *column[CSV_COLUMNS];
    int columns;
    int number; /* of the line, from 1 */
};

/* Splits the next line, without regard to quotes; 0 at the end of the file. */
static int csv_next(struct csv *csv) {
    if (!fgets(csv->line, sizeof csv->line, csv->file)) {
        fclose(csv->file);
        return 0;
    }
    csv->line[strcspn(csv->line, "\r\n")] = '\0';
    csv->number++;
    char *rest = csv->line;
    for (csv->columns = 0; rest && csv->columns < CSV_COLUMNS; csv->columns++)
        csv->column[csv->columns] = strsep(&rest, ",");
    return 1;
}

/* Opens the file and reads its heading. */
static struct csv csv_open(const char *name) {
    const char *srcdir = getenv("srcdir");
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/data/%s", srcdir ? srcdir : ".", name);
    struct csv csv = {.file = fopen(path, "r")};
    ck_assert_msg(csv.file != NULL, "cannot open %s", path);
    ck_assert(csv_next(&csv));
    return csv;
}

#endif
