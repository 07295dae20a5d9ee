/* The common main of the Check tests: one TAP line a test. A test file defines SUITE(name) and its
 * cases. */
#ifndef TESTS_CHECK_MAIN_H
#define TESTS_CHECK_MAIN_H

#include <check.h>
#include <stdlib.h>

/* Runs tests, a NULL-terminated array, as one suite. Check's fork isolates a crash to its test. */
static int check_main(const char *name, const TTest *const tests[]) {
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    tcase_set_timeout(tcase, 600); /* busy machines are slow */
    for (size_t i = 0; tests[i]; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_set_tap(runner, "-");
    srunner_run_all(runner, CK_SILENT);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Closes a test file: CHECK_MAIN("arena", test_a, test_b) */
#define CHECK_MAIN(name, ...)                                                                      \
    int main(void) {                                                                               \
        const TTest *const tests[] = {__VA_ARGS__, NULL};                                          \
        return check_main(name, tests);                                                            \
    }

#endif
