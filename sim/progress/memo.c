/* Finding steps again. */
#include "sim/progress/memo.h"

#include <stdlib.h>
#include <string.h>

void memo_init(struct memo *memo) {
    *memo = (struct memo){0};
    arena_init(&memo->arena);
}

void memo_release(struct memo *memo) {
    arena_release(&memo->arena);
    intern_release(&memo->starts);
    intern_release(&memo->keys);
    free(memo->first);
    free(memo->chains);
    memo_init(memo);
}

uint64_t memo_bytes(const struct memo *memo) {
    return memo->bytes + intern_bytes(&memo->starts) + intern_bytes(&memo->keys) +
           memo->first_capacity * sizeof *memo->first +
           memo->chain_capacity * sizeof(struct memo_entry *);
}

/* What the first pages hold. */
struct key {
    uint32_t start, numbers[MEMO_MEMORIES];
};

static struct key key_of(const struct memo *memo, uint32_t start,
                         const struct memory *const memories[], const uint32_t tables[]) {
    struct key key = {.start = start};

    for (int m = 0; m < MEMO_MEMORIES; m++)
        if (memo->first[start].page[m] != MEMO_NO_PAGE)
            key.numbers[m] = memory_page_number(memories[m], tables[m], memo->first[start].page[m]);
    return key;
}

static bool holds(const struct memo_entry *entry, const struct memory *const memories[],
                  const uint32_t tables[]) {
    const struct memo_page *page = entry->pages;

    for (int m = 0; m < MEMO_MEMORIES; m++) {
        const struct memo_page *end = page + entry->page_count[m];
        for (; page < end; page++)
            if (memory_page_number(memories[m], tables[m], page->page) != page->before)
                return false;
    }
    return true;
}

const struct memo_entry *memo_find(const struct memo *memo, uint32_t which, uint32_t process,
                                   const struct memory *const memories[MEMO_MEMORIES],
                                   const uint32_t tables[MEMO_MEMORIES]) {
    const uint32_t from[] = {which, process};
    uint32_t start = intern_find(&memo->starts, from, sizeof from);

    if (start == INTERN_FAILED)
        return NULL;
    struct key key = key_of(memo, start, memories, tables);
    uint32_t number = intern_find(&memo->keys, &key, sizeof key);
    const struct memo_entry *entry = number == INTERN_FAILED ? NULL : memo->chains[number];
    while (entry && !holds(entry, memories, tables))
        entry = entry->next;
    return entry;
}

/* Room for member `number` of an array. NULL: out of memory. */
static void *grown(void *items, size_t *capacity, size_t number, size_t size) {
    size_t wanted = *capacity ? *capacity * 2 : 256;

    if (number < *capacity)
        return items;
    void *larger = realloc(items, wanted * size);
    if (larger) {
        memset((char *)larger + *capacity * size, 0, (wanted - *capacity) * size);
        *capacity = wanted;
    }
    return larger;
}

/* The number of a start. INTERN_FAILED: out of memory. */
static uint32_t add_start(struct memo *memo, uint32_t which, uint32_t process,
                          const struct memory *const memories[]) {
    const uint32_t from[] = {which, process};
    uint32_t known = (uint32_t)memo->starts.count;
    uint32_t start = intern_add(&memo->starts, from, sizeof from);

    if (start == INTERN_FAILED || start < known)
        return start;
    void *first = grown(memo->first, &memo->first_capacity, start, sizeof *memo->first);
    if (!first)
        return INTERN_FAILED;
    memo->first = first;
    for (int m = 0; m < MEMO_MEMORIES; m++)
        memo->first[start].page[m] =
            memories[m]->noted_count ? memories[m]->noted[0] : MEMO_NO_PAGE;
    return start;
}

static struct memo_entry *new_entry(struct memo *memo, const struct memory *const memories[],
                                    const uint32_t tables[]) {
    size_t count = memories[0]->noted_count + memories[1]->noted_count;
    struct memo_entry *entry = arena_alloc(&memo->arena, sizeof *entry);
    struct memo_page *page = arena_alloc(&memo->arena, (count + 1) * sizeof *page);

    if (!entry || !page)
        return NULL;
    memo->bytes += sizeof *entry + (count + 1) * sizeof *page;
    entry->pages = page;
    for (int m = 0; m < MEMO_MEMORIES; m++) {
        entry->page_count[m] = memories[m]->noted_count;
        for (uint32_t i = 0; i < memories[m]->noted_count; i++) {
            uint32_t noted = memories[m]->noted[i];
            *page++ = (struct memo_page){noted, memory_page_number(memories[m], tables[m], noted),
                                         memories[m]->pages[noted].now};
        }
    }
    return entry;
}

int memo_add(struct memo *memo, uint32_t which, uint32_t process_before, uint32_t process_after,
             const struct memory *const memories[MEMO_MEMORIES],
             const uint32_t tables[MEMO_MEMORIES], const struct system_step *step) {
    uint32_t start = add_start(memo, which, process_before, memories);
    struct memo_entry *entry = start == INTERN_FAILED ? NULL : new_entry(memo, memories, tables);

    if (!entry)
        return -1;
    struct key key = key_of(memo, start, memories, tables);
    uint32_t number = intern_add(&memo->keys, &key, sizeof key);
    void *chains = number == INTERN_FAILED ? NULL
                                           : grown(memo->chains, &memo->chain_capacity, number,
                                                   sizeof(struct memo_entry *));
    if (!chains)
        return -1;
    memo->chains = chains;
    entry->process_after = process_after;
    entry->step = *step;
    entry->next = memo->chains[number];
    memo->chains[number] = entry;
    return 0;
}
