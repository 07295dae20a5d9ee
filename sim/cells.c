/* Memory of cells. */
#include "sim/cells.h"

#include <stdlib.h>
#include <string.h>

#include "sim/room.h"

/* Room behind the last piece, so that a whole row may be read there. */
enum { SLACK = 64 };

static uint32_t kept(enum cell_access access) {
    return access == CELL_WRITE ? 1 : 2;
}

static size_t pair_bytes(enum cell_access access, uint64_t pieces) {
    return kept(access) * (pieces + SLACK) * (sizeof(cell_tag) + sizeof(uint16_t));
}

static size_t total_bytes(uint64_t pieces, uint32_t accesses) {
    size_t bytes = 0;

    for (enum cell_access access = 0; access < CELL_ACCESSES; access++)
        if (accesses >> access & 1)
            bytes += pair_bytes(access, pieces);
    return bytes;
}

/* Little memory is written here, as a whole: a page that is read first costs two faults, of which
 * the second stops all threads. Not with memset, which compilers make calloc of. */
static uint8_t *zeroed(size_t bytes) {
    enum { LITTLE = 1 << 26 };

    if (bytes > LITTLE)
        return calloc(1, bytes);
    uint8_t *memory = room_take(bytes);
    if (memory)
        explicit_bzero(memory, bytes);
    return memory;
}

int cells_init(struct cells *cells, uint64_t bytes, uint32_t shift, uint32_t accesses) {
    *cells = (struct cells){.pieces = (bytes + (1u << shift) - 1) >> shift, .shift = shift};
    uint8_t *at = cells->memory = zeroed(total_bytes(cells->pieces, accesses) + 1);
    if (!at)
        return -1;
    for (enum cell_access access = 0; access < CELL_ACCESSES; access++)
        for (uint32_t i = 0; (accesses >> access & 1) && i < kept(access); i++) {
            cells->who[access].tag[i] = (cell_tag *)(void *)at;
            at += (cells->pieces + SLACK) * sizeof(cell_tag);
        }
    for (enum cell_access access = 0; access < CELL_ACCESSES; access++)
        for (uint32_t i = 0; (accesses >> access & 1) && i < kept(access); i++) {
            cells->who[access].site[i] = (uint16_t *)(void *)at;
            at += (cells->pieces + SLACK) * sizeof(uint16_t);
        }
    return 0;
}

void cells_release(struct cells *cells) {
    free(cells->memory);
    *cells = (struct cells){0};
}

void cells_clear(struct cells *cells) {
    for (enum cell_access access = 0; access < CELL_ACCESSES; access++)
        for (uint32_t i = 0; i < kept(access); i++)
            if (cells->who[access].tag[i])
                memset(cells->who[access].tag[i], 0, cells->pieces * sizeof(cell_tag));
}
