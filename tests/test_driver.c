/* Tests of the driver with workers that misbehave: scripts in place of wgsim-webgpu. */
#include "tests/check_main.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <errno.h>

#include "sim/webgpu/driver.h"

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

/* As a script writes them: the tag, then the length as 8 bytes. */
#define FRAME(tag, octal_length) tag "\\" octal_length "\\0\\0\\0\\0\\0\\0\\0"

static char worker[64];

static void write_worker(const char *script) {
    strcpy(worker, "/tmp/wgsim-worker-XXXXXX");
    int fd = mkstemp(worker);
    ck_assert_int_ge(fd, 0);
    FILE *file = fdopen(fd, "w");
    fprintf(file, "#!/bin/sh\n%s\n", script);
    fchmod(fd, 0755);
    fclose(file);
}

static struct device_buffer buffers[] = {{"in", 4, "abc", false}, {"out", 4, NULL, true}};
static struct device_dispatch dispatches[] = {{.entry = "main", .groups = {1, 1, 1}}};
static struct device_job job = {.shader = "",
                                .buffers = buffers,
                                .buffer_count = 2,
                                .dispatches = dispatches,
                                .dispatch_count = 1};

static int run_script(const char *script, uint64_t deadline_ms, struct arena *arena,
                      struct device_answer *answer, struct wgsim_error *err) {
    arena_init(arena);
    signal(SIGPIPE, SIG_IGN);
    write_worker(script);
    job.target = (struct device_target){.worker = worker, .deadline_ms = deadline_ms};
    int result = driver_run(&job, arena, answer, err);
    unlink(worker);
    return result;
}

START_TEST(good_worker) {
    struct arena arena;
    struct device_answer answer;
    struct wgsim_error err = {""};
    ck_assert_msg(
        run_script("cat >/dev/null\nprintf '" FRAME("STEP", "014") "{\"step\":\"x\"}" FRAME(
                       "DONE", "002") "{}" FRAME("DATA", "004") "\\1\\2\\3\\4'",
                   5000, &arena, &answer, &err) == 0,
        "%s", err.message);
    ck_assert_int_eq(answer.status, DEVICE_RAN);
    ck_assert_str_eq(answer.step, "x");
    ck_assert_ptr_null(answer.outputs[0]);
    ck_assert_mem_eq(answer.outputs[1], "\1\2\3\4", 4);
    device_answer_release(&answer);
    arena_release(&arena);
}
END_TEST

START_TEST(rejected) {
    struct arena arena;
    struct device_answer answer;
    struct wgsim_error err = {""};
    const char *script = "cat >/dev/null\nprintf '" FRAME(
        "FAIL", "047") "{\"kind\":\"rejected\",\"message\":\"1:2: no\"} '";
    ck_assert_msg(run_script(script, 5000, &arena, &answer, &err) == 0, "%s", err.message);
    ck_assert_int_eq(answer.status, DEVICE_REJECTED);
    ck_assert_str_eq(answer.message, "1:2: no");
    device_answer_release(&answer);
    arena_release(&arena);
}
END_TEST

/* A lost device is the kernel's doing once a dispatch runs, for so its watchdog shows itself. */
START_TEST(lost_device) {
    static const char lost[] = "{\"kind\":\"lost\",\"message\":\"gone\"}";
    static const struct {
        const char *step;
        int result;
    } rows[] = {{"{\"running\":true} ", 0}, {"{\"running\":false}", -1}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena arena;
        struct device_answer answer;
        struct wgsim_error err = {"none"};
        char script[512];
        snprintf(script, sizeof script,
                 "cat >/dev/null; printf '" FRAME("STEP", "021") "%s" FRAME("FAIL", "040") "%s'",
                 rows[i].step, lost);
        ck_assert_uint_eq(strlen(rows[i].step), 021);
        ck_assert_uint_eq(strlen(lost), 040);
        ck_assert_int_eq(run_script(script, 5000, &arena, &answer, &err), rows[i].result);
        ck_assert_str_eq(rows[i].result == 0 ? answer.message : err.message, "gone");
        ck_assert(rows[i].result != 0 || answer.status == DEVICE_HUNG);
        device_answer_release(&answer);
        arena_release(&arena);
    }
}
END_TEST

/* Each row is one line for the user; no worker makes the driver wait for its deadline of 5 s but
 * where that is the point. */
START_TEST(broken_workers) {
    static const struct {
        const char *script, *message;
        uint64_t deadline_ms;
    } rows[] = {
        {"exit 3", "the device worker broke off with status 3 at \"starting\"", 5000},
        {"echo oops >&2; exit 1", "the device worker broke off with status 1 at \"starting\": oops",
         5000},
        {"echo \"thread 'x' panicked at a.rs:1:\" >&2; echo bad filter >&2; echo note >&2; kill "
         "-ABRT $$",
         "the device worker was ended by signal 6 (Aborted) at \"starting\": bad filter", 5000},
        {"kill -KILL $$", "the device worker was ended by signal 9 (Killed) at \"starting\"", 5000},
        {"cat >/dev/null; echo hello there, world",
         "the device worker talks nonsense: bytes that begin no frame", 5000},
        {"cat >/dev/null; printf 'DATA\\377\\377\\377\\377\\377\\377\\377\\377'",
         "the device worker talks nonsense: a DATA frame of 18446744073709551615 bytes", 5000},
        {"cat >/dev/null; printf '" FRAME("DATA", "004") "abcd'",
         "the device worker talks nonsense: results that nobody asked for", 5000},
        {"cat >/dev/null; printf '" FRAME("DONE", "002") "{}" FRAME("DATA", "003") "abc'",
         "the device worker talks nonsense: 3 bytes of buffer out, which has 4", 5000},
        {"cat >/dev/null; printf '" FRAME("DONE", "002") "{}" FRAME("DATA", "004") "abcd" FRAME(
             "DATA", "004") "abcd'",
         "the device worker talks nonsense: a DATA frame after the last", 5000},
        {"cat >/dev/null; printf '" FRAME("STEP", "003") "{,}'",
         "the device worker talks nonsense: a STEP frame that is no JSON object", 5000},
        {"cat >/dev/null; printf '" FRAME("DONE", "002") "{}" FRAME("DATA", "004") "ab'",
         "the device worker broke off with status 0 at \"starting\"", 5000},
        {"exec sleep 30", "the device worker did not get past \"starting\" within 0.2 s", 200},
        {"exec >&- 2>&-; exec sleep 30",
         "the device worker did not get past \"starting\" within 0.2 s", 200},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena arena;
        struct device_answer answer;
        struct wgsim_error err = {"none"};
        ck_assert_msg(run_script(rows[i].script, rows[i].deadline_ms, &arena, &answer, &err) == -1,
                      "%s", rows[i].script);
        ck_assert_str_eq(err.message, rows[i].message);
        ck_assert_uint_lt(answer.milliseconds, 2000);
        arena_release(&arena);
    }
}
END_TEST

START_TEST(no_worker) {
    struct arena arena;
    struct device_answer answer;
    struct wgsim_error err = {"none"};
    arena_init(&arena);
    job.target = (struct device_target){.worker = "/no/such/worker", .deadline_ms = 5000};
    ck_assert_int_eq(driver_run(&job, &arena, &answer, &err), -1);
    ck_assert_str_eq(err.message, "cannot start /no/such/worker: no such file or directory");
    arena_release(&arena);
}
END_TEST

START_TEST(hung_worker_is_ended) {
    struct arena arena;
    struct device_answer answer;
    struct wgsim_error err = {"none"};
    const char *script = "cat >/dev/null; printf '" FRAME(
        "STEP", "033") "{\"step\":\"x\",\"running\":true}'; exec sleep 60";
    ck_assert_msg(run_script(script, 300, &arena, &answer, &err) == -1 ||
                      answer.status == DEVICE_HUNG,
                  "%s", err.message);
    ck_assert_str_eq(err.message, "none");
    ck_assert_uint_ge(answer.milliseconds, 290); /* timers round to milliseconds */
    ck_assert_uint_lt(answer.milliseconds, 800);
    ck_assert_str_eq(answer.message, "did not end within 0.3 s");
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    ck_assert_int_eq(errno, ECHILD);
    device_answer_release(&answer);
    arena_release(&arena);
}
END_TEST

static int open_descriptors(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

START_TEST(nothing_leaks) {
    int before = 0;
    for (int i = 0; i < 200; i++) {
        struct arena arena;
        struct device_answer answer;
        struct wgsim_error err;
        run_script(i % 2 ? "exit 1" : "exec sleep 9", 20, &arena, &answer, &err);
        arena_release(&arena);
        if (i == 0)
            before = open_descriptors();
    }
    ck_assert_int_eq(open_descriptors(), before);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    ck_assert_int_eq(errno, ECHILD);
}
END_TEST

CHECK_MAIN("driver", good_worker, rejected, lost_device, broken_workers, no_worker,
           hung_worker_is_ended, nothing_leaks)
