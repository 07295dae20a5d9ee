/* Kernels compiled by the system's compiler. */
#include "sim/compile.h"

#include "sim/buf.h"
#include "sim/cache.h"
#include "sim/error.h"
#include "sim/event_loop.h"
#include "sim/held.h"
#include "sim/object.h"
#include "sim/read_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <uv.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

const char *const compile_flags[] = {
    "-std=gnu11",
    "-O1",
    "-shared",
    "-fPIC",
    "-Wl,-Bsymbolic", /* its functions are its own, though the program has some of that name */
    "-fwrapv",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-w",
    NULL,
};

/* One kernel on its way to an object. No signal ends the program before its temporary files are
 * gone. */
struct compilation {
    struct arena *arena;
    const char *name;    /* in messages */
    const char *include; /* folder */
    const char *folder;  /* the cache */
    struct held held;
};

/* -- one run of the compiler ------------------------------------------------------------------- */

enum { OUTPUT_BYTES = 256 << 20 };

struct run {
    uv_process_t process;
    uv_pipe_t pipe;
    uv_timer_t watch;
    const struct held *held;
    struct buf output; /* of the pipe */
    bool endless;      /* there is more than can be meant */
    int64_t status;
    char chunk[4096];
};

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
    struct run *run = handle->data;
    (void)suggested;
    *buffer = uv_buf_init(run->chunk, sizeof run->chunk);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    struct run *run = stream->data;
    if (count > 0)
        buf_append(&run->output, buffer->base, (size_t)count);
    run->endless = run->output.len > OUTPUT_BYTES;
    if (count < 0 || run->endless) /* then SIGPIPE ends the program, and all that it has started */
        uv_close((uv_handle_t *)stream, NULL);
}

static void on_exit_status(uv_process_t *process, int64_t status, int signal) {
    struct run *run = process->data;
    run->status = signal ? 128 + signal : status;
    uv_close((uv_handle_t *)process, NULL);
}

/* A signal that came to this process alone ends the program too. */
static void on_watch(uv_timer_t *timer) {
    struct run *run = timer->data;
    if (held_came(run->held) && uv_is_active((uv_handle_t *)&run->process))
        uv_process_kill(&run->process, SIGTERM);
}

/* Runs a program and keeps what it writes to descriptor `fd`, 1 or 2. Returns a libuv error. */
static int run_program(struct run *run, char **arguments, int fd) {
    enum { WATCH_MS = 50 };
    uv_loop_t loop;
    int status = event_loop_init(&loop);
    if (status)
        return status;
    uv_pipe_init(&loop, &run->pipe, 0);
    uv_timer_init(&loop, &run->watch);
    run->pipe.data = run->process.data = run->watch.data = run;
    uv_stdio_container_t stdio[3] = {
        {.flags = UV_IGNORE}, {.flags = UV_IGNORE}, {.flags = UV_IGNORE}};
    stdio[fd].flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE;
    stdio[fd].data.stream = (uv_stream_t *)&run->pipe;
    uv_process_options_t options = {.file = arguments[0],
                                    .args = arguments,
                                    .exit_cb = on_exit_status,
                                    .stdio = stdio,
                                    .stdio_count = 3};
    status = uv_spawn(&loop, &run->process, &options);
    if (status) {
        uv_close((uv_handle_t *)&run->pipe, NULL);
        uv_close((uv_handle_t *)&run->process, NULL);
    } else {
        uv_read_start((uv_stream_t *)&run->pipe, on_alloc, on_read);
        uv_timer_start(&run->watch, on_watch, WATCH_MS, WATCH_MS);
        uv_unref((uv_handle_t *)&run->watch);
    }
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_close((uv_handle_t *)&run->watch, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
    return status;
}

static const char *compiler(void) {
    const char *cc = getenv("CC");
    return cc && cc[0] && !strchr(cc, ' ') ? cc : "cc";
}

/* What the compiler said, for one line. */
struct complaint {
    const char *place; /* "FILE:LINE:COLUMN: "; empty where the words have it */
    int place_length;
    const char *words;
};

/* The length of "FILE:LINE:COLUMN: " at the start of a line, or 0. */
static int place_length(const char *line, const char *file) {
    size_t length = strlen(file);
    if (strncmp(line, file, length) != 0 || line[length] != ':')
        return 0;
    size_t number = strspn(line + length, ":0123456789");
    return number > 1 && line[length + number] == ' ' ? (int)(length + number + 1) : 0;
}

/* The first place in the file among the lines, of which cc names one after the other from where it
 * found the error, in a macro's definition, to where the macro stands. */
static const char *find_place(const char *lines, const char *file, int *length) {
    for (const char *line = lines; line; line = (line = strchr(line, '\n')) ? line + 1 : NULL)
        if ((*length = place_length(line, file)) > 0)
            return line;
    return NULL;
}

static char *cut_line(char *line) {
    char *end = strchr(line, '\n');
    if (!end)
        return line + strlen(line);
    *end = '\0';
    return end + 1;
}

/* Cuts the first error, else the first line, out of the compiler's output. */
static struct complaint first_complaint(struct buf *output, const char *file) {
    char *line = output->data ? output->data : "";
    line += strspn(line, "\n");
    char *error = strstr(line, "error: ");
    if (!error) {
        if (*line)
            cut_line(line);
        return (struct complaint){.place = "", .words = *line ? line : "no message"};
    }
    for (const char *next = line; (next = strchr(next, '\n')) && next < error;)
        line = (char *)++next;
    const char *rest = cut_line(error);
    struct complaint complaint = {.words = error};
    if (place_length(line, file) == 0)
        complaint.place = find_place(rest, file, &complaint.place_length);
    return complaint.place ? complaint : (struct complaint){.place = "", .words = line};
}

static int compiler_failed(const struct compilation *c, struct buf *output,
                           struct wgsim_error *err) {
    if (held_came(&c->held))
        return error_set(err, "the compilation of %s was interrupted", c->name);
    struct complaint complaint = first_complaint(output, c->name);
    return error_set(err, "%s refuses %s: %.*s%s", compiler(), c->name, complaint.place_length,
                     complaint.place, complaint.words);
}

/* Runs cc with the flags and more arguments, ended by NULL. The output must be released. */
static int run_compiler(const struct compilation *c, const char *const *more, int fd,
                        struct buf *output, struct wgsim_error *err) {
    const char *arguments[40] = {compiler(), "-I", c->include};
    size_t count = 3;
    for (size_t k = 0; compile_flags[k]; k++)
        arguments[count++] = compile_flags[k];
    for (size_t k = 0; more[k]; k++)
        arguments[count++] = more[k];
    struct run run = {.status = -1, .held = &c->held};
    int status = run_program(&run, (char **)arguments, fd);
    *output = run.output;
    if (status)
        return error_set(err, "cannot compile %s: %s does not run: %s", c->name, arguments[0],
                         uv_strerror(status));
    if (run.endless)
        return error_set(err,
                         "%s is over %d MiB with all macros and includes: too long for a kernel",
                         c->name, OUTPUT_BYTES >> 20);
    if (run.status)
        return compiler_failed(c, output, err);
    return output->failed ? error_set(err, "out of memory") : 0;
}

/* -- the key ----------------------------------------------------------------------------------- */

static void add_file(struct cache_key *key, const char *path) {
    char bytes[16384];
    ssize_t count;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && (count = read(fd, bytes, sizeof bytes)) > 0)
        cache_key_add(key, bytes, (uint64_t)count);
    if (fd >= 0)
        close(fd);
}

/* The compiler is known by its file: path, size and time of change. */
static void add_compiler(struct arena *arena, struct cache_key *key) {
    const char *name = compiler(), *path = getenv("PATH");
    struct stat info = {0};
    cache_key_add_text(key, name);
    for (const char *part = path ? path : ""; *part && !strchr(name, '/');) {
        size_t length = strcspn(part, ":");
        const char *file = arena_printf(arena, "%.*s/%s", (int)length, part, name);
        if (file && stat(file, &info) == 0) {
            char real[PATH_MAX];
            cache_key_add_text(key, realpath(file, real) ? real : file);
            break;
        }
        part += length + (part[length] == ':');
    }
    cache_key_add(key, &info.st_size, sizeof info.st_size);
    cache_key_add(key, &info.st_mtim, sizeof info.st_mtim);
}

static void add_processor(struct cache_key *key) {
    struct utsname machine;
    if (uname(&machine) == 0)
        cache_key_add_text(key, machine.machine);
#if defined(__x86_64__) || defined(__i386__)
    for (unsigned leaf = 0x80000002u; leaf <= 0x80000004u; leaf++) {
        unsigned name[4] = {0};
        if (__get_cpuid(leaf, &name[0], &name[1], &name[2], &name[3]))
            cache_key_add(key, name, sizeof name);
    }
#endif
}

static struct cache_key surroundings_key(const struct compilation *c) {
    static const char *const headers[] = {"kernel.h",      "wgsl.h",         "wgsl_value.h",
                                          "wgsl_matrix.h", "wgsl_texture.h", "wgsl_format.h"};
    struct cache_key key = cache_key_start();
    for (size_t k = 0; compile_flags[k]; k++)
        cache_key_add_text(&key, compile_flags[k]);
    for (size_t k = 0; k < sizeof headers / sizeof *headers; k++) {
        const char *path = arena_printf(c->arena, "%s/wgsim/%s", c->include, headers[k]);
        if (path)
            add_file(&key, path);
    }
    add_compiler(c->arena, &key);
    add_processor(&key);
    return key;
}

/* -- compilation ------------------------------------------------------------------------------- */

/* Compiles a C file to a temporary object beside `object`, then gives it its name. */
static int compile_to(const struct compilation *c, const char *source, const char *object,
                      struct wgsim_error *err) {
    cache_trim(c->folder, CACHE_BYTES); /* also where no compilation ends well */
    char *temporary = arena_printf(c->arena, "%s/new-XXXXXX", c->folder);
    int fd = temporary ? mkstemp(temporary) : -1;
    if (fd < 0)
        return error_set(err, "cannot write to %s: %s", c->folder, strerror(errno));
    close(fd);
    const char *const more[] = {"-x", "c", source, "-o", temporary, "-lm", NULL};
    struct buf output = {0};
    int status = run_compiler(c, more, 2, &output, err);
    buf_release(&output);
    if (status == 0)
        status = cache_publish(c->folder, temporary, object, err);
    if (status)
        unlink(temporary);
    return status;
}

static int write_all(int fd, const char *text, size_t length) {
    while (length) {
        ssize_t count = write(fd, text, length);
        if (count < 0 && errno != EINTR)
            return -1;
        text += count < 0 ? 0 : count;
        length -= count < 0 ? 0 : (size_t)count;
    }
    return 0;
}

/* Whether the cache has the object, whole; one that is not is as good as none. */
static bool is_cached(const char *object) {
    return cache_has(object) && object_check(object, NULL) == 0;
}

static const char *text_object(const struct compilation *c, const char *text,
                               struct wgsim_error *err) {
    struct cache_key key = surroundings_key(c);
    cache_key_add_text(&key, text);
    const char *object = cache_path(c->arena, c->folder, key, ".so");
    if (!object || is_cached(object))
        return object;
    char *source = arena_printf(c->arena, "%s/new-XXXXXX", c->folder);
    int fd = source ? mkstemp(source) : -1;
    if (fd < 0 || write_all(fd, text, strlen(text))) {
        error_format(err, "cannot write to %s: %s", c->folder, strerror(errno));
        object = NULL;
    } else if (compile_to(c, source, object, err)) {
        object = NULL;
    }
    if (fd >= 0) {
        close(fd);
        unlink(source);
    }
    return object;
}

const char *compile_text(struct arena *arena, const char *name, const char *text,
                         const char *include, struct wgsim_error *err) {
    struct compilation c = {.arena = arena, .name = name, .include = include};
    if (!(c.folder = cache_folder(arena, err)))
        return NULL;
    held_begin(&c.held);
    const char *object = text_object(&c, text, err);
    held_end(&c.held);
    return object;
}

/* The compiler would read a device to its end, which need not come. */
static int check_source(const char *path, struct wgsim_error *err) {
    enum { LIMIT_MIB = 16 };
    struct stat info;
    if (stat(path, &info) || access(path, R_OK))
        return error_set(err, "cannot read %s: %s", path, strerror(errno));
    if (check_regular(path, &info, err))
        return -1;
    if (info.st_size >> 20 >= LIMIT_MIB)
        return error_set(err, "%s is over %d MiB: too long for a kernel", path, LIMIT_MIB);
    return 0;
}

static const char *file_object(const struct compilation *c, struct wgsim_error *err) {
    const char *const more[] = {"-E", c->name, NULL};
    struct buf preprocessed = {0};
    if (run_compiler(c, more, 1, &preprocessed, err)) {
        const char *const again[] = {"-fsyntax-only", c->name, NULL}; /* now for the message */
        bool said = preprocessed.len > OUTPUT_BYTES;
        buf_release(&preprocessed);
        if (!said)
            run_compiler(c, again, 2, &preprocessed, err);
        buf_release(&preprocessed);
        return NULL;
    }
    struct cache_key key = surroundings_key(c);
    cache_key_add(&key, preprocessed.data, preprocessed.len);
    buf_release(&preprocessed);
    const char *object = cache_path(c->arena, c->folder, key, ".so");
    if (object && !is_cached(object) && compile_to(c, c->name, object, err))
        return NULL;
    return object;
}

const char *compile_file(struct arena *arena, const char *path, const char *include,
                         struct wgsim_error *err) {
    struct compilation c = {.arena = arena, .name = path, .include = include};
    if (!(c.folder = cache_folder(arena, err)) || check_source(path, err))
        return NULL;
    if (path[0] == '-' && !(c.name = arena_printf(arena, "./%s", path))) {
        error_format(err, "out of memory");
        return NULL;
    }
    held_begin(&c.held);
    const char *object = file_object(&c, err);
    held_end(&c.held);
    return object;
}
