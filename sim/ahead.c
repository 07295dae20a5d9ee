/* Threads, and the window of the queue that they work in. */
#include "sim/ahead.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "sim/error.h"
#include "sim/room.h"
#include "sim/runner.h"

enum {
    CHUNK_MAX = 16,          /* workgroups that a thread takes at once */
    CHUNKS_EACH = 16,        /* that the window has for each thread */
    CHUNK_BYTES = 1 << 17,   /* about so much is to be kept of them */
    WINDOW_BYTES = 1 << 29,  /* more is never kept of all */
    WORTH_THREADS = 1 << 13, /* requests of a dispatch that is run by threads */
    HANDLER_STACK_BYTES = 1 << 16,
    THREAD_STACK_BYTES = 1 << 20, /* invocations have stacks of their own */
    ARENA_BYTES = 1 << 27,        /* that the C library may map for a thread, for good */
    SPARE_BYTES = 1 << 25
};

/* Neighbours in the queue. */
struct chunk {
    bool done;
    struct ahead_work works[CHUNK_MAX];
    size_t ends[CHUNK_MAX]; /* in `later`, of what is told of each */
    struct later_store later;
    size_t requests; /* of all works */
};

/* One that runs workgroups. */
struct worker {
    struct ahead *ahead;
    pthread_t thread;
    struct judge judge;
    struct row_observer rows[2];
    struct lane_log logs[2];
    struct runner runner;
    struct later later;
    uint64_t steps, barriers; /* of the present workgroup */
    uint64_t all_steps;
    uint8_t *handler_stack;
    sigjmp_buf crash; /* where the thread goes on if a lane crashes */
};

/* Whom the thread runs workgroups for, or NULL. */
static _Thread_local struct worker *volatile running;

struct ahead {
    struct ahead_spec spec;
    struct later_audience audience;
    struct worker **workers; /* the first is that of the main thread */
    uint32_t worker_count;
    /* The first workgroup is a chunk of its own: how large the others are is judged by it. */
    uint64_t chunk_size, chunk_count;
    struct chunk *window; /* a chunk's place is its number modulo `width` */
    uint64_t width;
    struct chunk single;       /* one workgroup, behind all chunks */
    uint64_t limit;            /* position behind all that chunks have, once no more are begun */
    pthread_mutex_t lock;      /* of what follows, and of `done` of chunks */
    pthread_cond_t done, room; /* what the main thread waits for, and others */
    uint64_t taken, claimed;   /* chunks: the main thread is at `taken`, threads at those before */
    enum ahead_end end;
    bool stop;
};

bool ahead_possible(const struct kernel *kernel) {
    for (size_t id = 0; id < kernel->site_limit; id++) {
        const struct wg_site *site = kernel->sites[id];
        if (site && site->op >= WG_OP_ATOMIC_LOAD && site->op <= WG_OP_ATOMIC_COMPARE_EXCHANGE &&
            site->space != WG_SPACE_WORKGROUP)
            return false;
    }
    return true;
}

/* ---- Workers ---- */

/* What is told of a barrier is seen on the lanes that wait there. */
static void see_apart(void *self, const struct workgroup *w, const struct wg_site *site,
                      bool different_calls) {
    struct worker *worker = self;

    (void)w, (void)site, (void)different_calls;
    worker->later.lost = true;
}

static void free_worker(struct worker *worker) {
    if (!worker)
        return;
    runner_release(&worker->runner);
    later_release(&worker->later);
    lane_log_release(&worker->logs[0]);
    lane_log_release(&worker->logs[1]);
    if (worker->judge.sites)
        judge_release(&worker->judge);
    free(worker->handler_stack);
    free(worker);
}

static struct worker *new_worker(struct ahead *ahead) {
    const struct ahead_spec *spec = &ahead->spec;
    struct worker *worker = calloc(1, sizeof *worker);

    if (!worker)
        return NULL;
    worker->ahead = ahead;
    worker->handler_stack = malloc(HANDLER_STACK_BYTES);
    if (!worker->handler_stack || lane_log_init(&worker->logs[0], NULL) < 0 ||
        lane_log_init(&worker->logs[1], NULL) < 0 ||
        judge_init(&worker->judge, spec->device, spec->launch->kernel, NULL) < 0 ||
        later_init(&worker->later, spec->launch) < 0 ||
        runner_init(&worker->runner, spec->launch, NULL) < 0) {
        free_worker(worker);
        return NULL;
    }
    if (spec->judge->observer_count > 0)
        worker->rows[worker->judge.observer_count++] = later_rows(&worker->later);
    worker->rows[worker->judge.observer_count++] = runner_guard(&worker->runner);
    worker->judge.observers = worker->rows;
    worker->judge.ignore_changes = true;
    worker->runner.judge = &worker->judge;
    worker->runner.logs = worker->logs;
    worker->runner.even = spec->even;
    worker->runner.apart = see_apart;
    worker->runner.self = worker;
    worker->runner.steps = &worker->steps;
    worker->runner.barriers = &worker->barriers;
    worker->runner.workgroup->user = spec->self;
    worker->runner.workgroup->later = &worker->later;
    return worker;
}

/* ---- Chunks ---- */

static uint64_t chunk_of(const struct ahead *ahead, uint64_t position) {
    return position == 0 ? 0 : 1 + (position - 1) / ahead->chunk_size;
}

static uint64_t chunk_begin(const struct ahead *ahead, uint64_t number) {
    return number == 0 ? 0 : 1 + (number - 1) * ahead->chunk_size;
}

static uint64_t chunk_end(const struct ahead *ahead, uint64_t number) {
    uint64_t end = chunk_begin(ahead, number + 1);

    return end < ahead->spec.queue->total ? end : ahead->spec.queue->total;
}

static struct chunk *chunk_at(const struct ahead *ahead, uint64_t number) {
    return &ahead->window[number % ahead->width];
}

static size_t bytes_of(const struct ahead *ahead, const struct chunk *chunk) {
    size_t kept = ahead->spec.even ? 0 : chunk->requests;

    return chunk->later.length + kept * sizeof(struct timing_request);
}

/* Runs a workgroup. Its place in the chunk is `index`. */
static enum ahead_end run_work(struct worker *worker, struct chunk *chunk, size_t index,
                               uint64_t id) {
    const struct launch *launch = worker->ahead->spec.launch;
    struct ahead_work *work = &chunk->works[index];

    if (!worker->runner.even) {
        if (!work->schedule)
            work->schedule = schedule_new(launch->subgroups);
        if (!work->schedule)
            return AHEAD_VOID;
        schedule_start(work->schedule, launch->subgroups, 0);
    }
    worker->steps = worker->barriers = 0;
    int result = runner_run(&worker->runner, id, work->schedule, NULL);
    worker->all_steps += worker->steps;
    if (result < 0 || worker->later.lost)
        return AHEAD_VOID;
    if (worker->runner.guard.conflict)
        return AHEAD_CONFLICT;
    work->steps = worker->steps;
    work->barriers = worker->barriers;
    work->account = worker->runner.account;
    chunk->requests += work->account.requests;
    chunk->ends[index] = chunk->later.length;
    return AHEAD_GOOD;
}

/* Runs those at neighbouring positions of the queue. */
static enum ahead_end run_each(struct worker *worker, struct chunk *chunk, uint64_t begin,
                               uint64_t end) {
    const struct ahead *ahead = worker->ahead;

    chunk->requests = 0;
    later_store_empty(&chunk->later);
    later_begin(&worker->later, &chunk->later);
    for (uint64_t position = begin; position < end; position++) {
        enum ahead_end how = run_work(worker, chunk, (size_t)(position - begin),
                                      queue_at(ahead->spec.queue, position));
        if (how != AHEAD_GOOD)
            return how;
        if (bytes_of(ahead, chunk) > WINDOW_BYTES / ahead->width)
            return AHEAD_VOID;
    }
    return AHEAD_GOOD;
}

/* The same. Where a lane crashes all is void: run one after the other, they may not come there. */
static enum ahead_end run_works(struct worker *worker, struct chunk *chunk, uint64_t begin,
                                uint64_t end) {
    enum ahead_end how = AHEAD_VOID;

    if (sigsetjmp(worker->crash, 0) == 0) {
        running = worker;
        how = run_each(worker, chunk, begin, end);
    } else {
        worker->later.lost = true;
    }
    running = NULL;
    return how;
}

void ahead_leave_crash(int number) {
    struct worker *worker = running;
    sigset_t signal;

    if (!worker)
        return;
    sigemptyset(&signal);
    sigaddset(&signal, number);
    pthread_sigmask(SIG_UNBLOCK, &signal, NULL);
    siglongjmp(worker->crash, 1);
}

/* The first that goes wrong decides. */
static void settle(struct ahead *ahead, enum ahead_end how) {
    if (ahead->end == AHEAD_GOOD)
        ahead->end = how;
}

/* Runs the next chunk that nobody has, if it is in the window. The lock is held, and given up
 * meanwhile. */
static bool run_next(struct worker *worker) {
    struct ahead *ahead = worker->ahead;
    uint64_t number = ahead->claimed;

    if (number >= ahead->chunk_count || number >= ahead->taken + ahead->width ||
        ahead->end != AHEAD_GOOD)
        return false;
    ahead->claimed++;
    pthread_mutex_unlock(&ahead->lock);
    enum ahead_end how = run_works(worker, chunk_at(ahead, number), chunk_begin(ahead, number),
                                   chunk_end(ahead, number));
    pthread_mutex_lock(&ahead->lock);
    chunk_at(ahead, number)->done = true;
    settle(ahead, how);
    pthread_cond_signal(&ahead->done);
    return true;
}

/* ---- Threads ---- */

static void *work(void *argument) {
    struct worker *worker = argument;
    struct ahead *ahead = worker->ahead;
    stack_t stack = {.ss_sp = worker->handler_stack, .ss_size = HANDLER_STACK_BYTES}, before;

    sigaltstack(&stack, &before); /* lanes may overrun theirs */
    pthread_mutex_lock(&ahead->lock);
    while (!ahead->stop)
        if (!run_next(worker))
            pthread_cond_wait(&ahead->room, &ahead->lock);
    pthread_mutex_unlock(&ahead->lock);
    sigaltstack(&before, NULL);
    return NULL;
}

/* Signals are the main thread's, but those that a lane causes. */
static int start_thread(struct worker *worker) {
    sigset_t all, before;

    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    sigdelset(&all, SIGTRAP);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_t attributes;
    int result = pthread_attr_init(&attributes);
    if (result == 0) {
        pthread_attr_setstacksize(&attributes, THREAD_STACK_BYTES);
        result = pthread_create(&worker->thread, &attributes, work, worker);
        pthread_attr_destroy(&attributes);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result;
}

/* Bytes that are mapped for a workgroup with its invocations. */
static uint64_t resident_bytes(const struct ahead *ahead) {
    const struct launch *launch = ahead->spec.launch;

    return ahead->workers[0]->runner.workgroup->stacks.mapped_bytes + launch->memory_bytes +
           launch->invocations * sizeof(struct wg_lane);
}

/* Whether one more thread leaves room for what is still to come: all that there is may grow by
 * half, and should workgroups communicate, residents get their invocations. */
static bool has_room(const struct ahead *ahead) {
    uint64_t used, room = room_to_map(&used);

    return room == UINT64_MAX || room > (ahead->worker_count - 1) * (uint64_t)ARENA_BYTES +
                                            SPARE_BYTES + used / 2 +
                                            ahead->spec.residents * resident_bytes(ahead);
}

/* Fewer than wanted will do. */
static void start_threads(struct ahead *ahead, uint64_t wanted) {
    while (ahead->worker_count < wanted) {
        struct worker *worker = new_worker(ahead);
        if (!worker)
            return;
        ahead->workers[ahead->worker_count++] = worker; /* before it can crash */
        if (!has_room(ahead) || start_thread(worker) != 0) {
            ahead->worker_count--;
            free_worker(worker);
            return;
        }
    }
}

static void end_threads(struct ahead *ahead) {
    pthread_mutex_lock(&ahead->lock);
    bool ended = ahead->stop;
    ahead->stop = true;
    pthread_cond_broadcast(&ahead->room);
    pthread_mutex_unlock(&ahead->lock);
    for (uint32_t i = 1; i < ahead->worker_count && !ended; i++)
        pthread_join(ahead->workers[i]->thread, NULL);
}

/* ---- The main thread ---- */

struct ahead *ahead_new(const struct ahead_spec *spec) {
    struct ahead *ahead = calloc(1, sizeof *ahead);

    if (!ahead)
        return NULL;
    ahead->spec = *spec;
    ahead->chunk_size = ahead->chunk_count = 1;
    ahead->limit = UINT64_MAX;
    ahead->width = CHUNKS_EACH * (uint64_t)spec->threads;
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->done, NULL);
    pthread_cond_init(&ahead->room, NULL);
    ahead->workers = calloc(spec->threads, sizeof *ahead->workers);
    ahead->window = calloc(ahead->width, sizeof *ahead->window);
    ahead->audience = (struct later_audience){.judge = spec->judge,
                                              .workgroup = workgroup_new(spec->launch, false, NULL),
                                              .report = spec->report,
                                              .self = spec->self};
    if (ahead->workers && ahead->window && ahead->audience.workgroup &&
        (ahead->workers[0] = new_worker(ahead))) {
        ahead->worker_count = 1;
        ahead->audience.workgroup->user = spec->self;
        return ahead;
    }
    ahead_free(ahead);
    return NULL;
}

bool ahead_overflown(const struct ahead *ahead) {
    for (uint32_t i = 0; i < ahead->worker_count; i++)
        if (workgroup_overflown(ahead->workers[i]->runner.workgroup))
            return true;
    return false;
}

static void free_chunk(const struct ahead *ahead, struct chunk *chunk) {
    for (size_t i = 0; i < CHUNK_MAX; i++)
        schedule_free(chunk->works[i].schedule, ahead->spec.launch->subgroups);
    later_store_release(&chunk->later);
}

void ahead_free(struct ahead *ahead) {
    if (!ahead)
        return;
    end_threads(ahead);
    for (uint32_t i = 0; i < ahead->worker_count; i++)
        free_worker(ahead->workers[i]);
    for (uint64_t i = 0; ahead->window && i < ahead->width; i++)
        free_chunk(ahead, &ahead->window[i]);
    free_chunk(ahead, &ahead->single);
    if (ahead->audience.workgroup)
        judge_forget(ahead->audience.workgroup);
    workgroup_free(ahead->audience.workgroup);
    pthread_cond_destroy(&ahead->done);
    pthread_cond_destroy(&ahead->room);
    pthread_mutex_destroy(&ahead->lock);
    free(ahead->window);
    free(ahead->workers);
    free(ahead);
}

/* The first workgroup has run: how many are to be run at once, and by how many threads? */
static void plan(struct ahead *ahead) {
    const struct chunk *first = &ahead->window[0];
    uint64_t rest = ahead->spec.queue->total - 1, fit;

    fit = CHUNK_BYTES / (bytes_of(ahead, first) + 1);
    ahead->chunk_size = fit > CHUNK_MAX ? CHUNK_MAX : fit ? fit : 1;
    if (rest / ahead->chunk_size < ahead->spec.threads)
        ahead->chunk_size = rest / ahead->spec.threads ? rest / ahead->spec.threads : 1;
    ahead->chunk_count = 1 + (rest + ahead->chunk_size - 1) / ahead->chunk_size;
    if (rest && first->requests >= WORTH_THREADS / rest)
        start_threads(ahead, ahead->spec.threads < rest ? ahead->spec.threads : rest);
}

/* Waits for a chunk, and runs others meanwhile. */
static bool wait_for(struct ahead *ahead, uint64_t number) {
    const struct chunk *chunk = chunk_at(ahead, number);

    pthread_mutex_lock(&ahead->lock);
    while (ahead->end == AHEAD_GOOD && !(number < ahead->claimed && chunk->done))
        if (!run_next(ahead->workers[0]))
            pthread_cond_wait(&ahead->done, &ahead->lock);
    bool good = ahead->end == AHEAD_GOOD;
    pthread_mutex_unlock(&ahead->lock);
    return good;
}

/* The chunk before `number` is done with: its place is free. */
static void move_window(struct ahead *ahead, uint64_t number) {
    later_forget_shapes(&ahead->audience);
    pthread_mutex_lock(&ahead->lock);
    chunk_at(ahead, ahead->taken)->done = false;
    ahead->taken = number;
    pthread_cond_broadcast(&ahead->room);
    pthread_mutex_unlock(&ahead->lock);
}

static bool tell(struct ahead *ahead, const struct chunk *chunk, size_t index,
                 const struct workgroup *resident) {
    struct workgroup *w = ahead->audience.workgroup;

    workgroup_name(w, resident->id);
    w->cu = resident->cu;
    w->slot = resident->slot;
    return later_tell(&chunk->later, index ? chunk->ends[index - 1] : 0, chunk->ends[index],
                      &ahead->audience) == 0;
}

static bool run_single(struct ahead *ahead, uint64_t position) {
    enum ahead_end how = run_works(ahead->workers[0], &ahead->single, position, position + 1);

    pthread_mutex_lock(&ahead->lock);
    settle(ahead, how);
    bool good = ahead->end == AHEAD_GOOD;
    pthread_mutex_unlock(&ahead->lock);
    return good;
}

/* Has a workgroup run, or waits until it has. Its work is that of a chunk at *index; NULL: all is
 * void. */
static const struct chunk *obtain(struct ahead *ahead, uint64_t position, size_t *index) {
    *index = 0;
    if (position >= ahead->limit) {
        later_forget_shapes(&ahead->audience);
        return run_single(ahead, position) ? &ahead->single : NULL;
    }
    if (position == 1)
        plan(ahead);
    uint64_t number = chunk_of(ahead, position);
    if (number > ahead->taken)
        move_window(ahead, number);
    *index = (size_t)(position - chunk_begin(ahead, number));
    return wait_for(ahead, number) ? chunk_at(ahead, number) : NULL;
}

const struct ahead_work *ahead_take(struct ahead *ahead, uint64_t position,
                                    const struct workgroup *resident) {
    size_t index;
    const struct chunk *chunk = obtain(ahead, position, &index);

    if (chunk && tell(ahead, chunk, index, resident))
        return &chunk->works[index];
    pthread_mutex_lock(&ahead->lock);
    settle(ahead, AHEAD_VOID);
    pthread_mutex_unlock(&ahead->lock);
    return NULL;
}

bool ahead_is_level(struct ahead *ahead, uint64_t position) {
    pthread_mutex_lock(&ahead->lock);
    ahead->chunk_count = ahead->claimed;
    pthread_mutex_unlock(&ahead->lock);
    ahead->limit = ahead->chunk_count ? chunk_end(ahead, ahead->chunk_count - 1) : 0;
    return position >= ahead->limit;
}

/* Whether a run one after the other comes to a conflict that was met: the workgroups before it,
 * which have all been run, take no more steps than there may be, and none of them ends the run. */
static bool conflict_stands(const struct ahead *ahead) {
    uint64_t steps = 0;

    for (uint32_t i = 0; i < ahead->worker_count; i++) {
        if (ahead->workers[i]->later.lost)
            return false;
        steps += ahead->workers[i]->all_steps;
    }
    return ahead->spec.max_steps == 0 || steps < ahead->spec.max_steps;
}

enum ahead_end ahead_finish(struct ahead *ahead, struct judge *judge) {
    struct worker *first = ahead->workers[0];

    end_threads(ahead);
    for (uint32_t i = 0; i < ahead->worker_count && ahead->end == AHEAD_GOOD; i++) {
        struct worker *worker = ahead->workers[i];
        if (runner_check_stacks(worker->runner.workgroup, NULL) < 0)
            ahead->end = AHEAD_VOID;
        else if (i > 0 && guard_join(&first->runner.guard, &worker->runner.guard))
            ahead->end = AHEAD_CONFLICT;
        judge_finish(&worker->judge);
        judge_add(&worker->judge, judge->sites, judge->vars);
    }
    if (ahead->end == AHEAD_CONFLICT && !conflict_stands(ahead))
        ahead->end = AHEAD_VOID;
    return ahead->end;
}
