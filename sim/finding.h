/* What a run showed to be wrong or worth knowing in a kernel: a list of findings, each of a kind.
 * A finding is data: it never stops a run. */
#ifndef SIM_FINDING_H
#define SIM_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/arena.h"
#include "wgsim/kernel.h"
#include "wgsim/wgsim.h"

enum finding_kind {
#define KIND(id, ...) FINDING_##id,
#include "sim/finding.def"
#undef KIND
    FINDING_KIND_COUNT
};

enum finding_severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_ADVICE };
extern const char *const finding_severity_names[]; /* ends with NULL */

/* What there is to say about a kind, for `wgsim explain`. */
struct finding_kind_info {
    const char *name;
    enum finding_severity severity;
    const char *meaning, *example;
    const char *fix; /* as struct finding's advice */
};
extern const struct finding_kind_info finding_kinds[FINDING_KIND_COUNT];

/* The kind of that name, or FINDING_KIND_COUNT. */
enum finding_kind finding_kind_find(const char *name);

#define FINDING_UNKNOWN UINT64_MAX

/* One of the (at most two) places of a finding. */
struct finding_place {
    const struct wg_site *site; /* NULL: there is no such place */
    uint64_t workgroup;         /* linear id, or FINDING_UNKNOWN */
    uint64_t invocation;        /* local index, or FINDING_UNKNOWN */
    uint64_t iteration;         /* of the loops around it, innermost, from 0; or FINDING_UNKNOWN */
};
#define FINDING_NO_PLACE                                                                           \
    ((struct finding_place){NULL, FINDING_UNKNOWN, FINDING_UNKNOWN, FINDING_UNKNOWN})

/* What an access read or stored: a word, to be read as an enum wg_scalar. */
struct finding_value {
    bool known, before_known;
    uint8_t scalar;
    uint32_t value, before; /* before: what was there, of a store */
};

struct finding {
    enum finding_kind kind;
    uint32_t dispatch;    /* index in the job of the first such dispatch */
    const char *text;     /* what happened: one or two sentences without a final full stop */
    const char *advice;   /* what to do, with this finding's numbers: likewise, and with a small
                           * letter   first; NULL: the kind's fix says it */
    const char *variable; /* NULL: none */
    uint64_t element;     /* of the variable, or FINDING_UNKNOWN */
    struct finding_place first, second; /* of a race: in the order in which they happened */
    struct finding_value first_value, second_value; /* of a race */
    const char *file; /* of a finding without sites: where the cause is declared, or NULL */
    uint32_t line;
    bool what_if;   /* seen only in a hypothetical run in which all workgroups are resident */
    uint64_t count; /* how often: elements, accesses or invocations, as the text says */
};

struct findings {
    struct arena arena; /* holds the texts */
    struct finding *items;
    size_t count, capacity;
    bool failed;     /* out of memory: some finding is missing */
    bool more_races; /* more pairs of places race than are kept */
};

void findings_init(struct findings *findings);
void findings_release(struct findings *findings);

/* Adds a finding; one of the same kind, sites and variable that is there already takes the count
 * instead. Its texts are of the kernel or from findings_text: they are not copied. */
void findings_add(struct findings *findings, const struct finding *finding);
/* Adds those findings of another list that this one does not have, as what-if ones. Their texts
 * stay where they are. */
void findings_add_what_if(struct findings *findings, const struct findings *hypothetical);
/* Text for a finding, kept in the list's arena. */
const char *findings_text(struct findings *findings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Most severe first, then by kind, place and variable: independent of the order of discovery. */
void findings_sort(struct findings *findings);

/* Kinds as a set, for --fail-on. */
typedef uint64_t finding_set;
/* Reads "race,stale", or "error", "warning", "advice", "none", "all". */
int finding_set_parse(const char *text, finding_set *set, struct wgsim_error *err);
/* The kinds that change the exit status by default: errors and warnings. */
finding_set finding_set_default(void);
/* Whether some finding is of a kind in the set. */
bool findings_any(const struct findings *findings, finding_set set);

#endif
