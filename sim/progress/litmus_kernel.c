/* The kernel that runs litmus tests: a thread is a workgroup of one invocation. */
#include <wgsim/kernel.h>

#include "sim/progress/litmus_kernel.h"

WG_STORAGE_READ(0, 0, u32, code);
WG_STORAGE(0, 1, atomic_u32, memory);
_Static_assert((int)wg_var_code == (int)LITMUS_CODE && (int)wg_var_memory == (int)LITMUS_MEMORY,
               "order of variables");

WG_ENTRY(main, 1, 1, 1) {
    u32 thread = wg_workgroup_id.x, count = wg_load(code, thread * 2 + 1), pc = 0;

    WG_WHILE(pc < count) {
        u32 at = wg_load(code, thread * 2) + pc * LITMUS_WORDS;
        u32 op = wg_load(code, at), location = wg_load(code, at + 1);
        u32 value = wg_load(code, at + 2), target = wg_load(code, at + 4);
        bool branch = false;

        if (op == LITMUS_STORE)
            wg_atomic_store(memory, location, value);
        else if (op == LITMUS_CHECK_BRANCH)
            branch = wg_atomic_load(memory, location) == value;
        else
            branch = wg_atomic_exchange(memory, location, wg_load(code, at + 3)) == value;
        pc = branch ? target : pc + 1;
    }
}

#define wgsim_kernel_2 litmus_kernel
WG_KERNEL("litmus", "interprets a litmus test of workgroup progress");
