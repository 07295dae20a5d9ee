/* Lists of words. */
#include "sim/progress/classes.h"

#include <string.h>

/* How many words of a variable there are. */
static uint64_t words_of(const struct system *system, size_t var) {
    return system_is_storage(system, var) ? system->dispatch.launch.buffers[var].bytes / 4 + 1 : 0;
}

/* Appends those of a variable, or only counts them where there is no list yet. */
static void collect_var(struct class_list *list, const struct system *system, uint32_t var) {
    uint64_t count = words_of(system, var);
    const uint8_t *classes = system->classes + system->first_word[var];

    for (uint64_t i = 0; i < count; i++) {
        if (classes[i] < WORD_READ)
            continue;
        if (i == 0 || classes[i - 1] != classes[i]) {
            if (list->items)
                list->items[list->count] =
                    (struct class_range){var, (enum word_class)classes[i], i, 0};
            list->count++;
        }
        if (list->items)
            list->items[list->count - 1].count++;
    }
}

static void collect(struct class_list *list, const struct system *system) {
    list->count = 0;
    for (uint32_t var = 0; var < system->dispatch.launch.kernel->var_limit; var++)
        collect_var(list, system, var);
}

int classes_collect(struct class_list *list, const struct system *system, struct arena *arena) {
    *list = (struct class_list){0};
    collect(list, system);
    list->items = arena_alloc(arena, (list->count + 1) * sizeof *list->items);
    if (!list->items)
        return -1;
    collect(list, system);
    return 0;
}

void classes_read_all(struct system *system) {
    memset(system->classes, WORD_READ, system->word_count);
}

int classes_apply(const struct class_list *list, struct system *system) {
    for (size_t i = 0; i < list->count; i++) {
        const struct class_range *item = &list->items[i];
        uint64_t count = item->var < WG_MAX_VARS ? words_of(system, item->var) : 0;
        if (item->first > count || item->count > count - item->first)
            return -1;
        for (uint64_t word = item->first; word < item->first + item->count; word++)
            system->classes[system->first_word[item->var] + word] = (uint8_t)item->class;
    }
    return 0;
}
