/* Runs that look for what is still open, each until nothing is. */
#include "sim/review.h"

#include <stdlib.h>
#include <string.h>

#include "sim/error.h"
#include "sim/publish.h"
#include "sim/witness.h"

struct review {
    struct again again;
    struct witness *witness; /* of the first of the runs */
    struct publish *publish;
};

static void end_when_done(void *self, const struct record *record) {
    struct review *review = self;

    (void)record;
    if (witness_done(review->witness) && publish_done(review->publish))
        review->again.stop = 1;
}

static int run_again(struct review *review, struct wgsim_error *err) {
    const struct listener listeners[] = {witness_listener(review->witness),
                                         publish_listener(review->publish),
                                         {.self = review, .hear = end_when_done}};
    const struct row_observer rows[] = {witness_rows(review->witness),
                                        publish_rows(review->publish)};
    const struct run_observers observers = {
        .listeners = listeners, .listener_count = 3, .rows = rows, .row_count = 2};

    review->again.stop = 0;
    return again_run(&review->again, &observers, err);
}

static int look(struct review *review, struct races *races, struct wgsim_error *err) {
    bool first = true;

    while (publish_ask(review->publish) || (first && !witness_done(review->witness))) {
        if (run_again(review, err) < 0 || publish_take(review->publish, err) < 0)
            return -1;
        witness_close(review->witness);
        first = false;
    }
    witness_tell(review->witness, races);
    return 0;
}

int review_races(const struct run *run, struct races *races, const struct spins *spins,
                 bool **published, struct wgsim_error *err) {
    struct review review = {.again = {.run = run}};
    int result = -1;

    *published = calloc(races->count + 1, sizeof **published);
    review.witness = witness_new(&review.again, races);
    review.publish = publish_new(&review.again, races, spins);
    if (*published && review.witness && review.publish)
        result = look(&review, races, err);
    else
        error_format(err, "out of memory");
    if (result == 0)
        memcpy(*published, publish_ordered(review.publish), races->count * sizeof **published);
    witness_free(review.witness);
    publish_free(review.publish);
    return result;
}
