/* Contents of memory by number. */
#include "sim/progress/memory.h"

#include <stdlib.h>
#include <string.h>

static int grow(struct memory *memory, uint32_t more) {
    size_t count = (size_t)memory->page_count + more;
    struct memory_page *pages = realloc(memory->pages, count * sizeof *pages);
    if (pages)
        memory->pages = pages;
    uint32_t *table = realloc(memory->table, count * sizeof *table);
    if (table)
        memory->table = table;
    uint32_t *noted = realloc(memory->noted, count * sizeof *noted);
    if (noted)
        memory->noted = noted;
    return pages && table && noted ? 0 : -1;
}

uint32_t memory_append(struct memory *memory, void *data, size_t bytes) {
    uint32_t first = memory->page_count;
    uint32_t more = (uint32_t)((bytes + MEMORY_PAGE_BYTES - 1) / MEMORY_PAGE_BYTES);
    uint8_t *at = data;

    memory->changed = true;
    if (more && grow(memory, more) < 0)
        return MEMORY_FAILED;
    for (; bytes; memory->page_count++) {
        uint32_t part = bytes < MEMORY_PAGE_BYTES ? (uint32_t)bytes : MEMORY_PAGE_BYTES;
        memory->pages[memory->page_count] = (struct memory_page){.data = at, .bytes = part};
        memory_note(memory, memory->page_count, 0, 1, true);
        at += part;
        bytes -= part;
    }
    return first;
}

void memory_note(struct memory *memory, uint32_t first, uint64_t offset, uint64_t bytes,
                 bool changed) {
    uint32_t page = first + (uint32_t)(offset / MEMORY_PAGE_BYTES);
    uint32_t last = first + (uint32_t)((offset + bytes - 1) / MEMORY_PAGE_BYTES);

    memory->changed |= changed;
    for (; page <= last; page++) {
        memory->pages[page].changed |= changed;
        if (memory->pages[page].noted)
            continue;
        memory->pages[page].noted = true;
        memory->noted[memory->noted_count++] = page;
    }
}

void memory_note_all_changed(struct memory *memory) {
    for (uint32_t page = 0; page < memory->page_count; page++)
        memory_note(memory, page, 0, 1, true);
}

void memory_forget_noted(struct memory *memory) {
    while (memory->noted_count)
        memory->pages[memory->noted[--memory->noted_count]].noted = false;
}

uint32_t memory_save(struct memory *memory) {
    if (!memory->changed)
        return memory->now;
    for (uint32_t i = 0; i < memory->noted_count; i++) {
        struct memory_page *page = &memory->pages[memory->noted[i]];
        if (!page->changed)
            continue;
        page->now = intern_add(&memory->contents->pages, page->data, page->bytes);
        if (page->now == INTERN_FAILED)
            return MEMORY_FAILED;
        page->changed = false;
    }
    for (uint32_t p = 0; p < memory->page_count; p++)
        memory->table[p] = memory->pages[p].now;
    memory->now = intern_add(&memory->contents->tables, memory->table,
                             memory->page_count * sizeof *memory->table);
    memory->changed = false;
    return memory->now;
}

void memory_load(struct memory *memory, uint32_t number) {
    if (number == memory->now && !memory->changed)
        return;
    const uint8_t *table = intern_get(&memory->contents->tables, number)->bytes;
    for (uint32_t p = 0; p < memory->page_count; p++) {
        struct memory_page *page = &memory->pages[p];
        uint32_t wanted;
        memcpy(&wanted, table + p * sizeof wanted, sizeof wanted);
        if (page->now == wanted && !page->changed)
            continue;
        memcpy(page->data, intern_get(&memory->contents->pages, wanted)->bytes, page->bytes);
        page->now = wanted;
        page->changed = false;
    }
    memory->now = number;
    memory->changed = false;
}

void memory_release(struct memory *memory) {
    free(memory->pages);
    free(memory->table);
    free(memory->noted);
    *memory = (struct memory){0};
}

void memory_contents_release(struct memory_contents *contents) {
    intern_release(&contents->pages);
    intern_release(&contents->tables);
}
