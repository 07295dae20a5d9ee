/* A histogram that each workgroup first makes in its own memory, then adds to the common one: one
 * storage atomic a bin instead of one a word. */
#include "histogram.h"

WG_STORAGE_READ(0, 0, u32, words);
WG_STORAGE(0, 1, atomic_u32, bins);
WG_WORKGROUP(atomic_u32, local, BINS);

WG_ENTRY(main, GROUP, 1, 1) {
    u32 li = wg_local_invocation_index, step = wg_num_workgroups.x * GROUP;

    wg_atomic_store(local, li, 0);
    wg_workgroup_barrier();
    WG_FOR(u32 i = wg_global_invocation_id.x; i < wg_array_length(words); i += step) {
        u32 bin = wg_load(words, i) % BINS;

        wg_atomic_add_unused(local, bin, 1);
    }
    wg_workgroup_barrier();

    u32 count = wg_atomic_load(local, li);

    wg_atomic_add_unused(bins, li, count);
}

static int plan(struct wg_plan *p) {
    return histogram_plan(p, wg_var_words, wg_var_bins);
}

static int check(struct wg_plan *p) {
    return histogram_check(p, wg_var_words, wg_var_bins);
}

WG_KERNEL("histogram", "a histogram by atomics in workgroup memory, one storage atomic a bin",
          .default_size = 4096, .plan = plan, .check = check);
