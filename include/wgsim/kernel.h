/*
 * The device side of wgsim: everything that a compute kernel written in C may use.
 *
 * A kernel is one C file that includes this header alone and is compiled to a shared object. It
 * reads like its WGSL twin: declarations of buffers, workgroup variables and overrides, then entry
 * points whose accesses go through the wg_ macros below. Every access carries a static site (file,
 * line, expression), appends one 64-bit word to the log of its subgroup and then touches memory;
 * the simulator judges the log when the invocation gives up control. A kernel keeps no state of its
 * own outside invocation, workgroup and storage memory: an object that defines writable data is
 * refused when it is loaded.
 *
 * Needs GNU C (gcc or clang): statement expressions, cleanup, sections. See wgsim-kernel(3).
 */
#ifndef WGSIM_KERNEL_H
#define WGSIM_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Number of this interface. It is part of the exported symbol's name, so that an object built for
 * another one is refused by name. */
#define WGSIM_KERNEL_ABI 2

/* Accesses nest (name[other[i]]), and so do the temporaries of their macros. */
#pragma GCC diagnostic ignored "-Wshadow"

/* ---- Types: WGSL's names, WebGPU's layout ---- */

typedef uint32_t u32;
typedef int32_t i32;
typedef float f32;
/* Atomic element types: a distinct struct, so that a plain access to one does not compile. */
typedef struct {
    u32 bits;
} atomic_u32;
typedef struct {
    i32 bits;
} atomic_i32;

#ifndef WGSIM_WGSL_H /* translated shaders have vectors with operators */
#define WG_VECTOR_(name, scalar)                                                                   \
    typedef struct {                                                                               \
        scalar x, y;                                                                               \
    } __attribute__((aligned(8))) vec2##name;                                                      \
    typedef struct {                                                                               \
        scalar x, y, z;                                                                            \
    } vec3##name;                                                                                  \
    typedef struct {                                                                               \
        scalar x, y, z, w;                                                                         \
    } __attribute__((aligned(16))) vec4##name
WG_VECTOR_(f, f32);
WG_VECTOR_(u, u32);
WG_VECTOR_(i, i32);
#endif

/* Races are found by the word: no element may share one with the next, but for those of one or two
 * bytes. How wide an access is has to fit struct wg_site. */
#define WG_WHOLE_WORDS_(T) (sizeof(T) == 1 || sizeof(T) == 2 || (sizeof(T) && sizeof(T) % 4 == 0))
#define WG_CHECK_WIDTH_(T)                                                                         \
    _Static_assert(WG_WHOLE_WORDS_(T) && sizeof(T) < 256,                                          \
                   "an access is 1, 2 or a multiple of 4 bytes wide, and less than 256: take "     \
                   "members one by one")

/* A vec3 takes 12 bytes, is aligned to 16 and has an array stride of 16. As a member of a struct
 * write `WG_VEC3 vec3f position;`, so that a scalar may follow at byte 12 as in WGSL. */
#define WG_VEC3 _Alignas(16)
#define WG_STRIDE_(T) _Generic(*(T *)0, vec3f : 16, vec3u : 16, vec3i : 16, default : sizeof(T))

/* ---- What a kernel declares: read by the loader ---- */

enum wg_space { WG_SPACE_STORAGE_READ, WG_SPACE_STORAGE, WG_SPACE_UNIFORM, WG_SPACE_WORKGROUP };

enum wg_scalar { WG_U32, WG_I32, WG_F32, WG_F16, WG_BOOL, WG_STRUCT };

/* What a site does. Order matters: everything from WG_OP_ATOMIC_LOAD to
 * WG_OP_ATOMIC_COMPARE_EXCHANGE is atomic. */
enum wg_op {
    WG_OP_LOAD,
    WG_OP_STORE,
    WG_OP_ATOMIC_LOAD,
    WG_OP_ATOMIC_STORE,
    WG_OP_ATOMIC_ADD,
    WG_OP_ATOMIC_SUB,
    WG_OP_ATOMIC_MAX,
    WG_OP_ATOMIC_MIN,
    WG_OP_ATOMIC_AND,
    WG_OP_ATOMIC_OR,
    WG_OP_ATOMIC_XOR,
    WG_OP_ATOMIC_EXCHANGE,
    WG_OP_ATOMIC_COMPARE_EXCHANGE,
    WG_OP_WORKGROUP_BARRIER,
    WG_OP_STORAGE_BARRIER,
    WG_OP_UNIFORM_LOAD, /* workgroupUniformLoad: the barriers of it; its load is a site of its own
                         */
    WG_OP_TEXTURE_BARRIER,
    WG_OP_SUBGROUP, /* a collective operation of the subgroup */
    WG_OP_LOOP,
    WG_OP_BRANCH,
    WG_OP_CALL,
    WG_OP_PRINT,
    WG_OP_ARITHMETIC /* an operation that may meet a corner: see enum wg_arithmetic */
};

enum wg_site_flags {
    WG_SITE_UNUSED = 1,    /* atomic whose result is not used */
    WG_SITE_INCREMENT = 2, /* add of the constant 1 (sub of -1) whose result is not used */
    WG_SITE_WAIT = 4,      /* a loop waits for what it gives, doing nothing else until then */
    WG_SITE_RUNTIME = 8,   /* index of an array in a struct that is as long as its buffer allows */
    WG_SITE_EXCHANGE = 16  /* atomic store that is written, and costs, as an exchange */
};

/* One place in the source. Emitted code lists its sites in one array; the macros below collect
 * theirs in a section. `id` is unique in the kernel and less than 65,536. */
struct wg_site {
    const char *file;
    const char *text;     /* the expression as written; "" where there is none */
    const char *variable; /* name of the variable; "" where the site has none or it is known only at
                             run time */
    uint32_t id;
    uint32_t line;
    uint16_t column;      /* from 1; 0: not known */
    uint16_t length;      /* characters of the expression; 0: not known */
    uint8_t op;           /* enum wg_op */
    uint8_t flags;        /* enum wg_site_flags */
    uint8_t bytes;        /* width of the access: 1, 2, 4, 8, 12 or 16; 0 for marks and barriers */
    uint8_t space;        /* enum wg_space, for accesses */
    uint32_t var;         /* index of the variable, or WG_VAR_DYNAMIC */
    uint8_t vector_bytes; /* size of the vector that the access is one component of, else 0: by the
                             race rules a store is one to all of it. Its offset is a multiple of
                             its size rounded up to a power of two. */
} __attribute__((aligned(64)));

#define WG_VAR_DYNAMIC 0xffffffffu
/* Most variables (buffers and workgroup variables together) that a kernel may declare. */
#define WG_MAX_VARS 120
/* Most overrides that a kernel may declare. */
#define WG_MAX_OVERRIDES 120

struct wg;
struct wg_ctx;
struct wg_pair_ {
    u32 first, second;
};
union wg_value {
    u32 u;
    i32 i;
    f32 f;
    uint64_t bits;
};

/* A buffer binding or a workgroup variable. */
struct wg_var {
    const char *name;
    const char
        *type; /* of an element, as in WGSL: "f32", "atomic<u32>", "vec3<f32>" or a struct's name */
    uint32_t id;        /* index into wg_ctx.vars */
    uint8_t space;      /* enum wg_space */
    uint8_t scalar;     /* enum wg_scalar: how to print and compare elements */
    uint8_t components; /* scalars in an element: 1 to 4; 0 for a struct */
    uint8_t atomic;
    uint32_t group, binding;
    uint32_t element_bytes, stride; /* bytes */
    uint32_t columns;               /* elements a row of a 2-D array; 0: 1-D */
    uint32_t fixed_bytes;           /* smallest size of the binding; 0: one element */
    /* Elements of a workgroup variable for given overrides; NULL for buffers. */
    uint64_t (*count)(const struct wg *wg);
    uint32_t line; /* of the declaration */
} __attribute__((aligned(64)));

struct wg_override {
    const char *name;
    const char *summary;
    uint32_t id;          /* index into wg_ctx.overrides */
    uint8_t type;         /* enum wg_scalar: WG_U32, WG_I32, WG_F32, WG_BOOL */
    uint8_t required;     /* has no default */
    uint16_t pipeline_id; /* @id(n) plus 1; 0: none */
    union wg_value value; /* default */
} __attribute__((aligned(64)));

struct wg_entry {
    const char *name;
    void (*run)(struct wg *wg);
    void (*size)(const struct wg *wg, u32 size[3]);
    const uint32_t *uses; /* ids of the variables it statically uses, ended by WG_VAR_DYNAMIC; NULL:
                             all of them */
    uint32_t stack_bytes; /* most stack an invocation needs; 0: not known, the default is given */
    uint32_t registers;   /* a lane, as the compiler of a device would need; 0: not known */
    uint32_t subgroup_size; /* required by the entry; 0: any */
    uint32_t reserved;
} __attribute__((aligned(64)));

/* ---- What the host does before and after: buffers, dispatches, checks ---- */

struct wg_plan;

/* Calls that a kernel's plan and check functions may make. All sizes in elements unless named
 * otherwise. */
struct wg_plan_ops {
    /* The value of --size, and overrides as set so far. */
    uint64_t (*size)(const struct wg_plan *plan);
    union wg_value (*override)(const struct wg_plan *plan, uint32_t id);
    /* Sets an override unless the user set it. */
    void (*set_override)(struct wg_plan *plan, uint32_t id, union wg_value value);
    /* Allocates the buffer bound to variable `var`, zeroed; returns its bytes, or NULL (then the
     * plan fails). */
    void *(*buffer)(struct wg_plan *plan, uint32_t var, uint64_t elements);
    /* Adds a buffer that is not bound at first (ping-pong); returns its index for `bind`. */
    uint32_t (*spare)(struct wg_plan *plan, const char *name, uint32_t like_var, uint64_t elements);
    /* From the next dispatch on variable `var` is bound to the buffer of variable `other` or a
     * spare's index + WG_SPARE. */
    void (*bind)(struct wg_plan *plan, uint32_t var, uint32_t buffer);
    /* Appends a dispatch. Overrides of a dispatch are those set so far. */
    void (*dispatch)(struct wg_plan *plan, const char *entry, uint32_t x, uint32_t y, uint32_t z);
    /* Changes an override for the dispatches that follow (a step number, say). */
    void (*step_override)(struct wg_plan *plan, uint32_t id, union wg_value value);
    /* --groups if the user gave it (else all zero), and what the device can hold at once. */
    void (*groups)(const struct wg_plan *plan, uint32_t groups[3]);
    uint64_t (*residents)(const struct wg_plan *plan, const char *entry);
    /* In a check: contents of the buffer of `var` after the job and its number of elements. */
    const void *(*result)(const struct wg_plan *plan, uint32_t var, uint64_t *elements);
    /* A copy of the initial contents. */
    const void *(*initial)(const struct wg_plan *plan, uint32_t var, uint64_t *elements);
    /* In a check: reports that element `element` of `var` is wrong. Returns -1, so that a check may
     * end with it. */
    int (*differs)(struct wg_plan *plan, uint32_t var, uint64_t element, const char *format, ...)
        __attribute__((format(printf, 4, 5)));
    /* In a plan: refuses it with one line. Returns -1. */
    int (*refuse)(struct wg_plan *plan, const char *format, ...)
        __attribute__((format(printf, 2, 3)));
};
struct wg_plan {
    const struct wg_plan_ops *ops;
};
#define WG_SPARE 1000u

/* The exported descriptor: symbol wgsim_kernel_2. */
struct wg_kernel {
    uint32_t abi; /* WGSIM_KERNEL_ABI */
    uint32_t flags;
    const char *name;
    const char *summary; /* one line: what it shows */
    const char *source;  /* path of the source as compiled */
    const struct wg_site *sites, *sites_end;
    const struct wg_var *vars, *vars_end;
    const struct wg_override *overrides, *overrides_end;
    const struct wg_entry *entries, *entries_end;
    uint64_t default_size; /* of --size; 0: the kernel has no size */
    /* Sets up buffers and dispatches for a size; NULL: the user gives them. */
    int (*plan)(struct wg_plan *plan);
    /* Compares the results with a CPU reference; NULL: unchecked. Returns 0, or -1 as `differs`
     * does: something is wrong. */
    int (*check)(struct wg_plan *plan);
};
enum wg_kernel_flags {
    WG_KERNEL_WAITS = 1,      /* some invocation waits for another workgroup */
    WG_KERNEL_FAULTY = 2,     /* wrong on purpose: shows a finding */
    WG_KERNEL_RESULT_FREE = 4 /* its output depends on the order of workgroups by design */
};

/* ---- The context of a running invocation: written by the engine ---- */

#define WG_LOG_ROW 32

/* A block of 32 lanes of one subgroup, an array for each property, seen from the place of one of
 * them: what belongs to the lane k places on lies 8 * k bytes further in every array, and a lane is
 * known by the address of its `sp`. Behind the last lane is the place of the scheduler. */
#define WG_PROPERTY_(type, name)                                                                   \
    type name;                                                                                     \
    type wg_others_##name[WG_LOG_ROW - 1]
#define WG_SAVED_(name)                                                                            \
    void *name;                                                                                    \
    void *wg_others_##name[WG_LOG_ROW + 7]
struct wg_lane {
    /* While it is suspended; at offsets that are known to the switch below. Those that switch by
     * calling the engine use sp alone. */
    WG_SAVED_(sp);                         /* stack pointer */
    WG_SAVED_(resume);                     /* where it goes on */
    WG_SAVED_(base);                       /* frame pointer */
    WG_PROPERTY_(uint64_t *, log);         /* row 0 of its column */
    WG_PROPERTY_(uint64_t *, end);         /* the cursor of its log when it was suspended */
    WG_PROPERTY_(uint64_t, stop);          /* wg_stop: why and where it is suspended */
    WG_PROPERTY_(struct wg_pair_, number); /* local_invocation_index, subgroup_invocation_id */
    WG_PROPERTY_(struct wg_pair_, xy);     /* local_invocation_id */
    WG_PROPERTY_(struct wg_pair_, z);      /* local_invocation_id, subgroup_id */
    WG_PROPERTY_(struct wg_ctx *, owner);
} __attribute__((may_alias));

/* Why and where an invocation is suspended: a site's id in the low 20 bits, enum wg_event above,
 * flow (see there) that it hands over, the kind of mark at which it is, and flow that it keeps for
 * its next word. */
typedef uint64_t wg_stop;
#define WG_STOP_EVENT_SHIFT 20
#define WG_STOP_FLOW_SHIFT 24
#define WG_STOP_MARK_SHIFT 28
#define WG_STOP_KEPT_SHIFT 36
#define WG_STOP_(site, event) ((uint64_t)(event) << WG_STOP_EVENT_SHIFT | (site))

#define WG_AT_END 0xfffffu
#define WG_AT_START 0xffffeu

enum wg_event {
    WG_EVENT_RUN, /* not suspended by itself: start of the invocation */
    WG_EVENT_END,
    WG_EVENT_BARRIER,
    WG_EVENT_ATOMIC,   /* before an atomic */
    WG_EVENT_ACCESS,   /* before a plain access: log full, --stress=yield, lockstep */
    WG_EVENT_SUBGROUP, /* operand deposited, result expected */
    WG_EVENT_MARK      /* at a mark: log full, or lockstep */
};

/* Memory of one variable. */
struct wg_view {
    uint8_t *data;
    uint64_t bytes; /* whole elements only, at least one */
};

/* A subgroup operation's operand and result, up to a vec4 of 32-bit components. */
struct wg_collective {
    u32 op;   /* enum wg_collective_op */
    u32 type; /* enum wg_scalar */
    u32 components;
    u32 argument; /* lane, delta, mask or quad direction */
    union wg_value value[4];
};

enum wg_collective_op {
    WG_SUBGROUP_ADD,
    WG_SUBGROUP_EXCLUSIVE_ADD,
    WG_SUBGROUP_INCLUSIVE_ADD,
    WG_SUBGROUP_MUL,
    WG_SUBGROUP_EXCLUSIVE_MUL,
    WG_SUBGROUP_INCLUSIVE_MUL,
    WG_SUBGROUP_MIN,
    WG_SUBGROUP_MAX,
    WG_SUBGROUP_AND,
    WG_SUBGROUP_OR,
    WG_SUBGROUP_XOR,
    WG_SUBGROUP_ALL,
    WG_SUBGROUP_ANY,
    WG_SUBGROUP_BALLOT,
    WG_SUBGROUP_ELECT,
    WG_SUBGROUP_BROADCAST,
    WG_SUBGROUP_BROADCAST_FIRST,
    WG_SUBGROUP_SHUFFLE,
    WG_SUBGROUP_SHUFFLE_XOR,
    WG_SUBGROUP_SHUFFLE_UP,
    WG_SUBGROUP_SHUFFLE_DOWN,
    WG_QUAD_BROADCAST,
    WG_QUAD_SWAP_X,
    WG_QUAD_SWAP_Y,
    WG_QUAD_SWAP_DIAGONAL
};

struct wg_ctx;
struct wg_ops {
    /* Suspends the running lane; used where the inlined switch is not available. */
    void (*suspend)(struct wg_ctx *ctx);
    /* An access outside: returns the byte offset to use instead of `where`, or WG_NOWHERE (the
     * access is dropped). With bytes 0 an index is checked: returns the index to use, or
     * WG_DROPPED. `index` and `count` are what the source says: index asked, elements there are. */
    uint64_t (*outside)(struct wg_ctx *ctx, u32 site, u32 var, uint64_t where, int64_t index,
                        uint64_t count, uint64_t stride, u32 bytes);
    /* Advice on arithmetic: kind is enum wg_arithmetic. */
    void (*arithmetic)(struct wg_ctx *ctx, u32 site, u32 kind);
    void (*print)(struct wg_ctx *ctx, u32 site, const char *format, ...)
        __attribute__((format(printf, 3, 4)));
    /* An index that wrapped around 2^32 at `source`, by going below zero or not, lands inside: at
     * `element`, in place of `exact`. var as in outside. */
    void (*wrapped)(struct wg_ctx *ctx, u32 source, u32 site, u32 var, int64_t element,
                    int64_t exact, bool below);
    /* A texel that the texture `var` does not have was to be loaded or stored, and was not: x, y, z
     * or the layer, and the level. */
    void (*no_texel)(struct wg_ctx *ctx, u32 site, u32 var, const i32 at[4]);
};
#define WG_NOWHERE UINT64_MAX
/* An index so large that every access with it is dropped, silently. */
#define WG_DROPPED (UINT64_C(1) << 40)

enum wg_arithmetic {
    WG_ARITHMETIC_DIVIDE_BY_ZERO,
    WG_ARITHMETIC_OVERFLOW,
    WG_ARITHMETIC_SHIFT,
    WG_ARITHMETIC_CONVERSION,
    WG_ARITHMETIC_GROUPING,    /* a float sum comes out otherwise when it is grouped otherwise */
    WG_ARITHMETIC_FLOAT_ATOMIC /* floats are combined by exchanges, in any order */
};

/* One resident workgroup as its invocations see it. */
struct wg_ctx {
    struct wg_lane *cur; /* offset 0: who calls the engine */
    uint64_t *log_end;   /* a lane whose cursor has reached this suspends before it logs again */
    u32 lockstep;        /* branch marks are wanted */
    u32 subgroup_size;
    u32 workgroup_id[3], num_workgroups[3], workgroup_size[3];
    u32 num_subgroups;
    const struct wg_ops *ops;
    const union wg_value *overrides;
    struct wg_collective *collectives; /* by local_index */
    struct wg_view vars[WG_MAX_VARS + 1];
    uint64_t last_word[WG_MAX_VARS + 1]; /* byte offset of the last 4 bytes of each */
};

/* What a kernel function carries: `wg`. Kept in registers where the function is inlined. */
struct wg {
    uint64_t *log; /* where its next word goes */
    struct wg_ctx *ctx;
    struct wg_lane *lane;
    u32 flow; /* what its next word tells besides */
};

/* ---- Giving up control ---- */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WG_CALLED_SWITCH 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define WG_CALLED_SWITCH 1
#endif
#endif
#if !defined(__x86_64__) || defined(__ILP32__)
#define WG_CALLED_SWITCH 1
#endif

#define WG_INLINE_ static inline __attribute__((always_inline, unused))
#define WG_LIKELY_(x) __builtin_expect(!!(x), 1)
#define WG_UNLIKELY_(x) __builtin_expect(!!(x), 0)

#ifdef __AVX512F__
#define WG_CLOBBER_WIDE_                                                                           \
    , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",    \
        "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6",  \
        "k7"
#else
#define WG_CLOBBER_WIDE_
#endif

#if defined(__x86_64__) && !defined(__ILP32__)
/* Saves where this lane goes on, and jumps to where the next one does, with the lane that runs in
 * %rsi. Everything live is on the stack, which is left as it is, red zone included. Fetching stacks
 * of lanes further on in advance takes longer than it saves: the CPU is ahead by itself. 320 and
 * 640: offsets of resume and base. */
WG_INLINE_ struct wg_lane *wg_switch_inlined_(struct wg_lane *lane) {
    __asm__ volatile("leaq 1f(%%rip), %%rdx\n\t"
                     "movq %%rdx, 320(%%rsi)\n\t"
                     "movq %%rbp, 640(%%rsi)\n\t"
                     "movq %%rsp, (%%rsi)\n\t"
                     "movq 8(%%rsi), %%rsp\n\t"
                     "movq 648(%%rsi), %%rbp\n\t"
                     "addq $8, %%rsi\n\t"
                     "jmpq *320(%%rsi)\n"
                     "1:\n"
                     : "+S"(lane)
                     :
                     : "rax", "rbx", "rcx", "rdx", "rdi", "r8", "r9", "r10", "r11", "r12", "r13",
                       "r14", "r15", "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
                       "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                       "xmm15" WG_CLOBBER_WIDE_);
    return lane;
}
#endif

/* Set in wg_kernel.abi by kernels that switch by calling the engine. */
#define WG_ABI_CALLED_SWITCH 0x10000
#ifdef WG_CALLED_SWITCH
#define WG_ABI_ (WGSIM_KERNEL_ABI | WG_ABI_CALLED_SWITCH)
#else
#define WG_ABI_ WGSIM_KERNEL_ABI
#endif

WG_INLINE_ void wg_suspend_(struct wg *wg, u32 site, u32 event) {
    wg->lane->end = wg->log;
    wg->lane->stop = WG_STOP_(site, event) | (uint64_t)wg->flow << WG_STOP_FLOW_SHIFT;
    wg->flow = 0;
#ifdef WG_CALLED_SWITCH
    wg->ctx->cur = wg->lane;
    wg->ctx->ops->suspend(wg->ctx);
#else
    wg->lane = wg_switch_inlined_(wg->lane);
#endif
    wg->log = wg->lane->log;
}

/* For the engine, before it is called. */
WG_INLINE_ struct wg_ctx *wg_caller_(const struct wg *wg) {
    wg->ctx->cur = wg->lane;
    return wg->ctx;
}

/* ---- The log ---- */

/* A word: byte offset in the variable (37 bits), flow (3), variable (7), silent (1: a store of the
 * value that was there), site (16). Consecutive words of a lane are one row of 32 lanes apart. */
#define WG_LOG_FLOW_SHIFT 37
#define WG_LOG_VAR_SHIFT 40
#define WG_LOG_SILENT_SHIFT 47
#define WG_LOG_SITE_SHIFT 48
#define WG_LOG_MARK_VAR 127u
/* The first three are logged; the others only suspend, in lockstep. */
enum wg_mark {
    WG_MARK_ENTER, /* a loop, before its first turn */
    WG_MARK_CALL,
    WG_MARK_FLOW, /* nothing but the flow of its word */
    WG_MARK_TURN,
    WG_MARK_LEAVE,
    WG_MARK_RETURN,
    WG_MARK_BRANCH,
    WG_MARK_MEET
};

/* Flow: how many loops and calls, from the innermost on, a lane has left, and whether the one that
 * it is in then is a loop that has begun another turn. Known to the compiler almost everywhere, so
 * that it costs nothing to tell with the next word, or where the lane is suspended. */
#define WG_FLOW_LEFT 3u
#define WG_FLOW_TURN 4u

WG_INLINE_ uint64_t wg_word_(u32 site, u32 var, uint64_t byte) {
    return (uint64_t)site << WG_LOG_SITE_SHIFT | (uint64_t)var << WG_LOG_VAR_SHIFT | byte;
}

/* Suspends where the log has no room (or where every access is a meeting point). A function of its
 * own, so that loops around accesses keep their registers. */
static __attribute__((noinline, cold, unused)) uint64_t *
wg_full_(uint64_t *log, struct wg_ctx *ctx, struct wg_lane *lane, u32 site, u32 event) {
    struct wg wg = {log, ctx, lane, 0};

    wg_suspend_(&wg, site, event);
    return wg.log;
}

/* Room for one more word. */
WG_INLINE_ void wg_room_(struct wg *wg, u32 site, u32 event) {
    if (WG_UNLIKELY_(wg->log >= wg->ctx->log_end))
        wg->log = wg_full_(wg->log, wg->ctx, wg->lane, site,
                           event | wg->flow << (WG_STOP_KEPT_SHIFT - WG_STOP_EVENT_SHIFT));
}

WG_INLINE_ void wg_log_(struct wg *wg, uint64_t word) {
    *wg->log = word | (uint64_t)wg->flow << WG_LOG_FLOW_SHIFT;
    wg->log += WG_LOG_ROW;
    wg->flow = 0;
}

/* An access. Workgroup memory is `small`: offsets have 32 bits, and halves of the word are stored,
 * which takes no constant of 64 bits. */
WG_INLINE_ void wg_log_access_(struct wg *wg, u32 site, u32 var, uint64_t byte, bool silent,
                               bool small) {
    typedef u32 half __attribute__((may_alias));
    half *halves = (half *)wg->log;

    if (!small || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) {
        wg_log_(wg, wg_word_(site, var, byte) | (uint64_t)silent << WG_LOG_SILENT_SHIFT);
        return;
    }
    halves[0] = (u32)byte;
    halves[1] = (u32)(wg_word_(site, var, 0) >> 32) | wg->flow << (WG_LOG_FLOW_SHIFT - 32) |
                (u32)silent << (WG_LOG_SILENT_SHIFT - 32);
    wg->log += WG_LOG_ROW;
    wg->flow = 0;
}

/* In lockstep the log never has room, so that looking for room finds both. */
WG_INLINE_ void wg_mark_room_(struct wg *wg, u32 site, u32 mark) {
    wg_room_(wg, site, WG_EVENT_MARK | mark << (WG_STOP_MARK_SHIFT - WG_STOP_EVENT_SHIFT));
}
WG_INLINE_ void wg_mark_(struct wg *wg, u32 site, u32 mark) {
    wg_mark_room_(wg, site, mark);
    wg_log_(wg, wg_word_(site, WG_LOG_MARK_VAR, mark));
}
/* There is room. */
WG_INLINE_ void wg_log_flow_(struct wg *wg, u32 site, bool needed) {
    if (needed)
        wg_log_(wg, wg_word_(site, WG_LOG_MARK_VAR, WG_MARK_FLOW));
}
WG_INLINE_ void wg_turn_(struct wg *wg, u32 site) {
    wg_mark_room_(wg, site, WG_MARK_TURN);
    wg_log_flow_(wg, site, wg->flow & WG_FLOW_TURN);
    wg->flow |= WG_FLOW_TURN;
}
/* Leaves the innermost loop or call; nothing was done in the turn that was begun last. */
WG_INLINE_ void wg_leave_(struct wg *wg, u32 site, u32 mark) {
    wg_mark_room_(wg, site, mark);
    wg_log_flow_(wg, site, (wg->flow & WG_FLOW_LEFT) == WG_FLOW_LEFT);
    wg->flow = (wg->flow & WG_FLOW_LEFT) + 1;
}

/* ---- Accesses by byte offset: what the typed macros and emitted code are made of ---- */

/* A view holds at least one element, so the subtraction cannot wrap. */
WG_INLINE_ bool wg_is_inside_(const struct wg *wg, u32 var, uint64_t where, u32 bytes) {
    return where <=
           (bytes == 4 ? wg->ctx->last_word[var] : wg->ctx->vars[var].bytes - (uint64_t)bytes);
}

/* Checks an access of `bytes` at byte offset *where of variable `var`; *where becomes the offset to
 * use. False: the access is dropped. `index` and `stride` are for the message only. */
WG_INLINE_ bool wg_place_(struct wg *wg, u32 site, u32 var, uint64_t *where, int64_t index,
                          uint64_t stride, u32 bytes) {
    if (WG_LIKELY_(wg_is_inside_(wg, var, *where, bytes)))
        return true;
    *where = wg->ctx->ops->outside(wg_caller_(wg), site, var, *where, index,
                                   stride ? wg->ctx->vars[var].bytes / stride : 0, stride, bytes);
    return *where != WG_NOWHERE;
}

static __attribute__((noinline, cold, unused)) uint64_t
wg_index_outside_(struct wg_ctx *ctx, struct wg_lane *lane, u32 site, u32 var, int64_t index,
                  uint64_t count) {
    ctx->cur = lane;
    return ctx->ops->outside(ctx, site, var, 0, index, count, 1, 0);
}

/* Checks an index of an array of `count` elements inside a variable. Returns the index to use;
 * where the access is to be dropped, one so large that wg_place_ drops it without another finding.
 */
WG_INLINE_ uint64_t wg_index_(struct wg *wg, u32 site, u32 var, int64_t index, uint64_t count) {
    if (WG_UNLIKELY_((uint64_t)index >= count))
        return wg_index_outside_(wg->ctx, wg->lane, site, var, index, count);
    return (uint64_t)index;
}

/* Room in the log; whether the access is inside the variable. */
WG_INLINE_ bool wg_reach_(struct wg *wg, u32 site, u32 var, uint64_t where, u32 bytes) {
    wg_room_(wg, site, WG_EVENT_ACCESS);
    return WG_LIKELY_(wg_is_inside_(wg, var, where, bytes));
}

/* Accesses that are not: functions of their own, so that those around keep their registers. The
 * result is where the next word goes; either way the flow is logged, and known to be. Bytes outside
 * read as zero where they are not redirected. */
static __attribute__((noinline, cold, unused)) uint64_t *
wg_read_outside_(struct wg wg, u32 site, u32 var, uint64_t byte, int64_t index, uint64_t stride,
                 void *out, u32 bytes) {
    if (wg_place_(&wg, site, var, &byte, index, stride, bytes)) {
        memcpy(out, wg.ctx->vars[var].data + byte, bytes);
        wg_log_(&wg, wg_word_(site, var, byte));
    } else {
        memset(out, 0, bytes);
        wg_log_flow_(&wg, site, wg.flow);
    }
    return wg.log;
}
static __attribute__((noinline, cold, unused)) uint64_t *
wg_write_outside_(struct wg wg, u32 site, u32 var, uint64_t byte, int64_t index, uint64_t stride,
                  const void *value, u32 bytes) {
    if (wg_place_(&wg, site, var, &byte, index, stride, bytes)) {
        uint8_t *at = wg.ctx->vars[var].data + byte;
        wg_log_access_(&wg, site, var, byte, !memcmp(at, value, bytes), false);
        memcpy(at, value, bytes);
    } else {
        wg_log_flow_(&wg, site, wg.flow);
    }
    return wg.log;
}
WG_INLINE_ void wg_outside_(struct wg *wg, uint64_t *log) {
    wg->log = log;
    wg->flow = 0;
}

/* False: it is outside. */
WG_INLINE_ bool wg_write_inside_(struct wg *wg, u32 site, u32 var, uint64_t byte, const void *value,
                                 u32 bytes, bool small) {
    if (!wg_reach_(wg, site, var, byte, bytes))
        return false;
    uint8_t *at = wg->ctx->vars[var].data + byte;
    bool silent = !memcmp(at, value, bytes);

    memcpy(at, value, bytes);
    wg_log_access_(wg, site, var, byte, silent, small);
    return true;
}

/* Accesses of at most 16 bytes. */
#define WG_MOST_BYTES_ 16
WG_INLINE_ void wg_read_(struct wg *wg, u32 site, u32 var, uint64_t byte, int64_t index,
                         uint64_t stride, void *out, u32 bytes) {
    if (wg_reach_(wg, site, var, byte, bytes)) {
        memcpy(out, wg->ctx->vars[var].data + byte, bytes);
        wg_log_access_(wg, site, var, byte, false, false);
    } else {
        uint8_t copy[WG_MOST_BYTES_];
        wg_outside_(wg, wg_read_outside_(*wg, site, var, byte, index, stride, copy, bytes));
        memcpy(out, copy, bytes);
    }
}
WG_INLINE_ void wg_write_(struct wg *wg, u32 site, u32 var, uint64_t byte, int64_t index,
                          uint64_t stride, const void *value, u32 bytes) {
    if (!wg_write_inside_(wg, site, var, byte, value, bytes, false)) {
        uint8_t copy[WG_MOST_BYTES_];
        memcpy(copy, value, bytes);
        wg_outside_(wg, wg_write_outside_(*wg, site, var, byte, index, stride, copy, bytes));
    }
}

/* Performs `op` on the 32-bit word at `byte`: gives up control first, so that others may come in
 * between. */
WG_INLINE_ u32 wg_atomic_(struct wg *wg, u32 site, u32 var, uint64_t byte, int64_t index,
                          uint64_t stride, u32 op, u32 operand, u32 expected, bool is_signed) {
    wg_suspend_(wg, site, WG_EVENT_ATOMIC);
    if (!wg_place_(wg, site, var, &byte, index, stride, 4))
        return 0;
    u32 *at = (u32 *)(void *)(wg->ctx->vars[var].data + byte), old = *at, new_value = old;

    switch (op) {
    case WG_OP_ATOMIC_STORE:
    case WG_OP_ATOMIC_EXCHANGE:
        new_value = operand;
        break;
    case WG_OP_ATOMIC_ADD:
        new_value = old + operand;
        break;
    case WG_OP_ATOMIC_SUB:
        new_value = old - operand;
        break;
    case WG_OP_ATOMIC_MAX:
        new_value = (is_signed ? (i32)operand > (i32)old : operand > old) ? operand : old;
        break;
    case WG_OP_ATOMIC_MIN:
        new_value = (is_signed ? (i32)operand < (i32)old : operand < old) ? operand : old;
        break;
    case WG_OP_ATOMIC_AND:
        new_value = old & operand;
        break;
    case WG_OP_ATOMIC_OR:
        new_value = old | operand;
        break;
    case WG_OP_ATOMIC_XOR:
        new_value = old ^ operand;
        break;
    case WG_OP_ATOMIC_COMPARE_EXCHANGE:
        new_value = old == expected ? operand : old;
        break;
    default:
        break;
    }
    *at = new_value;
    wg_log_(wg, wg_word_(site, var, byte) | (uint64_t)(new_value == old) << WG_LOG_SILENT_SHIFT);
    return old;
}

WG_INLINE_ void wg_barrier_(struct wg *wg, u32 site) {
    wg_suspend_(wg, site, WG_EVENT_BARRIER);
}

/* The invocation has returned. What comes back is the lane as one of the next workgroup. */
WG_INLINE_ void wg_end_(struct wg *wg) {
    wg->flow = 0;
    wg_suspend_(wg, WG_AT_END, WG_EVENT_END);
}

/* Deposits an operand, waits for the other lanes and returns what the engine made of it, in place.
 */
WG_INLINE_ struct wg_collective *wg_collective_(struct wg *wg, u32 site,
                                                const struct wg_collective *operand) {
    struct wg_collective *mine = &wg->ctx->collectives[wg->lane->number.first];

    *mine = *operand;
    wg_suspend_(wg, site, WG_EVENT_SUBGROUP);
    return mine;
}

/* ---- Declarations ---- */

#define WG_SECTION_(name) __attribute__((section(name), used))
#define WG_TYPE_SCALAR_(T)                                                                         \
    _Generic(*(T *)0, u32                                                                          \
             : WG_U32, atomic_u32                                                                  \
             : WG_U32, vec2u                                                                       \
             : WG_U32, vec3u                                                                       \
             : WG_U32, vec4u                                                                       \
             : WG_U32, i32                                                                         \
             : WG_I32, atomic_i32                                                                  \
             : WG_I32, vec2i                                                                       \
             : WG_I32, vec3i                                                                       \
             : WG_I32, vec4i                                                                       \
             : WG_I32, f32                                                                         \
             : WG_F32, vec2f                                                                       \
             : WG_F32, vec3f                                                                       \
             : WG_F32, vec4f                                                                       \
             : WG_F32, default                                                                     \
             : WG_STRUCT)
#define WG_TYPE_COMPONENTS_(T)                                                                     \
    _Generic(*(T *)0, u32 : 1, atomic_u32 : 1, i32 : 1, atomic_i32 : 1, f32 : 1, vec2u : 2,        \
             vec2i : 2, vec2f : 2, vec3u : 3, vec3i : 3, vec3f : 3, vec4u : 4, vec4i : 4,          \
             vec4f : 4, default : 0)
#define WG_TYPE_ATOMIC_(T) _Generic(*(T *)0, atomic_u32 : 1, atomic_i32 : 1, default : 0)
#define WG_TYPE_NAME_(T)                                                                           \
    _Generic(*(T *)0, u32                                                                          \
             : "u32", i32                                                                          \
             : "i32", f32                                                                          \
             : "f32", atomic_u32                                                                   \
             : "atomic<u32>", atomic_i32                                                           \
             : "atomic<i32>", vec2u                                                                \
             : "vec2<u32>", vec3u                                                                  \
             : "vec3<u32>", vec4u                                                                  \
             : "vec4<u32>", vec2i                                                                  \
             : "vec2<i32>", vec3i                                                                  \
             : "vec3<i32>", vec4i                                                                  \
             : "vec4<i32>", vec2f                                                                  \
             : "vec2<f32>", vec3f                                                                  \
             : "vec3<f32>", vec4f                                                                  \
             : "vec4<f32>", default                                                                \
             : #T)

#define WG_VAR_(T, name_, space_, group_, binding_, columns_, count_)                              \
    typedef T wg_type_##name_ __attribute__((unused));                                             \
    enum { wg_var_##name_ = __COUNTER__, wg_space_##name_ = (space_) };                            \
    _Static_assert(wg_var_##name_ < WG_MAX_VARS,                                                   \
                   "too many variables, or one declared after a function");                        \
    _Static_assert(WG_WHOLE_WORDS_(T),                                                             \
                   "elements of " #name_ " have 1, 2 or a multiple of 4 bytes");                   \
    static const struct wg_var wg_decl_##name_ WG_SECTION_("wg_vars") = {                          \
        .name = #name_,                                                                            \
        .type = WG_TYPE_NAME_(T),                                                                  \
        .id = wg_var_##name_,                                                                      \
        .space = (space_),                                                                         \
        .scalar = WG_TYPE_SCALAR_(T),                                                              \
        .components = WG_TYPE_COMPONENTS_(T),                                                      \
        .atomic = WG_TYPE_ATOMIC_(T),                                                              \
        .group = (group_),                                                                         \
        .binding = (binding_),                                                                     \
        .element_bytes = sizeof(T),                                                                \
        .stride = WG_STRIDE_(T),                                                                   \
        .columns = (columns_),                                                                     \
        .count = (count_),                                                                         \
        .line = __LINE__}

/* Storage buffers: runtime-sized arrays of T, @group(g) @binding(b). */
#define WG_STORAGE(g, b, T, name) WG_VAR_(T, name, WG_SPACE_STORAGE, g, b, 0, NULL)
#define WG_STORAGE_READ(g, b, T, name) WG_VAR_(T, name, WG_SPACE_STORAGE_READ, g, b, 0, NULL)
/* A uniform buffer of one T. */
#define WG_UNIFORM(g, b, T, name) WG_VAR_(T, name, WG_SPACE_UNIFORM, g, b, 0, NULL)
/* Workgroup variables: array<T, n>; n may use wg_override(). A scalar is an array of 1. */
#define WG_WORKGROUP(T, name, n)                                                                   \
    static uint64_t wg_count_##name(const struct wg *wg) {                                         \
        (void)wg;                                                                                  \
        return (uint64_t)(n);                                                                      \
    }                                                                                              \
    WG_VAR_(T, name, WG_SPACE_WORKGROUP, 0, 0, 0, wg_count_##name)
/* array<array<T, columns>, rows>; columns is a constant expression. */
#define WG_WORKGROUP_2D(T, name, rows, columns_)                                                   \
    enum { wg_columns_##name = (columns_) };                                                       \
    static uint64_t wg_count_##name(const struct wg *wg) {                                         \
        (void)wg;                                                                                  \
        return (uint64_t)(rows) * (columns_);                                                      \
    }                                                                                              \
    WG_VAR_(T, name, WG_SPACE_WORKGROUP, 0, 0, columns_, wg_count_##name)

/* override name: T = value; T is u32, i32 or f32. Also how parameters (--set) are declared. */
#define WG_OVERRIDE(T, name_, value_, summary_)                                                    \
    typedef T wg_override_type_##name_ __attribute__((unused));                                    \
    enum { wg_override_##name_ = __COUNTER__ };                                                    \
    _Static_assert(wg_override_##name_ < WG_MAX_OVERRIDES, "overrides are declared first");        \
    static const struct wg_override wg_override_decl_##name_ WG_SECTION_("wg_overrides") = {       \
        .name = #name_,                                                                            \
        .summary = summary_,                                                                       \
        .id = wg_override_##name_,                                                                 \
        .type = _Generic(*(T *)0, u32                                                              \
                         : WG_U32, i32                                                             \
                         : WG_I32, f32                                                             \
                         : WG_F32),                                                                \
        .value = _Generic(*(T *)0, u32                                                             \
                          : (union wg_value){.u = (u32)(value_)}, i32                              \
                          : (union wg_value){.i = (i32)(value_)}, f32                              \
                          : (union wg_value){.f = (f32)(value_)})}
/* Its value, in an entry point, a size or a count. */
#define wg_override(name)                                                                          \
    (*(const wg_override_type_##name *)&wg->ctx->overrides[wg_override_##name])

/* @compute @workgroup_size(x, y, z) fn name: WG_ENTRY(name, x, y, z) { ... }. It is run for one
 * workgroup after the other, and does not return in between: on a stack of its own, a call or a
 * return would be one that the CPU does not foresee. */
#define WG_ENTRY(name_, x, y, z)                                                                   \
    static void wg_size_##name_(const struct wg *wg, u32 size[3]) {                                \
        (void)wg;                                                                                  \
        size[0] = (u32)(x), size[1] = (u32)(y), size[2] = (u32)(z);                                \
    }                                                                                              \
    WG_FUNCTION(void, wg_body_##name_);                                                            \
    static void wg_run_##name_(struct wg *wg_shared) {                                             \
        struct wg own = {wg_shared->log, wg_shared->ctx, wg_shared->lane, 0};                      \
        for (;;) {                                                                                 \
            wg_body_##name_(&own);                                                                 \
            wg_end_(&own);                                                                         \
        }                                                                                          \
    }                                                                                              \
    static const struct wg_entry wg_entry_##name_ WG_SECTION_("wg_entries") = {                    \
        .name = #name_, .run = wg_run_##name_, .size = wg_size_##name_};                           \
    WG_FUNCTION(void, wg_body_##name_)

/* A function that entry points call: WG_FUNCTION(f32, clamped, i32 i) { ... }, called as
 * WG_CALL(clamped(wg, i)). */
#define WG_FUNCTION(T, name, ...)                                                                  \
    static inline __attribute__((always_inline)) T name(struct wg *wg __VA_OPT__(, ) __VA_ARGS__)

extern const struct wg_site __start_wg_sites[] __attribute__((weak, visibility("hidden")));
extern const struct wg_site __stop_wg_sites[] __attribute__((weak, visibility("hidden")));
extern const struct wg_var __start_wg_vars[] __attribute__((weak, visibility("hidden")));
extern const struct wg_var __stop_wg_vars[] __attribute__((weak, visibility("hidden")));
extern const struct wg_override __start_wg_overrides[] __attribute__((weak, visibility("hidden")));
extern const struct wg_override __stop_wg_overrides[] __attribute__((weak, visibility("hidden")));
extern const struct wg_entry __start_wg_entries[] __attribute__((weak, visibility("hidden")));
extern const struct wg_entry __stop_wg_entries[] __attribute__((weak, visibility("hidden")));

/* The descriptor, at the end of the file: WG_KERNEL("reduce", "tree reduction in workgroup memory",
 * .plan = plan, .check = check); */
#define WG_KERNEL(name_, summary_, ...)                                                            \
    extern const struct wg_kernel wgsim_kernel_2;                                                  \
    __attribute__((visibility("default"), used))                                                   \
    const struct wg_kernel wgsim_kernel_2 = {.abi = WG_ABI_,                                       \
                                             .name = name_,                                        \
                                             .summary = summary_,                                  \
                                             .source = __FILE__,                                   \
                                             .sites = __start_wg_sites,                            \
                                             .sites_end = __stop_wg_sites,                         \
                                             .vars = __start_wg_vars,                              \
                                             .vars_end = __stop_wg_vars,                           \
                                             .overrides = __start_wg_overrides,                    \
                                             .overrides_end = __stop_wg_overrides,                 \
                                             .entries = __start_wg_entries,                        \
                                             .entries_end = __stop_wg_entries,                     \
                                             __VA_ARGS__}

/* ---- Builtin values ---- */

#define wg_local_invocation_index (wg->lane->number.first)
#define wg_local_invocation_id ((vec3u){wg->lane->xy.first, wg->lane->xy.second, wg->lane->z.first})
#define wg_workgroup_id                                                                            \
    ((vec3u){wg->ctx->workgroup_id[0], wg->ctx->workgroup_id[1], wg->ctx->workgroup_id[2]})
#define wg_num_workgroups                                                                          \
    ((vec3u){wg->ctx->num_workgroups[0], wg->ctx->num_workgroups[1], wg->ctx->num_workgroups[2]})
#define wg_global_invocation_id wg_global_id_(wg)
#define wg_subgroup_size (wg->ctx->subgroup_size)
#define wg_subgroup_invocation_id (wg->lane->number.second)
#define wg_subgroup_id (wg->lane->z.second)
#define wg_num_subgroups (wg->ctx->num_subgroups)

WG_INLINE_ vec3u wg_global_id_(const struct wg *wg) {
    const struct wg_ctx *c = wg->ctx;
    const struct wg_lane *l = wg->lane;

    return (vec3u){c->workgroup_id[0] * c->workgroup_size[0] + l->xy.first,
                   c->workgroup_id[1] * c->workgroup_size[1] + l->xy.second,
                   c->workgroup_id[2] * c->workgroup_size[2] + l->z.first};
}

/* ---- Typed accesses ---- */

/* A static record of this place; yields its id. */
#define WG_SITE_(op_, flags_, bytes_, space_, var_, variable_, text_)                              \
    __extension__({                                                                                \
        enum { id_ = __COUNTER__ };                                                                \
        static const struct wg_site site_ WG_SECTION_("wg_sites") = {.file = __FILE__,             \
                                                                     .text = text_,                \
                                                                     .variable = variable_,        \
                                                                     .id = id_,                    \
                                                                     .line = __LINE__,             \
                                                                     .op = (op_),                  \
                                                                     .flags = (flags_),            \
                                                                     .bytes = (bytes_),            \
                                                                     .space = (space_),            \
                                                                     .var = (var_)};               \
        (void)site_;                                                                               \
        (u32) id_;                                                                                 \
    })
#define WG_MARK_SITE_(op, text) WG_SITE_(op, 0, 0, 0, WG_VAR_DYNAMIC, "", text)
#define WG_ACCESS_SITE_(name, op, flags, bytes, text)                                              \
    WG_SITE_(op, flags, bytes, wg_space_##name, wg_var_##name, #name, text)

#define WG_SMALL_(name) ((int)wg_space_##name == (int)WG_SPACE_WORKGROUP)
/* What wg_read_ and wg_write_ do, for a type: so that a float needs no detour. */
#define WG_LOAD_(name, T, byte, index, stride, text)                                               \
    __extension__({                                                                                \
        WG_CHECK_WIDTH_(T);                                                                        \
        struct loaded_ {                                                                           \
            T value;                                                                               \
        } __attribute__((may_alias));                                                              \
        uint64_t where_ = (byte);                                                                  \
        u32 site_id_ = WG_ACCESS_SITE_(name, WG_OP_LOAD, 0, sizeof(T), text);                      \
        T value_;                                                                                  \
        if (wg_reach_(wg, site_id_, wg_var_##name, where_, sizeof(T))) {                           \
            value_ = ((const struct loaded_ *)(const void *)(wg->ctx->vars[wg_var_##name].data +   \
                                                             where_))                              \
                         ->value;                                                                  \
            wg_log_access_(wg, site_id_, wg_var_##name, where_, false, WG_SMALL_(name));           \
        } else {                                                                                   \
            T copy_;                                                                               \
            wg_outside_(wg, wg_read_outside_(*wg, site_id_, wg_var_##name, where_, index, stride,  \
                                             &copy_, sizeof(T)));                                  \
            value_ = copy_;                                                                        \
        }                                                                                          \
        value_;                                                                                    \
    })
#define WG_STORE_(name, T, byte, index, stride, value, text)                                       \
    __extension__({                                                                                \
        WG_WRITABLE_(name);                                                                        \
        WG_CHECK_WIDTH_(T);                                                                        \
        uint64_t where_ = (byte);                                                                  \
        T stored_ = (value);                                                                       \
        u32 site_id_ = WG_ACCESS_SITE_(name, WG_OP_STORE, 0, sizeof(T), text);                     \
        if (!wg_write_inside_(wg, site_id_, wg_var_##name, where_, &stored_, sizeof(T),            \
                              WG_SMALL_(name))) {                                                  \
            T copy_ = stored_;                                                                     \
            wg_outside_(wg, wg_write_outside_(*wg, site_id_, wg_var_##name, where_, index, stride, \
                                              &copy_, sizeof(T)));                                 \
        }                                                                                          \
    })
#define WG_WRITABLE_(name)                                                                         \
    _Static_assert((int)wg_space_##name == (int)WG_SPACE_STORAGE ||                                \
                       (int)wg_space_##name == (int)WG_SPACE_WORKGROUP,                            \
                   #name " is read-only")
#define WG_PLAIN_(name) _Static_assert(!WG_TYPE_ATOMIC_(wg_type_##name), #name " is atomic")

/* name[i] */
#define wg_load(name, i)                                                                           \
    __extension__({                                                                                \
        WG_PLAIN_(name);                                                                           \
        int64_t index_ = (int64_t)(i);                                                             \
        WG_LOAD_(name, wg_type_##name, (uint64_t)index_ *WG_STRIDE_(wg_type_##name), index_,       \
                 WG_STRIDE_(wg_type_##name), #name "[" #i "]");                                    \
    })
#define wg_store(name, i, value)                                                                   \
    __extension__({                                                                                \
        WG_PLAIN_(name);                                                                           \
        int64_t index_ = (int64_t)(i);                                                             \
        WG_STORE_(name, wg_type_##name, (uint64_t)index_ *WG_STRIDE_(wg_type_##name), index_,      \
                  WG_STRIDE_(wg_type_##name), value, #name "[" #i "]");                            \
    })
/* name[r][c] of a 2-D workgroup variable: the column is checked as an index, the row as a place. */
#define WG_COLUMN_(name, r, c)                                                                     \
    wg_index_(wg, WG_ACCESS_SITE_(name, WG_OP_LOAD, 0, 0, #name "[" #r "][" #c "]"),               \
              wg_var_##name, (int64_t)(c), wg_columns_##name)
#define WG_ROW_BYTES_(name) (wg_columns_##name * (uint64_t)WG_STRIDE_(wg_type_##name))
#define WG_PLACE_2D_(name, r, c)                                                                   \
    int64_t row_ = (int64_t)(r);                                                                   \
    uint64_t column_ = WG_COLUMN_(name, r, c) * WG_STRIDE_(wg_type_##name);                        \
    uint64_t at_ = (uint64_t)row_ * WG_ROW_BYTES_(name) + column_
#define wg_load2(name, r, c)                                                                       \
    __extension__({                                                                                \
        WG_PLACE_2D_(name, r, c);                                                                  \
        WG_LOAD_(name, wg_type_##name, at_, row_, WG_ROW_BYTES_(name), #name "[" #r "][" #c "]");  \
    })
#define wg_store2(name, r, c, value)                                                               \
    __extension__({                                                                                \
        WG_PLACE_2D_(name, r, c);                                                                  \
        WG_STORE_(name, wg_type_##name, at_, row_, WG_ROW_BYTES_(name), value,                     \
                  #name "[" #r "][" #c "]");                                                       \
    })
/* name[i].member of an array of structs, or of a vector's component */
#define wg_load_member(name, i, member)                                                            \
    __extension__({                                                                                \
        int64_t index_ = (int64_t)(i);                                                             \
        WG_LOAD_(name, __typeof__(((wg_type_##name *)0)->member),                                  \
                 (uint64_t)index_ *WG_STRIDE_(wg_type_##name) + offsetof(wg_type_##name, member),  \
                 index_, WG_STRIDE_(wg_type_##name), #name "[" #i "]." #member);                   \
    })
#define wg_store_member(name, i, member, value)                                                    \
    __extension__({                                                                                \
        int64_t index_ = (int64_t)(i);                                                             \
        WG_STORE_(name, __typeof__(((wg_type_##name *)0)->member),                                 \
                  (uint64_t)index_ *WG_STRIDE_(wg_type_##name) + offsetof(wg_type_##name, member), \
                  index_, WG_STRIDE_(wg_type_##name), value, #name "[" #i "]." #member);           \
    })
/* uniform.member */
#define wg_uniform(name, member) wg_load_member(name, 0, member)
/* arrayLength(&name) */
#define wg_array_length(name)                                                                      \
    ((u32)(wg->ctx->vars[wg_var_##name].bytes / WG_STRIDE_(wg_type_##name)))

/* ---- Atomics: name[i] of atomic_u32 or atomic_i32; results are typed ---- */

#define WG_ATOMIC_VALUE_(name) __typeof__(((wg_type_##name *)0)->bits)
#define WG_ATOMIC_SIGNED_(name) _Generic(*(wg_type_##name *)0, atomic_i32 : true, default : false)
#define WG_ATOMIC_(name, i, op, flags, operand, expected, text)                                    \
    __extension__({                                                                                \
        WG_WRITABLE_(name);                                                                        \
        int64_t index_ = (int64_t)(i);                                                             \
        WG_ATOMIC_VALUE_(name) operand_ = (operand), expected_ = (expected);                       \
        (WG_ATOMIC_VALUE_(name)) wg_atomic_(                                                       \
            wg, WG_ACCESS_SITE_(name, op, flags, 4, text), wg_var_##name, (uint64_t)index_ * 4,    \
            index_, 4, op, (u32)operand_, (u32)expected_, WG_ATOMIC_SIGNED_(name));                \
    })
#define wg_atomic_load(name, i) WG_ATOMIC_(name, i, WG_OP_ATOMIC_LOAD, 0, 0, 0, #name "[" #i "]")
#define wg_atomic_store(name, i, v)                                                                \
    ((void)WG_ATOMIC_(name, i, WG_OP_ATOMIC_STORE, WG_SITE_UNUSED, v, 0, #name "[" #i "]"))
#define wg_atomic_add(name, i, v) WG_ATOMIC_(name, i, WG_OP_ATOMIC_ADD, 0, v, 0, #name "[" #i "]")
#define wg_atomic_sub(name, i, v) WG_ATOMIC_(name, i, WG_OP_ATOMIC_SUB, 0, v, 0, #name "[" #i "]")
#define wg_atomic_max(name, i, v) WG_ATOMIC_(name, i, WG_OP_ATOMIC_MAX, 0, v, 0, #name "[" #i "]")
#define wg_atomic_min(name, i, v) WG_ATOMIC_(name, i, WG_OP_ATOMIC_MIN, 0, v, 0, #name "[" #i "]")
#define wg_atomic_and(name, i, v) WG_ATOMIC_(name, i, WG_OP_ATOMIC_AND, 0, v, 0, #name "[" #i "]")
#define wg_atomic_or(name, i, v) WG_ATOMIC_(name, i, WG_OP_ATOMIC_OR, 0, v, 0, #name "[" #i "]")
#define wg_atomic_xor(name, i, v) WG_ATOMIC_(name, i, WG_OP_ATOMIC_XOR, 0, v, 0, #name "[" #i "]")
#define wg_atomic_exchange(name, i, v)                                                             \
    WG_ATOMIC_(name, i, WG_OP_ATOMIC_EXCHANGE, 0, v, 0, #name "[" #i "]")
/* Returns the old value; it was exchanged where that equals `expected`. Never fails spuriously. */
#define wg_atomic_compare_exchange(name, i, expected, v)                                           \
    WG_ATOMIC_(name, i, WG_OP_ATOMIC_COMPARE_EXCHANGE, 0, v, expected, #name "[" #i "]")
/* The forms whose result is not used. An add of the constant 1 is what hardware merges. */
#define WG_ADD_FLAGS_(v)                                                                           \
    (WG_SITE_UNUSED |                                                                              \
     (__builtin_choose_expr(__builtin_constant_p(v), (v), 0) == 1 ? WG_SITE_INCREMENT : 0))
#define wg_atomic_add_unused(name, i, v)                                                           \
    ((void)WG_ATOMIC_(name, i, WG_OP_ATOMIC_ADD, WG_ADD_FLAGS_(v), v, 0, #name "[" #i "]"))
#define wg_atomic_sub_unused(name, i, v)                                                           \
    ((void)WG_ATOMIC_(name, i, WG_OP_ATOMIC_SUB, WG_SITE_UNUSED, v, 0, #name "[" #i "]"))
#define wg_atomic_max_unused(name, i, v)                                                           \
    ((void)WG_ATOMIC_(name, i, WG_OP_ATOMIC_MAX, WG_SITE_UNUSED, v, 0, #name "[" #i "]"))
#define wg_atomic_min_unused(name, i, v)                                                           \
    ((void)WG_ATOMIC_(name, i, WG_OP_ATOMIC_MIN, WG_SITE_UNUSED, v, 0, #name "[" #i "]"))
#define wg_atomic_and_unused(name, i, v)                                                           \
    ((void)WG_ATOMIC_(name, i, WG_OP_ATOMIC_AND, WG_SITE_UNUSED, v, 0, #name "[" #i "]"))
#define wg_atomic_or_unused(name, i, v)                                                            \
    ((void)WG_ATOMIC_(name, i, WG_OP_ATOMIC_OR, WG_SITE_UNUSED, v, 0, #name "[" #i "]"))
#define wg_atomic_xor_unused(name, i, v)                                                           \
    ((void)WG_ATOMIC_(name, i, WG_OP_ATOMIC_XOR, WG_SITE_UNUSED, v, 0, #name "[" #i "]"))

/* ---- Barriers and subgroups ---- */

#define wg_workgroup_barrier()                                                                     \
    wg_barrier_(wg, WG_MARK_SITE_(WG_OP_WORKGROUP_BARRIER, "workgroupBarrier()"))
#define wg_storage_barrier()                                                                       \
    wg_barrier_(wg, WG_MARK_SITE_(WG_OP_STORAGE_BARRIER, "storageBarrier()"))
/* workgroupUniformLoad(&name[i]): a barrier, a load that is the same for all, a barrier. */
#define wg_uniform_load(name, i)                                                                   \
    __extension__({                                                                                \
        u32 barrier_ =                                                                             \
            WG_MARK_SITE_(WG_OP_UNIFORM_LOAD, "workgroupUniformLoad(&" #name "[" #i "])");         \
        wg_barrier_(wg, barrier_);                                                                 \
        wg_type_##name uniform_ = wg_load(name, i);                                                \
        wg_barrier_(wg, barrier_);                                                                 \
        uniform_;                                                                                  \
    })

#define WG_SUBGROUP_(op_, v, argument_, text)                                                      \
    __extension__({                                                                                \
        __typeof__(v) operand_ = (v);                                                              \
        struct wg_collective c_ = {.op = (op_),                                                    \
                                   .type = WG_TYPE_SCALAR_(__typeof__(v)),                         \
                                   .components = 1,                                                \
                                   .argument = (argument_)};                                       \
        memcpy(c_.value, &operand_, sizeof operand_);                                              \
        memcpy(&operand_, wg_collective_(wg, WG_MARK_SITE_(WG_OP_SUBGROUP, text), &c_)->value,     \
               sizeof operand_);                                                                   \
        operand_;                                                                                  \
    })
/* Of scalars u32, i32 and f32. */
#define wg_subgroup_add(v) WG_SUBGROUP_(WG_SUBGROUP_ADD, v, 0, "subgroupAdd(" #v ")")
#define wg_subgroup_exclusive_add(v)                                                               \
    WG_SUBGROUP_(WG_SUBGROUP_EXCLUSIVE_ADD, v, 0, "subgroupExclusiveAdd(" #v ")")
#define wg_subgroup_inclusive_add(v)                                                               \
    WG_SUBGROUP_(WG_SUBGROUP_INCLUSIVE_ADD, v, 0, "subgroupInclusiveAdd(" #v ")")
#define wg_subgroup_min(v) WG_SUBGROUP_(WG_SUBGROUP_MIN, v, 0, "subgroupMin(" #v ")")
#define wg_subgroup_max(v) WG_SUBGROUP_(WG_SUBGROUP_MAX, v, 0, "subgroupMax(" #v ")")
#define wg_subgroup_broadcast_first(v)                                                             \
    WG_SUBGROUP_(WG_SUBGROUP_BROADCAST_FIRST, v, 0, "subgroupBroadcastFirst(" #v ")")
#define wg_subgroup_shuffle(v, lane)                                                               \
    WG_SUBGROUP_(WG_SUBGROUP_SHUFFLE, v, lane, "subgroupShuffle(" #v ", " #lane ")")

/* ---- Marks: what lets counts be exact where lanes diverge ---- */

/* Before the condition of a loop: in lockstep who went on by `continue` waits for the others. */
WG_INLINE_ bool wg_again_(struct wg *wg, u32 site) {
    if (WG_UNLIKELY_(wg->log >= wg->ctx->log_end) && wg->ctx->lockstep)
        wg_mark_room_(wg, site, WG_MARK_TURN);
    return true;
}

struct wg_loop_ {
    struct wg *wg;
    u32 site;
    bool once;
};
WG_INLINE_ struct wg_loop_ wg_loop_enter_(struct wg *wg, u32 site) {
    wg_mark_(wg, site, WG_MARK_ENTER);
    return (struct wg_loop_){wg, site, true};
}
WG_INLINE_ void wg_loop_leave_(struct wg_loop_ *loop) {
    wg_leave_(loop->wg, loop->site, WG_MARK_LEAVE);
}
/* Survives break, continue, return and goto. No counter: an endless wait must come back to the same
 * state. */
#define WG_LOOP_AT_(site_, header)                                                                 \
    for (struct wg_loop_ wg_loop_now_                                                              \
         __attribute__((cleanup(wg_loop_leave_))) = wg_loop_enter_(wg, site_);                     \
         wg_loop_now_.once; wg_loop_now_.once = false)                                             \
        header if (wg_turn_(wg, wg_loop_now_.site), 0) {                                           \
        }                                                                                          \
    else
#define WG_LOOP_(header, text) WG_LOOP_AT_(WG_MARK_SITE_(WG_OP_LOOP, text), header)
/* for (...) { ... }, while (...) { ... } and loop { ... } */
#define WG_FOR(...) WG_LOOP_(for (__VA_ARGS__), "for (" #__VA_ARGS__ ")")
#define WG_WHILE(...)                                                                              \
    WG_LOOP_(while (wg_again_(wg, wg_loop_now_.site) && (__VA_ARGS__)), "while (" #__VA_ARGS__ ")")
#define WG_LOOP WG_LOOP_(for (;;), "loop")

struct wg_branch_ {
    struct wg *wg;
    u32 site;
};
WG_INLINE_ void wg_branch_mark_(struct wg *wg, u32 site, u32 mark) {
    if (WG_UNLIKELY_(wg->log >= wg->ctx->log_end) && wg->ctx->lockstep)
        wg_mark_room_(wg, site, mark);
}
WG_INLINE_ struct wg_branch_ wg_branch_enter_(struct wg *wg, u32 site) {
    wg_branch_mark_(wg, site, WG_MARK_BRANCH);
    return (struct wg_branch_){wg, site};
}
WG_INLINE_ void wg_branch_leave_(struct wg_branch_ *branch) {
    wg_branch_mark_(branch->wg, branch->site, WG_MARK_MEET);
}
/* Where lanes part and meet again: the first statement of a block around an if or a switch,
 *     { WG_BRANCH; if (i < n) { ... } else { ... } }
 * so that break, continue and return inside keep their meaning. Only --lanes=lockstep needs it. */
#define WG_BRANCH                                                                                  \
    struct wg_branch_ wg_branch_now_ __attribute__((cleanup(wg_branch_leave_), unused)) =          \
        wg_branch_enter_(wg, WG_MARK_SITE_(WG_OP_BRANCH, ""))

struct wg_call_ {
    struct wg *wg;
    u32 site;
};
WG_INLINE_ struct wg_call_ wg_call_enter_(struct wg *wg, u32 site) {
    wg_mark_(wg, site, WG_MARK_CALL);
    return (struct wg_call_){wg, site};
}
WG_INLINE_ void wg_call_leave_(struct wg_call_ *call) {
    wg_leave_(call->wg, call->site, WG_MARK_RETURN);
}
/* A call of a WG_FUNCTION: part of the path by which accesses are told apart. */
#define WG_CALL(...)                                                                               \
    __extension__({                                                                                \
        struct wg_call_ call_ __attribute__((cleanup(wg_call_leave_), unused)) =                   \
            wg_call_enter_(wg, WG_MARK_SITE_(WG_OP_CALL, #__VA_ARGS__));                           \
        __VA_ARGS__;                                                                               \
    })

/* printf for kernels; the report shows the lines in order. */
#define wg_print(...)                                                                              \
    (wg->ctx->ops->print(wg_caller_(wg), WG_MARK_SITE_(WG_OP_PRINT, "wg_print"), __VA_ARGS__))

#endif
