#include <ctype.h>
#include <string.h>

#include "sim/finding.h"
#include "sim/suppress.h"
#include "tests/check_main.h"

static const struct wg_site first = {.file = "kernels/a.c", .line = 7, .id = 1};
static const struct wg_site second = {.file = "kernels/b.c", .line = 9, .id = 2};

static struct finding finding_at(enum finding_kind kind, const struct wg_site *site,
                                 const char *variable) {
    struct finding finding = {.kind = kind,
                              .text = "text",
                              .variable = variable,
                              .first = FINDING_NO_PLACE,
                              .second = FINDING_NO_PLACE,
                              .count = 1};
    finding.first.site = site;
    return finding;
}

static const struct {
    const char *text;
    bool valid;
    enum finding_kind has, has_not;
} sets[] = {
    {"race", true, FINDING_RACE, FINDING_RACE_STORAGE},
    {"stale,race-storage", true, FINDING_RACE_STORAGE, FINDING_RACE},
    {"error", true, FINDING_DIVERGENCE, FINDING_STALE},
    {"warning", true, FINDING_STALE, FINDING_RACE},
    {"advice,limit", true, FINDING_LIMIT, FINDING_RACE},
    {"all", true, FINDING_IDLE_LANES, FINDING_KIND_COUNT},
    {"none", true, FINDING_KIND_COUNT, FINDING_RACE},
    {"", false, FINDING_KIND_COUNT, FINDING_KIND_COUNT},
    {"race,", false, FINDING_KIND_COUNT, FINDING_KIND_COUNT},
    {"rac", false, FINDING_KIND_COUNT, FINDING_KIND_COUNT},
};

START_TEST(reads_sets_of_kinds) {
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct wgsim_error err;
        finding_set set;
        ck_assert_msg((finding_set_parse(sets[i].text, &set, &err) == 0) == sets[i].valid, "%s",
                      sets[i].text);
        if (!sets[i].valid)
            continue;
        if (sets[i].has < FINDING_KIND_COUNT)
            ck_assert_msg(set >> sets[i].has & 1, "%s", sets[i].text);
        if (sets[i].has_not < FINDING_KIND_COUNT)
            ck_assert_msg(!(set >> sets[i].has_not & 1), "%s", sets[i].text);
    }
}
END_TEST

START_TEST(every_kind_is_explained) {
    for (int kind = 0; kind < FINDING_KIND_COUNT; kind++) {
        const struct finding_kind_info *info = &finding_kinds[kind];
        ck_assert_msg(*info->meaning && *info->example && *info->fix, "%s", info->name);
        /* a fix is printed like advice: no capital, no full stop */
        ck_assert_msg(islower((unsigned char)*info->fix) && info->fix[strlen(info->fix) - 1] != '.',
                      "%s", info->name);
        ck_assert_msg((int)finding_kind_find(info->name) == kind, "%s", info->name);
        ck_assert_msg(kind == 0 || info[-1].severity <= info->severity, "%s", info->name);
    }
}
END_TEST

START_TEST(the_same_finding_is_counted) {
    struct findings findings;
    struct finding finding = finding_at(FINDING_RACE, &first, "tile");

    findings_init(&findings);
    findings_add(&findings, &finding);
    finding.count = 4;
    findings_add(&findings, &finding);
    ck_assert_uint_eq(findings.count, 1);
    ck_assert_uint_eq(findings.items[0].count, 5);
    finding.variable = "other";
    findings_add(&findings, &finding);
    ck_assert_uint_eq(findings.count, 2);
    findings_release(&findings);
}
END_TEST

START_TEST(order_does_not_depend_on_discovery) {
    const struct finding items[] = {
        finding_at(FINDING_STALE, &first, "a"), finding_at(FINDING_RACE, &second, "b"),
        finding_at(FINDING_RACE, &first, "d"), finding_at(FINDING_RACE, &first, "c")};
    const char *const expected[] = {"c", "d", "b", "a"};

    for (size_t rotation = 0; rotation < 4; rotation++) {
        struct findings findings;
        findings_init(&findings);
        for (size_t i = 0; i < 4; i++)
            findings_add(&findings, &items[(i + rotation) % 4]);
        findings_sort(&findings);
        for (size_t i = 0; i < 4; i++)
            ck_assert_str_eq(findings.items[i].variable, expected[i]);
        findings_release(&findings);
    }
}
END_TEST

START_TEST(hypothetical_findings_stand_back) {
    struct findings real, hypothetical;
    const struct finding known = finding_at(FINDING_RACE, &first, "tile");
    const struct finding more = finding_at(FINDING_RACE, &second, "tile");

    findings_init(&real);
    findings_init(&hypothetical);
    findings_add(&real, &known);
    findings_add(&hypothetical, &known);
    findings_add(&hypothetical, &more);
    findings_add_what_if(&real, &hypothetical);
    ck_assert_uint_eq(real.count, 2);
    ck_assert_uint_eq(real.items[0].count, 1);
    ck_assert(!real.items[0].what_if);
    ck_assert(real.items[1].what_if);
    findings_release(&real);
    findings_release(&hypothetical);
}
END_TEST

static const struct {
    const char *rules;
    int hidden; /* of a race of tile at kernels/a.c:7 and stale at kernels/b.c:9; -1: refused */
} rules[] = {
    {"", 0},
    {"# nothing\n\n", 0},
    {"race", 1},
    {"all", 2},
    {"race,stale", 2},
    {"error", 1},
    {"race file=a.c", 1},
    {"race file=kernels/a.c line=7 variable=t*", 1},
    {"race file=b.c", 0},
    {"race line=8", 0},
    {"all variable=tile", 1},
    {"stale line=9\r\nrace line=7 # both\n", 2},
    {"rust", -1},
    {"race file", -1},
    {"race line=x", -1},
    {"race colour=red", -1},
    {"race file=", -1},
    {"race variable= line=7", -1},
    {"race line=", -1},
    {"race line=0", -1},
    {"race file=a.c file=a.c", -1},
    {"race line=7 line=7", -1},
    {"race variable=tile file=a.c variable=t*", -1},
    {"race file=a#b.c", 0},
    {"race#", -1},
    {"race file=a.c #file=b.c", 1},
    {"\xef\xbb\xbfrace\r\n", 1},
};

START_TEST(rules_take_findings_out) {
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct finding race = finding_at(FINDING_RACE, &first, "tile");
        const struct finding stale = finding_at(FINDING_STALE, &second, NULL);
        struct suppress suppress;
        struct findings findings;
        struct wgsim_error err;
        findings_init(&findings);
        findings_add(&findings, &race);
        findings_add(&findings, &stale);
        int result =
            suppress_parse(&suppress, rules[i].rules, strlen(rules[i].rules), "rules", &err);
        ck_assert_msg((result == 0) == (rules[i].hidden >= 0), "%s", rules[i].rules);
        if (result == 0)
            ck_assert_msg(suppress_apply(&suppress, &findings) == (size_t)rules[i].hidden, "%s",
                          rules[i].rules);
        else
            ck_assert_msg(strncmp(err.message, "rules:1: ", 9) == 0, "%s", err.message);
        suppress_release(&suppress);
        findings_release(&findings);
    }
}
END_TEST

CHECK_MAIN("finding", reads_sets_of_kinds, every_kind_is_explained, the_same_finding_is_counted,
           order_does_not_depend_on_discovery, hypothetical_findings_stand_back,
           rules_take_findings_out)
