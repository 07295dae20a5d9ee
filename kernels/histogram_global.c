/* A histogram by atomics in storage: one a word, and all workgroups meet in the same 256 words. */
#include "histogram.h"

WG_STORAGE_READ(0, 0, u32, words);
WG_STORAGE(0, 1, atomic_u32, bins);

WG_ENTRY(main, GROUP, 1, 1) {
    u32 step = wg_num_workgroups.x * GROUP;

    WG_FOR(u32 i = wg_global_invocation_id.x; i < wg_array_length(words); i += step) {
        u32 bin = wg_load(words, i) % BINS;

        wg_atomic_add_unused(bins, bin, 1);
    }
}

static int plan(struct wg_plan *p) {
    return histogram_plan(p, wg_var_words, wg_var_bins);
}

static int check(struct wg_plan *p) {
    return histogram_check(p, wg_var_words, wg_var_bins);
}

WG_KERNEL("histogram_global", "a histogram by storage atomics alone, one for each word",
          .default_size = 4096, .plan = plan, .check = check);
