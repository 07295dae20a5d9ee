/* A fuzz target without a fuzzer: feeds it the seeds of corpus/NAME and the same few mutations of
 * each on every run. NAME is what follows replay_ in the program's name. */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <limits.h>
#include <string.h>

enum { MUTATIONS = 200, INPUT_MAX = 1 << 20, GROWTH_MAX = 64 };

static uint32_t next_random(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Inputs are copied to their exact size, so that a sanitizer sees a read past the end. */
static void feed(const uint8_t *data, size_t size) {
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact)
        return;
    memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

/* Changes, cuts or doubles a part of the input; returns its new size. The buffer has GROWTH_MAX
 * bytes more. */
static size_t mutate(uint8_t *data, size_t size, uint32_t *random) {
    if (size == 0) {
        data[0] = (uint8_t)next_random(random);
        return 1;
    }
    size_t at = next_random(random) % size;
    size_t length = 1 + next_random(random) % GROWTH_MAX;
    if (length > size - at)
        length = size - at;
    switch (next_random(random) % 4) {
    case 0:
        data[at] = (uint8_t)next_random(random);
        return size;
    case 1:
        data[at] ^= (uint8_t)(1 << next_random(random) % 8);
        return size;
    case 2:
        memmove(data + at, data + at + length, size - at - length);
        return size - length;
    default:
        memmove(data + at + length, data + at, size - at);
        return size + length;
    }
}

static void replay_seed(const uint8_t *seed, size_t size, uint8_t *scratch) {
    uint32_t random = 2463534242u;
    feed(seed, size);
    for (int i = 0; i < MUTATIONS; i++) {
        memcpy(scratch, seed, size);
        feed(scratch, mutate(scratch, size, &random));
    }
}

static int compare_names(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_seed(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static int replay_file(const char *folder, const char *name) {
    static uint8_t seed[INPUT_MAX], scratch[INPUT_MAX + GROWTH_MAX];
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        return -1;
    size_t size = fread(seed, 1, INPUT_MAX, file);
    fclose(file);
    replay_seed(seed, size, scratch);
    return 0;
}

int main(int argc, char **argv) {
    const char *marker = argc > 0 ? strstr(argv[0], "replay_") : NULL;
    const char *srcdir = getenv("srcdir");
    char folder[PATH_MAX / 2];
    snprintf(folder, sizeof folder, "%s/tests/fuzz/corpus/%s", srcdir ? srcdir : ".",
             marker ? marker + strlen("replay_") : "");
    struct dirent **seeds;
    int count = scandir(folder, &seeds, is_seed, compare_names);
    if (count <= 0) {
        printf("Bail out! no seeds in %s\n", folder);
        return EXIT_FAILURE;
    }
    printf("1..%d\n", count);
    for (int i = 0; i < count; i++) {
        int result = replay_file(folder, seeds[i]->d_name);
        printf("%s %d - %s and %d mutations\n", result == 0 ? "ok" : "not ok", i + 1,
               seeds[i]->d_name, MUTATIONS);
        fflush(stdout);
        free(seeds[i]);
    }
    free(seeds);
    return EXIT_SUCCESS;
}
