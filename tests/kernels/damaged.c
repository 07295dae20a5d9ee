/* Descriptors of kernels, each damaged in one place, and what is said of it: compiled and read by
 * test_descriptor. */
#include <wgsim/kernel.h>

#define OUTSIDE ((const void *)(uintptr_t)16)
#define LIST(name, type, ...) static const struct type name[] = {__VA_ARGS__}

static void run(struct wg *wg) {
    (void)wg;
}
static void size(const struct wg *wg, u32 out[3]) {
    (void)wg;
    out[0] = out[1] = out[2] = 1;
}
static uint64_t count(const struct wg *wg) {
    (void)wg;
    return 1;
}
static int plan(struct wg_plan *p) {
    (void)p;
    return 0;
}

#define ENTRY(...)                                                                                 \
    { .name = "main", .run = run, .size = size, __VA_ARGS__ }
#define VAR(...)                                                                                   \
    {                                                                                              \
        .name = "a", .type = "u32", .components = 1, .element_bytes = 4, .stride = 4,              \
        .count = count, __VA_ARGS__                                                                \
    }
#define OVERRIDE(...)                                                                              \
    { .name = "o", .summary = "is one", __VA_ARGS__ }
#define SITE(...)                                                                                  \
    { .file = "a.c", .text = "a[0]", .variable = "a", .bytes = 4, __VA_ARGS__ }
#define LISTS(kind, list) .kind = list, .kind##_end = list + sizeof list / sizeof list[0]

static const uint32_t uses[] = {0, WG_VAR_DYNAMIC}, uses_other[] = {7, WG_VAR_DYNAMIC},
                      uses_wild[] = {4000000000u, WG_VAR_DYNAMIC};
LIST(entries, wg_entry, ENTRY(.uses = uses));
LIST(vars, wg_var, VAR());
LIST(overrides, wg_override, OVERRIDE());
LIST(sites, wg_site, SITE(), SITE(.id = 1, .var = WG_VAR_DYNAMIC));

LIST(entry_nameless, wg_entry, ENTRY(.name = OUTSIDE));
LIST(entry_null, wg_entry, ENTRY(.name = NULL));
LIST(entry_run, wg_entry, ENTRY(.run = (void (*)(struct wg *))(uintptr_t)&vars));
LIST(entry_no_run, wg_entry, ENTRY(.run = NULL));
LIST(entry_size, wg_entry, ENTRY(.size = (void (*)(const struct wg *, u32 *))(uintptr_t)16));
LIST(entry_uses, wg_entry, ENTRY(.uses = OUTSIDE));
LIST(entry_odd, wg_entry, ENTRY(.uses = (const uint32_t *)((uintptr_t)uses + 2)));
LIST(entry_other, wg_entry, ENTRY(.uses = uses_other));
LIST(entry_wild, wg_entry, ENTRY(.uses = uses_wild));
LIST(entry_width, wg_entry, ENTRY(.subgroup_size = 24));
LIST(entry_wide, wg_entry, ENTRY(.subgroup_size = 1u << 31));

LIST(var_name, wg_var, VAR(.name = (const char *)(uintptr_t)&memchr));
LIST(var_type, wg_var, VAR(.type = OUTSIDE));
LIST(var_id, wg_var, VAR(.id = WG_MAX_VARS));
LIST(var_twice, wg_var, VAR(), VAR());
LIST(var_space, wg_var, VAR(.space = 4));
LIST(var_scalar, wg_var, VAR(.scalar = 200));
LIST(var_bytes, wg_var, VAR(.components = 4));
LIST(var_components, wg_var, VAR(.components = 200));
LIST(var_stride, wg_var, VAR(.stride = 0));
LIST(var_empty, wg_var, VAR(.scalar = WG_STRUCT, .components = 0, .element_bytes = 0));
LIST(var_count, wg_var, VAR(.count = (uint64_t(*)(const struct wg *))(uintptr_t)16));

LIST(override_name, wg_override, OVERRIDE(.name = OUTSIDE));
LIST(override_summary, wg_override, OVERRIDE(.summary = OUTSIDE));
LIST(override_id, wg_override, OVERRIDE(.id = WG_MAX_OVERRIDES));
LIST(override_twice, wg_override, OVERRIDE(), OVERRIDE());
LIST(override_type, wg_override, OVERRIDE(.type = WG_STRUCT));

LIST(site_file, wg_site, SITE(.file = OUTSIDE));
LIST(site_text, wg_site, SITE(.text = NULL));
LIST(site_variable, wg_site, SITE(.variable = OUTSIDE));
LIST(site_id, wg_site, SITE(.id = 65536));
LIST(site_twice, wg_site, SITE(), SITE());
LIST(site_op, wg_site, SITE(.op = WG_OP_ARITHMETIC + 1));
LIST(site_space, wg_site, SITE(.space = 4));
LIST(site_var, wg_site, SITE(.var = 1));
LIST(site_wild, wg_site, SITE(.var = 4000000000u));
LIST(site_vector, wg_site, SITE(.vector_bytes = 255));
LIST(site_narrow, wg_site, SITE(.vector_bytes = 2));

struct damaged {
    struct wg_kernel kernel;
    const char *what; /* NULL: nothing is wrong */
};
#define KERNEL(...)                                                                                \
    {                                                                                              \
        .abi = WG_ABI_, .name = "k", .summary = "is a kernel", .source = "k.c", .plan = plan,      \
        LISTS(sites, sites), LISTS(vars, vars), LISTS(overrides, overrides),                       \
        LISTS(entries, entries), __VA_ARGS__                                                       \
    }

#define ENTRY_NAME "an entry point's name is not in it"
#define ENTRY_CODE "an entry point's code is not in it"
#define ENTRY_USES "an entry point uses a variable that is not in it"
#define ENTRY_SUBGROUP "an entry point has a subgroup size that there is not"
#define VAR_NAME "a variable's name is not in it"
#define VAR_TYPE "a variable has a type that there is not"
#define OVERRIDE_NAME "an override's name is not in it"
#define SITE_TEXT "a text of a place of access is not in it"
#define SITE_WHAT "a place of access does what there is not"
#define SITE_VAR "a place of access is to a variable that is not in it"
#define SITE_WIDTH "a place of access has a width that there is not"
#define A_LIST "a list is not in it"

const struct damaged damaged[] = {
    {KERNEL(.default_size = 0), NULL},
    {KERNEL(.summary = NULL), NULL},
    {KERNEL(.sites = NULL, .sites_end = NULL), NULL},
    {KERNEL(.abi = 1), "built for kernel interface 1, this wgsim has 2: compile it again"},
    {KERNEL(.name = OUTSIDE), "its name is not in it"},
    {KERNEL(.source = NULL), "its name is not in it"},
    {KERNEL(.plan = (int (*)(struct wg_plan *))(uintptr_t)&sites),
     "its plan or check is not in it"},
    {KERNEL(.check = (int (*)(struct wg_plan *))(uintptr_t)16), "its plan or check is not in it"},
    {KERNEL(.entries = entries + 1), "has no entry point"},
    {KERNEL(.entries = NULL), A_LIST},
    {KERNEL(.entries_end = OUTSIDE), A_LIST},
    /* cppcheck-suppress pointerOutOfBounds ; on purpose */
    {KERNEL(.vars_end = vars - 1), A_LIST},
    {KERNEL(.vars = (const void *)((uintptr_t)vars + 8),
            .vars_end = (const void *)((uintptr_t)vars + 8 + sizeof vars)),
     A_LIST},
    /* cppcheck-suppress pointerOutOfBounds ; on purpose */
    {KERNEL(.sites_end = sites + (1 << 20)), A_LIST},
    {KERNEL(.sites_end = (const void *)((uintptr_t)sites + 65)), A_LIST},
    {KERNEL(.overrides = OUTSIDE), A_LIST},
    {KERNEL(LISTS(entries, entry_nameless)), ENTRY_NAME},
    {KERNEL(LISTS(entries, entry_null)), ENTRY_NAME},
    {KERNEL(LISTS(entries, entry_run)), ENTRY_CODE},
    {KERNEL(LISTS(entries, entry_no_run)), ENTRY_CODE},
    {KERNEL(LISTS(entries, entry_size)), ENTRY_CODE},
    {KERNEL(LISTS(entries, entry_uses)), ENTRY_USES},
    {KERNEL(LISTS(entries, entry_odd)), ENTRY_USES},
    {KERNEL(LISTS(entries, entry_other)), ENTRY_USES},
    {KERNEL(LISTS(entries, entry_wild)), ENTRY_USES},
    {KERNEL(LISTS(entries, entry_width)), ENTRY_SUBGROUP},
    {KERNEL(LISTS(entries, entry_wide)), ENTRY_SUBGROUP},
    {KERNEL(LISTS(vars, var_name)), VAR_NAME},
    {KERNEL(LISTS(vars, var_type)), VAR_NAME},
    {KERNEL(LISTS(vars, var_id)), "more than 120 variables"},
    {KERNEL(LISTS(vars, var_twice)), "two variables have one id"},
    {KERNEL(LISTS(vars, var_space)), VAR_TYPE},
    {KERNEL(LISTS(vars, var_scalar)), VAR_TYPE},
    {KERNEL(LISTS(vars, var_bytes)), VAR_TYPE},
    {KERNEL(LISTS(vars, var_components)), VAR_TYPE},
    {KERNEL(LISTS(vars, var_stride)), VAR_TYPE},
    {KERNEL(LISTS(vars, var_empty)), VAR_TYPE},
    {KERNEL(LISTS(vars, var_count)), "a variable's count is not in it"},
    {KERNEL(LISTS(overrides, override_name)), OVERRIDE_NAME},
    {KERNEL(LISTS(overrides, override_summary)), OVERRIDE_NAME},
    {KERNEL(LISTS(overrides, override_id)), "more than 120 overrides"},
    {KERNEL(LISTS(overrides, override_twice)), "two overrides have one id"},
    {KERNEL(LISTS(overrides, override_type)), "an override has a type that there is not"},
    {KERNEL(LISTS(sites, site_file)), SITE_TEXT},
    {KERNEL(LISTS(sites, site_text)), SITE_TEXT},
    {KERNEL(LISTS(sites, site_variable)), SITE_TEXT},
    {KERNEL(LISTS(sites, site_id)), "more than 65536 places of access"},
    {KERNEL(LISTS(sites, site_twice)), "two places of access have one id"},
    {KERNEL(LISTS(sites, site_op)), SITE_WHAT},
    {KERNEL(LISTS(sites, site_space)), SITE_WHAT},
    {KERNEL(LISTS(sites, site_var)), SITE_VAR},
    {KERNEL(LISTS(sites, site_wild)), SITE_VAR},
    {KERNEL(LISTS(sites, site_vector)), SITE_WIDTH},
    {KERNEL(LISTS(sites, site_narrow)), SITE_WIDTH},
};
const uint32_t damaged_count = sizeof damaged / sizeof damaged[0];
