/* One workgroup stores a message and then a flag, another loads the flag and then the message, all
 * by atomics: no race, yet on a weak machine the flag may be seen without the message. */
#include "plan.h"

enum { MESSAGE = 0, FLAG = 1 };

WG_STORAGE(0, 0, atomic_u32, box);
WG_STORAGE(0, 1, u32, seen);

WG_ENTRY(main, 1, 1, 1) {
    if (wg_workgroup_id.x == 0) {
        wg_atomic_store(box, MESSAGE, 42);
        wg_atomic_store(box, FLAG, 1);
    } else {
        u32 flag = wg_atomic_load(box, FLAG), message = wg_atomic_load(box, MESSAGE);

        wg_store(seen, MESSAGE, message);
        wg_store(seen, FLAG, flag);
    }
}

static int plan(struct wg_plan *p) {
    if (!p->ops->buffer(p, wg_var_box, 2) || !p->ops->buffer(p, wg_var_seen, 2))
        return -1;
    p->ops->dispatch(p, "main", 2, 1, 1);
    return 0;
}

static int check(struct wg_plan *p) {
    const u32 *seen = plan_result(p, wg_var_seen);

    return seen[FLAG] == 0 ? 0 : plan_expect(p, wg_var_seen, MESSAGE, seen[MESSAGE], 42);
}

WG_KERNEL("message_passing", "a message and a flag, both atomic: their order is not promised",
          .flags = WG_KERNEL_RESULT_FREE, .plan = plan, .check = check);
