/* Workgroups that keep to themselves, but for one that reads what another wrote; in the middle the
 * program gets a signal. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include <wgsim/kernel.h>

WG_OVERRIDE(u32, meets, 0, "workgroup that reads what another wrote; 0: none");
WG_STORAGE(0, 0, u32, data);

/* The signal comes when workgroup $RAISE_IN runs for the $RAISE_AT-th time, of this dispatch or of
 * others, ahead or in steps; the file $RAISE_FILE counts. */
static void interrupt(u32 group) {
    const char *in = getenv("RAISE_IN"), *at = getenv("RAISE_AT"), *path = getenv("RAISE_FILE");

    if (!in || !at || !path || (u32)atoi(in) != group)
        return;
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (write(fd, "x", 1) == 1 && lseek(fd, 0, SEEK_END) == atoi(at))
        kill(getpid(), SIGTERM);
    close(fd);
}

WG_ENTRY(main, 64, 1, 1) {
    u32 li = wg_local_invocation_index, group = wg_workgroup_id.x, i = group * 64 + li;

    wg_store(data, i, i);
    wg_workgroup_barrier();
    wg_store(data, i, wg_load(data, group * 64 + 63 - li) + 1);
    if (li == 0) {
        interrupt(group);
    }
    if (group != 0 && group == wg_override(meets)) {
        wg_store(data, i, wg_load(data, li) + 1);
    }
}

static int plan(struct wg_plan *p) {
    u32 groups[3];

    p->ops->groups(p, groups);
    u32 count = groups[0] ? groups[0] : 600;
    if (!p->ops->buffer(p, wg_var_data, count * 64))
        return -1;
    p->ops->dispatch(p, "main", count, 1, 1);
    p->ops->dispatch(p, "main", count, 1, 1);
    return 0;
}

WG_KERNEL("interrupted", "a signal comes while it runs", .plan = plan);
