/* Memory whose contents can be kept and gone back to by number: equal numbers are equal bytes. Work
 * is by pages, and only on those that differ. */
#ifndef SIM_PROGRESS_MEMORY_H
#define SIM_PROGRESS_MEMORY_H

#include <stdbool.h>

#include "sim/progress/intern.h"

/* What may be shared by memories that are laid out alike. */
struct memory_contents {
    struct intern pages, tables; /* a table: the numbers of all pages */
};

struct memory {
    struct memory_contents *contents;
    struct memory_page {
        uint8_t *data;
        uint32_t bytes;
        uint32_t now; /* number of what it held when it was last saved or loaded */
        bool changed; /* it may hold something else by now */
        bool noted;
    } * pages;
    uint32_t *table; /* scratch: as many numbers */
    uint32_t *noted; /* pages that were looked at or changed */
    uint32_t page_count, noted_count;
    uint32_t now; /* number of the table when it was last saved or loaded */
    bool changed; /* some page was, since */
};

enum { MEMORY_PAGE_BYTES = 512 };

/* Appends bytes, which stay where they are; returns the first one's page. MEMORY_FAILED: out of
 * memory. */
#define MEMORY_FAILED UINT32_MAX
uint32_t memory_append(struct memory *memory, void *data, size_t bytes);
/* Bytes from `offset` behind the beginning of page `first` on were looked at, or changed. */
void memory_note(struct memory *memory, uint32_t first, uint64_t offset, uint64_t bytes,
                 bool changed);
void memory_note_all_changed(struct memory *memory);
/* Forgets which pages were noted; those that changed are saved or given up before. */
void memory_forget_noted(struct memory *memory);
/* The number of the contents. MEMORY_FAILED: out of memory. */
uint32_t memory_save(struct memory *memory);
void memory_load(struct memory *memory, uint32_t number);
void memory_release(struct memory *memory);

/* The number of a page in a table. */
static inline uint32_t memory_page_number(const struct memory *memory, uint32_t table,
                                          uint32_t page) {
    const void *numbers = intern_get(&memory->contents->tables, table)->bytes;

    return ((const uint32_t *)numbers)[page];
}

static inline uint64_t memory_contents_bytes(const struct memory_contents *contents) {
    return intern_bytes(&contents->pages) + intern_bytes(&contents->tables);
}
void memory_contents_release(struct memory_contents *contents);

#endif
