/* Code points. */
#include "sim/wgsl/unicode.h"

#include <stddef.h>

struct range {
    uint32_t first, last;
};

#define R(first, last) {first, last},
static const struct range xid_start[] = {
#include "sim/wgsl/xid_start.def"
};
static const struct range xid_continue[] = {
#include "sim/wgsl/xid_continue.def"
};
#undef R

uint32_t utf8_next(const char **p, const char *end) {
    const unsigned char *s = (const unsigned char *)*p;
    uint32_t c = s[0];
    (*p)++;
    if (c < 0x80)
        return c;
    int more = c >= 0xf0 && c < 0xf5   ? 3
               : c >= 0xe0 && c < 0xf0 ? 2
               : c >= 0xc2 && c < 0xe0 ? 1
                                       : 0;
    if (!more || end - (const char *)s <= more)
        return UTF8_INVALID;
    c &= 0x3fu >> more;
    for (int i = 1; i <= more; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return UTF8_INVALID;
        c = c << 6 | (s[i] & 0x3f);
    }
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    if (c < least[more] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return UTF8_INVALID;
    *p += more;
    return c;
}

static bool is_in(const struct range *ranges, size_t count, uint32_t c) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c > ranges[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && c >= ranges[low].first;
}

bool unicode_is_xid_start(uint32_t c) {
    if (c < 0x80)
        return (c | 32) >= 'a' && (c | 32) <= 'z';
    return is_in(xid_start, sizeof xid_start / sizeof xid_start[0], c);
}

bool unicode_is_xid_continue(uint32_t c) {
    if (c < 0x80)
        return ((c | 32) >= 'a' && (c | 32) <= 'z') || (c >= '0' && c <= '9') || c == '_';
    return is_in(xid_continue, sizeof xid_continue / sizeof xid_continue[0], c);
}
