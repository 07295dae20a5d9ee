/* Tests of uniformity analysis, as tables: shader text and what is said about it. */
#include "tests/check_main.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "sim/wgsl/front.h"

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

/* Line 1 of all shaders here. */
static const char prelude[] =
    "enable subgroups; "
    "@group(0) @binding(0) var<storage, read_write> rw: array<u32>; "
    "@group(0) @binding(1) var<storage> ro: array<u32>; "
    "@group(0) @binding(2) var<uniform> un: vec4u; "
    "@group(0) @binding(3) var tex: texture_2d<f32>; @group(0) @binding(4) var smp: sampler; "
    "@group(0) @binding(5) var image: texture_storage_2d<r32uint, read_write>; "
    "var<workgroup> w: array<u32, 4>; var<workgroup> flag: atomic<u32>; var<private> pv: u32; "
    "override ov = 1u;\n";

struct shader {
    struct wgsl_diagnostics diagnostics;
    struct wgsl_module *module;
    char text[4096];
};

/* A format: the prelude's %s, then the text's. */
static struct shader check_shader(const char *format, const char *text, enum wgsl_dialect dialect) {
    struct shader s;
    struct wgsl_options options = {.dialect = dialect};
    int used = snprintf(s.text, sizeof s.text, "%s", prelude);
    snprintf(s.text + used, sizeof s.text - (size_t)used, format, text);
    wgsl_diagnostics_init(&s.diagnostics);
    s.module = wgsl_front("test.wgsl", s.text, strlen(s.text), &options, &s.diagnostics);
    return s;
}

static void release(struct shader *s) {
    wgsl_free(s->module);
    wgsl_diagnostics_release(&s->diagnostics);
}

/* A body from line 3 on. */
static const char in_main[] =
    "@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) li: u32, "
    "@builtin(workgroup_id) wg: vec3u, @builtin(num_workgroups) nw: vec3u, "
    "@builtin(subgroup_size) ss: u32, @builtin(subgroup_id) si: u32, "
    "@builtin(num_subgroups) ns: u32) {\n%s\n}";

static void expect_accepted(const char *format, const char *text) {
    struct shader s = check_shader(format, text, WGSL_STANDARD);
    ck_assert_msg(s.module && !s.diagnostics.first, "%u:%u %s\n%s",
                  s.diagnostics.first ? s.diagnostics.first->span.line : 0,
                  s.diagnostics.first ? s.diagnostics.first->span.column : 0,
                  s.diagnostics.first ? s.diagnostics.first->message : "", text);
    release(&s);
}

/* place and note: "line:column" of the first error and of its note, from the text's first line;
 * note NULL: it is about a parameter of main. */
struct fault {
    const char *text, *place, *note;
};

static void print_place(char *text, size_t bytes, struct wgsl_span span, uint32_t lines_before) {
    snprintf(text, bytes, "%u:%u", span.line - lines_before, span.column);
}

static void expect_fault(const char *format, const struct fault *f, uint32_t lines_before) {
    struct shader s = check_shader(format, f->text, WGSL_STANDARD);
    const struct wgsl_diagnostic *d = s.diagnostics.first;
    char place[32], note[32];
    ck_assert_msg(!s.module && d && d->note, "accepted: %s", f->text);
    print_place(place, sizeof place, d->span, lines_before);
    print_place(note, sizeof note, d->note_span, lines_before);
    const char *expected = f->note ? f->note : "0:70";
    ck_assert_msg(strcmp(place, f->place) == 0 && strcmp(note, expected) == 0,
                  "%s\nat %s with note at %s, not %s and %s: %s; %s", f->text, place, note,
                  f->place, expected, d->message, d->note);
    release(&s);
}

/* -- values -- */

START_TEST(uniform_conditions) {
    static const char *const conditions[] = {
        "true",          "ov == 1",
        "wg.x == 0",     "nw.x == 1",
        "ss == 4",       "ns == 1",
        "ro[wg.x] == 0", "un.x == 0",
        "un[wg.y] == 0", "arrayLength(&rw) == 3",
        "!(wg.x == 0)",  "wg.x == 0 && (ro[0] == 1 || un.w == 2)",
        "all(wg == nw)", "workgroupUniformLoad(&w[wg.x]) == 1",
        "u == 0",        "vec2u(wg.x, 3).y == 1",
        "*p == 1",       "textureLoad(tex, wg.xy, 0).x == 0",
        "un.xy.x == 0",  "workgroupUniformLoad(&flag) == 0",
    };
    char text[256];
    for (size_t i = 0; i < COUNT(conditions); i++) {
        snprintf(text, sizeof text, "var u = wg.x; let p = &u; if %s { workgroupBarrier(); }",
                 conditions[i]);
        expect_accepted(in_main, text);
    }
}
END_TEST

START_TEST(different_conditions) {
    static const char *const conditions[] = {
        "li == 0",
        "rw[0] == 0",
        "w[0] == 0",
        "pv == 0",
        "atomicLoad(&flag) == 0",
        "atomicAdd(&flag, 1) == 0",
        "ro[li] == 0",
        "un[li] == 0",
        "wg.x == 0 || li == 0",
        "li == 0 && true",
        "u == 0",
        "vec2u(li, 3).y == 1",
        "*p == 1",
        "textureLoad(tex, vec2u(li), 0).x == 0",
        "textureLoad(image, wg.xy).x == 0",
        "subgroupAny(wg.x == 0)",
        "si == 0",
        "select(1, 2, li == 0) == 1",
    };
    char text[256];
    for (size_t i = 0; i < COUNT(conditions); i++) {
        snprintf(text, sizeof text, "var u = li; let p = &u;\nif %s {\nworkgroupBarrier();\n}",
                 conditions[i]);
        expect_fault(in_main, &(struct fault){text, "3:1", "2:4"}, 2);
    }
}
END_TEST

/* -- control flow and variables -- */

START_TEST(uniform_bodies) {
    static const char *const rows[] = {
        "if li == 0 { w[0] = 1; } workgroupBarrier();",
        "if li == 0 { w[0] = 1; } else if li == 1 { w[1] = 2; } workgroupBarrier();",
        "switch li { case 0: { w[0] = 1; } default: { break; } } workgroupBarrier();",
        "for (var i = 0u; i < li; i++) { w[0] = i; } workgroupBarrier();",
        "loop { if li == 0 { break; } } workgroupBarrier();",
        "loop { workgroupBarrier(); if wg.x == 0 { break; } }",
        "for (var i = 0u; i < 4; i++) { if li < i { continue; } } workgroupBarrier();",
        "while wg.x == 3 { workgroupBarrier(); }",
        "workgroupBarrier(); if li == 0 { return; }",
        "return; workgroupBarrier();",
        "var x = li; x = 1; if x == 1 { workgroupBarrier(); }",
        "var x = li; { let p = &x; *p = 2; } if x == 1 { workgroupBarrier(); }",
        "var x = 0u; if wg.x == 0 { x = 1; } if x == 1 { workgroupBarrier(); }",
        "var x = 0u; if li == 0 { x = 1; return; } x = 2;",
        "var x = 0u; loop { x = li; break; } x = 3; if x == 1 { workgroupBarrier(); }",
        "var x: u32; let y = x; x = li; if y == 0 { workgroupBarrier(); }",
        "var i = 0u; loop { i++; workgroupBarrier(); continuing { break if i > 4; } }",
        "_ = workgroupUniformLoad(&w[wg.x]);",
        "if si == 0 { _ = subgroupAdd(1); }",
        "if subgroupAny(wg.x == 0) { _ = subgroupAdd(1); }",
        "_ = subgroupShuffleUp(li, si);",
        "if li == 0 { _ = atomicAdd(&flag, 1); }",
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        expect_accepted(in_main, rows[i]);
}
END_TEST

START_TEST(different_bodies) {
    static const struct fault rows[] = {
        {"if li == 0 {} else { workgroupBarrier(); }", "1:22", "1:4"},
        {"if wg.x == 0 {} else if li == 0 {} else { storageBarrier(); }", "1:43", "1:25"},
        {"if li == 0 { return; } textureBarrier();", "1:24", "1:4"},
        {"switch li { case 0: { workgroupBarrier(); } default: {} }", "1:23", "1:8"},
        {"switch li { case 0: { return; } default: {} } workgroupBarrier();", "1:47", "1:8"},
        {"for (var i = 0u; i < li; i++) { workgroupBarrier(); }", "1:33", "1:18"},
        {"while li == 3 { workgroupBarrier(); }", "1:17", "1:7"},
        {"loop { if li == 0 { break; } workgroupBarrier(); }", "1:30", "1:11"},
        {"loop { workgroupBarrier(); if li == 0 { break; } }", "1:8", "1:31"},
        {"loop { if li == 0 { continue; } if wg.x == 0 { break; }\ncontinuing { "
         "workgroupBarrier(); } }",
         "2:14", "1:11"},
        {"loop { workgroupBarrier(); continuing { break if li == 0; } }", "1:8", "1:50"},
        {"loop { if li == 0 { return; } if wg.x == 0 { break; } } workgroupBarrier();", "1:57",
         "1:11"},
        {"_ = li == 0 && workgroupUniformLoad(&w[0]) == 1;", "1:16", "1:5"},
        {"var x = 0u;\nif li == 0 { x = 1; }\nif x == 1 { workgroupBarrier(); }", "3:13", "3:4"},
        {"var x = 0u; loop { if li == 0 { x = 1; break; } if wg.x == 0 { break; } x = 0; }\n"
         "if x == 1 { workgroupBarrier(); }",
         "2:13", "2:4"},
        {"var x = vec2u(li); x.x = 1; if x.x == 1 { workgroupBarrier(); }", "1:43", "1:32"},
        {"var a: array<u32, 4>; a[li] = 1; if a[0] == 1 { workgroupBarrier(); }", "1:49", "1:37"},
        {"var x = 0u; x += li; if x == 1 { workgroupBarrier(); }", "1:34", "1:25"},
        {"_ = workgroupUniformLoad(&w[li]);", "1:26", NULL},
        {"if li == 0 { _ = subgroupAdd(1); }", "1:18", "1:4"},
        {"_ = subgroupShuffleXor(1u, li);", "1:28", NULL},
        {"if subgroupAny(li == 0) { _ = subgroupAdd(1); }", "1:31", "1:4"},
        /* the outermost condition that differs by itself */
        {"if wg.x == 0 { if li == 0 { if wg.y == 0 { workgroupBarrier(); } } }", "1:44", "1:19"},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        expect_fault(in_main, &rows[i], 2);
}
END_TEST

/* -- functions -- */

#define ENTRY "\n@compute @workgroup_size(4) fn m(@builtin(local_invocation_index) li: u32) {\n"

START_TEST(uniform_calls) {
    static const char *const rows[] = {
        "fn f() { workgroupBarrier(); }" ENTRY "f(); }",
        "fn f(c: u32) { if c == 0 { workgroupBarrier(); } }" ENTRY "f(ro[0]); }",
        "fn f(a: u32, b: u32) -> u32 { return b; }" ENTRY
        "if f(li, 1) == 0 { workgroupBarrier(); } }",
        "fn f() -> u32 { return rw[0]; }" ENTRY "_ = f(); workgroupBarrier(); }",
        "fn f(c: u32) { if c == 0 { return; } rw[0] = 1; }" ENTRY "f(li); workgroupBarrier(); }",
        "fn f(p: ptr<function, u32>) { *p = 1; }" ENTRY
        "var x = li; f(&x); if x == 0 { workgroupBarrier(); } }",
        "fn f(p: ptr<function, u32>) -> u32 { return *p; }" ENTRY
        "var x = 0u; if un.x == 0 { _ = f(&x); } if x == 0 { workgroupBarrier(); } }",
        "fn f(p: ptr<function, u32>, q: ptr<function, u32>) { *p = *q; }" ENTRY
        "var x = li; var y = 1u; f(&x, &y); if x == 0 { workgroupBarrier(); } }",
        "fn f(p: ptr<workgroup, array<u32, 4>>) -> u32 { return workgroupUniformLoad(p)[0]; }" ENTRY
        "if f(&w) == 0 { workgroupBarrier(); } }",
        "fn f(p: ptr<storage, array<u32>>) -> u32 { return p[0]; }" ENTRY
        "if f(&ro) == 0 { workgroupBarrier(); } }",
        "fn f(p: ptr<function, u32>) -> u32 { *p = rw[0]; return 0; }" ENTRY
        "var x = 0u; var a = array(1u); x += a[f(&x)]; if x == 0 { workgroupBarrier(); } }",
        /* never called, and so in uniform control flow */
        "fn f(c: u32) { if c == 0 { workgroupBarrier(); } }",
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        expect_accepted("%s", rows[i]);
}
END_TEST

START_TEST(different_calls) {
    static const struct fault rows[] = {
        {"fn f() { workgroupBarrier(); }" ENTRY "if li == 0 { f(); } }", "3:14", "3:4"},
        {"fn f() { workgroupBarrier(); } fn g() { f(); }" ENTRY "if li == 0 { g(); } }", "3:14",
         "3:4"},
        {"fn f(c: u32) { if c == 0 { workgroupBarrier(); } }" ENTRY "f(rw[0]); }", "3:3", "3:3"},
        {"fn f(c: u32) -> u32 { if c == 0 { return 1; } return 2; }" ENTRY
         "if f(li) == 0 { workgroupBarrier(); } }",
         "3:17", "3:4"},
        {"fn f() -> u32 { return rw[0]; }" ENTRY "if f() == 0 { workgroupBarrier(); } }", "3:15",
         "3:4"},
        {"fn f() {\nif rw[0] == 0 { workgroupBarrier(); } }", "2:17", "2:4"},
        {"fn f(p: ptr<function, u32>) { *p = rw[0]; }" ENTRY
         "var x = 1u; f(&x); if x == 0 { workgroupBarrier(); } }",
         "3:32", "3:23"},
        {"fn f(p: ptr<function, u32>) { *p = 1; }" ENTRY
         "var x = 0u; if li == 0 { f(&x); } if x == 0 { workgroupBarrier(); } }",
         "3:47", "3:38"},
        {"fn f(p: ptr<function, u32>) -> u32 { *p = 0; return 0; }" ENTRY
         "var x = li; var a = array(1u); x += a[f(&x)]; if x == 0 { workgroupBarrier(); } }",
         "3:59", "3:50"},
        {"fn f(p: ptr<function, u32>) -> bool { *p = 0; return true; }" ENTRY
         "var x = li; _ = un.x == 0 && f(&x); if x == 0 { workgroupBarrier(); } }",
         "3:49", "3:40"},
        {"fn f(p: ptr<function, u32>) -> u32 { return *p; }" ENTRY
         "var x = 0u; if li == 0 { _ = f(&x); } if x == 0 { workgroupBarrier(); } }",
         "3:51", "3:42"},
        {"fn f(p: ptr<function, u32>) { if *p == 0 { workgroupBarrier(); } }" ENTRY
         "var x = li;\nf(&x); }",
         "4:3", "2:67"},
        {"fn f(p: ptr<function, u32>, q: ptr<function, u32>) { *p = *q; }" ENTRY
         "var x = 1u; var y = li; f(&x, &y); if x == 0 { workgroupBarrier(); } }",
         "3:48", "3:39"},
        {"fn f(p: ptr<function, u32>) { *p = 1; }" ENTRY
         "var a = array(li, li); f(&a[0]); if a[1] == 0 { workgroupBarrier(); } }",
         "3:49", "3:37"},
        {"fn f(p: ptr<function, u32>) { *p = 1; }" ENTRY
         "var a = array(1u, 1u); f(&a[li]); if a[1] == 0 { workgroupBarrier(); } }",
         "3:50", "3:38"},
        {"fn f(p: ptr<function, u32>) -> u32 { return *p; }" ENTRY
         "var a = array(1u, 1u); if f(&a[li]) == 0 { workgroupBarrier(); } }",
         "3:44", "3:27"},
        {"fn f(p: ptr<workgroup, u32>) -> u32 { return workgroupUniformLoad(p); }" ENTRY
         "_ = f(&w[li]); }",
         "3:7", "2:67"},
        {"fn f(p: ptr<workgroup, u32>) { if *p == 0 {\nworkgroupBarrier(); } }", "2:1", "1:35"},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        expect_fault("%s", &rows[i], 1);
}
END_TEST

START_TEST(inputs) {
    expect_accepted("%s", "struct I { @builtin(workgroup_id) a: vec3u, @builtin(num_workgroups) b: "
                          "vec3u }\n@compute @workgroup_size(1) fn m(i: I) { if i.a.x == 0 { "
                          "workgroupBarrier(); } }");
    static const struct fault rows[] = {
        {"struct I { @builtin(workgroup_id) a: vec3u, @builtin(local_invocation_id) b: vec3u }\n"
         "@compute @workgroup_size(1) fn m(i: I) {\nif i.a.x == 0 { workgroupBarrier(); } }",
         "3:17", "3:4"},
        {"@fragment fn m(@builtin(subgroup_size) s: u32) {\nif s == 4 { _ = dpdx(1); } }", "2:17",
         "2:4"},
        {"@fragment fn m(@location(0) uv: vec2f) {\nif uv.x == 4 { _ = textureSample(tex, smp, "
         "uv); "
         "} }",
         "2:20", "2:4"},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        expect_fault("%s", &rows[i], 1);
}
END_TEST

/* -- severities -- */

START_TEST(filters) {
    static const struct {
        const char *text;
        enum wgsl_severity severity; /* of the only diagnostic */
    } rows[] = {
        {"", WGSL_ERROR},
        {"@diagnostic(error, derivative_uniformity)", WGSL_ERROR},
        {"@diagnostic(warning, derivative_uniformity)", WGSL_WARNING},
        {"@diagnostic(info, derivative_uniformity)", WGSL_INFO},
        {"@diagnostic(off, derivative_uniformity)", WGSL_OFF},
        {"@diagnostic(off, subgroup_uniformity)", WGSL_ERROR},
    };
    /* at the builtin's call, and for the callers of its function */
    static const char *const forms[] = {
        "%s fn f() { if rw[0] == 0 { _ = dpdx(1); } }",
        "%s fn g(x: f32) -> f32 { return dpdx(x); } fn f() { if rw[0] == 0 { _ = g(1); } }",
        "fn f() { if rw[0] == 0 %s { _ = dpdx(1); } }",
    };
    for (size_t form = 0; form < COUNT(forms); form++)
        for (size_t i = 0; i < COUNT(rows); i++) {
            struct shader s = check_shader(forms[form], rows[i].text, WGSL_STANDARD);
            const struct wgsl_diagnostic *d = s.diagnostics.first;
            ck_assert_int_eq(d ? d->severity : WGSL_OFF, rows[i].severity);
            ck_assert(!d || !d->next);
            ck_assert_int_eq(s.module == NULL, rows[i].severity == WGSL_ERROR);
            release(&s);
        }
}
END_TEST

START_TEST(warnings_for_naga) {
    struct shader s = check_shader(in_main, "if li == 0 { workgroupBarrier(); }", WGSL_NAGA);
    ck_assert(s.module && s.diagnostics.first);
    ck_assert_int_eq(s.diagnostics.first->severity, WGSL_WARNING);
    release(&s);
}
END_TEST

/* -- texts -- */

START_TEST(texts) {
    static const struct {
        const char *text, *message, *note;
    } rows[] = {
        {"if li == 0 { workgroupBarrier(); }",
         "'workgroupBarrier' must be called in uniform control flow: by all invocations of the "
         "workgroup or by none",
         "control flow depends on this condition: 'li' (local_invocation_index) differs between "
         "invocations"},
        {"var x = 0u;\nif rw[0] == 0 { x = 1; }\nif x == 0 { f(); }",
         "'f' must be called in uniform control flow, by all invocations of the workgroup or by "
         "none: it comes to 'storageBarrier' in line 6",
         "control flow depends on this condition, and it on line 4: invocations may find different "
         "values in 'rw', storage memory that can be written"},
        {"_ = subgroupShuffleXor(1, atomicLoad(&flag));",
         "this argument of 'subgroupShuffleXor' must be the same in all invocations of the "
         "subgroup",
         "'atomicLoad' may give invocations different values"},
        {"var x = 0u; g(&x); h(&x);",
         "what the pointer refers to must be the same in all invocations of the workgroup: "
         "'workgroupBarrier' in line 4 depends on it",
         "'g' may leave different values in 'x'"},
    };
    static const char format[] =
        "@compute @workgroup_size(4) fn m(@builtin(local_invocation_index) li: u32) {\n%s\n}"
        "fn f() { storageBarrier(); } fn g(p: ptr<function, u32>) { *p = rw[0]; }"
        "fn h(p: ptr<function, u32>) { if *p == 0 { workgroupBarrier(); } }";
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct shader s = check_shader(format, rows[i].text, WGSL_STANDARD);
        ck_assert_str_eq(s.diagnostics.first->message, rows[i].message);
        ck_assert_str_eq(s.diagnostics.first->note, rows[i].note);
        release(&s);
    }
}
END_TEST

/* One error a call, and all of them. */
START_TEST(several_errors) {
    struct shader s =
        check_shader(in_main,
                     "if li == 0 { workgroupBarrier(); _ = workgroupUniformLoad(&w[li]); }\n"
                     "if pv == 0 { workgroupBarrier(); }",
                     WGSL_STANDARD);
    ck_assert_uint_eq(s.diagnostics.error_count, 3);
    release(&s);
}
END_TEST

/* -- shaders of the project -- */

static void check_file(const char *path, uint32_t line) {
    static char text[1 << 16];
    FILE *in = fopen(path, "r");
    ck_assert_msg(in != NULL, "cannot read %s", path);
    size_t length = fread(text, 1, sizeof text, in);
    fclose(in);
    struct wgsl_diagnostics d;
    wgsl_diagnostics_init(&d);
    struct wgsl_module *module = wgsl_front(path, text, length, NULL, &d);
    ck_assert_msg((d.first ? d.first->span.line : 0) == line, "%s: %s in line %u", path,
                  d.first ? d.first->message : "accepted", d.first ? d.first->span.line : 0);
    wgsl_free(module);
    wgsl_diagnostics_release(&d);
}

/* All files of a folder but these are accepted. */
static size_t check_folder(const char *folder, const char *const names[], const uint32_t lines[]) {
    char pattern[4096];
    glob_t files;
    snprintf(pattern, sizeof pattern, "%s/*.wgsl", folder);
    if (glob(pattern, 0, NULL, &files) != 0)
        return 0;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        uint32_t line = 0;
        for (size_t k = 0; names[k]; k++)
            if (strstr(files.gl_pathv[i], names[k]))
                line = lines[k];
        check_file(files.gl_pathv[i], line);
    }
    size_t count = files.gl_pathc;
    globfree(&files);
    return count;
}

START_TEST(kernels) {
    static const char *const names[] = {"/divergent_barrier.wgsl", NULL};
    static const uint32_t lines[] = {13};
    const char *top = getenv("srcdir");
    char folder[2048];
    snprintf(folder, sizeof folder, "%s/kernels", top ? top : ".");
    ck_assert_uint_gt(check_folder(folder, names, lines), 10);
}
END_TEST

/* Where the handed data are not, there is nothing to check. */
START_TEST(field_cases) {
    static const char *const names[] = {"/10-", "/12-", "/14-", NULL};
    static const uint32_t lines[] = {29, 25, 27};
    const char *data = getenv("WGSIM_DATA");
    char folder[2048];
    snprintf(folder, sizeof folder, "%s/field", data ? data : "../shared");
    if (check_folder(folder, names, lines) == 0)
        printf("# no field cases in ../shared or $WGSIM_DATA\n");
}
END_TEST

CHECK_MAIN("wgsl_uniformity", uniform_conditions, different_conditions, uniform_bodies,
           different_bodies, uniform_calls, different_calls, inputs, filters, warnings_for_naga,
           texts, several_errors, kernels, field_cases)
