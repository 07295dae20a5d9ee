/* Tests of the WGSL front end, as tables: shader text and what is said about it. */
#include "tests/check_main.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/wgsl/front.h"
#include "sim/wgsl/walk.h"

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

/* A checked shader; fails the test if it is rejected. */
struct shader {
    struct wgsl_diagnostics diagnostics;
    struct wgsl_module *module;
};

static struct shader check_shader_with(const char *text, const struct wgsl_options *options) {
    struct shader s;
    wgsl_diagnostics_init(&s.diagnostics);
    s.module = wgsl_front("test.wgsl", text, strlen(text), options, &s.diagnostics);
    return s;
}

static struct shader check_shader(const char *text) {
    struct shader s = check_shader_with(text, NULL);
    ck_assert_msg(s.module != NULL, "rejected: %s\n%s",
                  s.diagnostics.first ? s.diagnostics.first->message : "", text);
    return s;
}

static void release(struct shader *s) {
    wgsl_free(s->module);
    wgsl_diagnostics_release(&s->diagnostics);
}

static const struct wgsl_variable *find_global(const struct shader *s, const char *name) {
    for (uint32_t i = 0; i < s->module->global_count; i++)
        if (strcmp(s->module->globals[i]->name, name) == 0)
            return s->module->globals[i];
    ck_abort_msg("no '%s'", name);
    return NULL;
}

/* -- what is accepted -- */

START_TEST(accepted) {
    static const char *const rows[] = {
        "",
        ";;;",
        "fn f() { var a: i32; a = 1; a += 2; a++; a--; _ = a; }",
        "fn f() { g(); } fn g() {}",
        "const a = b; const b = 1;",
        "const x = 1; fn f() { let x = x; { let x = x + 1; _ = x; } }",
        "fn f(a: i32) -> i32 { if a > 0 { return 1; } else if a < 0 { return 2; } return 3; }",
        "fn f(a: i32) -> i32 { loop { if a > 0 { return 1; } } }",
        "fn f() { for (;;) { break; } while true { continue; } loop { break; } }",
        "fn f() { loop { continuing { break if true; } } }",
        "fn f(a: u32) { switch a { case 1, 2: {} case 3u {} default: { break; } } }",
        "fn f() { let a = array(1, 2u, 3); let b = vec3(1, 2.5, 3); let c = mat2x2(1, 2, 3, 4); }",
        "fn f() { let a = vec4<f32>(); let b = a.xyzw.rg.x; }",
        "fn f(p: ptr<function, vec3f>) { p.x = (*p)[1]; (*p).y = p[2]; }",
        "struct S { b: array<f32> } @group(0) @binding(0) var<storage> s: S; fn f() { _ = &s.b; }",
        "@group(0) @binding(0) var<storage> s: array<i32>; fn f() { _ = arrayLength(&s); }",
        "var<workgroup> w: atomic<u32>; fn f() { atomicAdd(&w, 1); let p = &w; atomicStore(p, 2);}",
        "fn f() { let a = 1 << 3; const b = -5 % 3; const_assert b == -2; }",
        "const_assert (1 < 2 && 2 < 3) || false;",
        "const_assert false == (true && false && 1 / 1 == 0);",
        "const_assert !(false && 1 / 0 == 0);",
        "fn f(a: bool) -> i32 { return select(1, 2, a); }",
        "@compute @workgroup_size(8, 4) fn m(@builtin(global_invocation_id) g: vec3u) {}",
        "enable f16; fn f() -> vec2h { return vec2h(1.5h, 2); }",
        "fn f() { let a = 0x1.8p3; let b = 1e3f; let c = .5; let d = 0xFFu; let e = 7i; }",
        "/* outer /* inner */ still outer */ fn f() {} // end",
        "const \xc3\xa9t\xc3\xa9 = 1; const \xe6\xa4\x9c\xe7\xb4\xa2 = \xc3\xa9t\xc3\xa9;",
        "alias V = vec3<f32>; fn f(v: V) -> V { return V(v.x, v.yz); }",
        "fn f() { let x = array<array<i32, 2>, 2>(array(1, 2), array(3, 4))[1][0]; }",
        "fn a(b: i32, c: i32) -> bool { return b<c && c>(b); }",
        "fn f(a: array<i32, select(2, 3, 1>2)>) {}",
        "fn f() { print(1u); debugPrintf(\"%d\", 2); }",
        "override n = 4u; var<workgroup> w: array<u32, n * 2>; fn f() { w[3] = n; }",
        "@must_use fn f() -> i32 { return 1; } fn g() { _ = f(); }",
        "fn f() { var t = modf(1.5); t.fract = 2; let e = frexp(3f).exp; }",
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct shader s = check_shader(rows[i]);
        release(&s);
    }
}
END_TEST

/* -- what is rejected, where, and in which words -- */

START_TEST(rejected) {
    static const struct {
        const char *text, *place, *message;
    } rows[] = {
        /* tokens */
        {"const a = 08;", "1:11", "an integer does not begin with 0"},
        {"const a = 4294967296u;", "1:11", "4294967296u is too large for 'u32'"},
        {"const a = 1e40f;", "1:11", "1e40 is too large for 'f32'"},
        {"const a = 0x1.00000001p0f;", "1:11",
         "0x1.00000001p0 is not exactly representable as 'f32'"},
        {"const a = 1e;", "1:11", "the exponent of this number has no digits"},
        {"/* /* */", "1:1", "unterminated block comment"},
        {"const __a = 1;", "1:7", "identifier '__a' begins with two underscores"},
        {"const enum = 1;", "1:7", "'enum' is a reserved word"},
        {"const a = $;", "1:11", "unexpected character '$'"},
        {"\xff", "1:1", "the text is not valid UTF-8 here"},
        {"// caf\xe9\n", "1:7", "the text is not valid UTF-8 here"},
        {"/* \n \xe9 */", "2:2", "the text is not valid UTF-8 here"},
        {"\xef\xbb\xbf", "1:1", "unexpected byte order mark"},
        /* grammar */
        {"fn f() { let a = 1 }", "1:20", "expected ';' after this statement, found '}'"},
        {"fn f() { let a = 1 + ; }", "1:22", "expected an expression, found ';'"},
        {"fn f(a: i32) { _ = a & 1 | 2; }", "1:26", "mixing '&' and '|' needs parentheses"},
        {"fn f(a: i32) { _ = a << 1 + 2; }", "1:27", "mixing '<<' and '+' needs parentheses"},
        {"fn f(a: i32) { _ = a < 1 < 2; }", "1:26", "mixing '<' and '<' needs parentheses"},
        {"let a = 1;", "1:1",
         "'let' is not allowed at module scope; use 'const' or 'var<private>'"},
        {"fn f() {} enable f16;", "1:11", "directives must come before all declarations"},
        {"enable f17;", "1:8", "there is no extension 'f17'"},
        {"@wat fn f() {}", "1:2", "there is no attribute '@wat'"},
        {"fn f() { @must_use let a = 1; }", "1:11", "attributes are not allowed on this statement"},
        /* names */
        {"const a = b;", "1:11", "'b' is not declared"},
        {"const a = 1; const a = 2;", "1:20", "'a' is declared twice"},
        {"const a = b; const b = a;", "1:7", "'a' needs itself: 'a' -> 'b' -> 'a'"},
        {"fn f() { f(); }", "1:4", "'f' needs itself: 'f' -> 'f'"},
        {"struct S { a: S }", "1:8", "'S' needs itself: 'S' -> 'S'"},
        {"fn f() { let a = 1; let a = 2; }", "1:25", "'a' is declared twice in this scope"},
        {"fn f(a: i32) { let a = 2; }", "1:20", "'a' is declared twice in this scope"},
        {"fn f() { { let a = 1; } _ = a; }", "1:29", "'a' is not declared"},
        {"var<private> a: foo;", "1:17", "unknown type 'foo'"},
        {"fn f() { _ = i32; }", "1:14", "type 'i32' is no value"},
        /* types */
        {"fn f() { let a: i32 = 1.5; }", "1:23",
         "the initializer has type 'abstract-float', not 'i32'"},
        {"fn f(a: i32, b: u32) { _ = a + b; }", "1:28",
         "there is no operator + for 'i32' and 'u32'"},
        {"fn f() { _ = sqrt(true); }", "1:14", "there is no sqrt(bool)"},
        {"fn f() { _ = vec3(1, 2); }", "1:14",
         "'vec3<abstract-int>' cannot be made from "
         "(abstract-int, abstract-int)"},
        {"fn f() { if 1 {} }", "1:13", "the condition of 'if' must be a bool, not 'abstract-int'"},
        {"fn f(v: vec2f) { _ = v.z; }", "1:24", "'z' names no components of 'vec2<f32>'"},
        {"fn f(v: vec4f) { _ = v.xg; }", "1:24", "'xg' names no components of 'vec4<f32>'"},
        {"struct S { a: i32 } fn f(s: S) { _ = s.b; }", "1:40", "'S' has no member 'b'"},
        {"fn f() -> i32 { return 1u; }", "1:24", "the returned value has type 'u32', not 'i32'"},
        {"fn g(a: i32) {} fn f() { g(1, 2); }", "1:26", "'g' takes 1 argument, not 2"},
        {"fn g(a: i32) {} fn f() { g(1.5); }", "1:28",
         "'g' takes 'i32' for 'a', not 'abstract-float'"},
        {"var<private> a: array<i32>;", "1:14",
         "'array<i32>' cannot lie in address space 'private': it has no fixed size"},
        {"@group(0) @binding(0) var<uniform> a: bool;", "1:36",
         "'bool' cannot lie in address space 'uniform': it cannot be shared with the host"},
        {"struct S { a: array<i32>, b: i32 }", "1:12",
         "a runtime-sized array can only be the last member"},
        {"var<storage> a: i32;", "1:14", "'a' needs '@group' and '@binding'"},
        {"var a: i32;", "1:5", "'a' needs an address space, as in 'var<private>'"},
        {"var<private> a: f16;", "1:17", "'f16' needs 'enable f16;'"},
        /* constants */
        {"const a = 1 / 0;", "1:11", "integer division by zero"},
        {"fn f(a: i32) { _ = a / 0; }", "1:20", "integer division by zero"},
        {"const a = 1 << 64u;", "1:11", "shift by 64 bits; 'abstract-int' has 64"},
        {"fn f(a: i32) { _ = a << 32u; }", "1:20", "shift by 32 bits; 'i32' has 32"},
        {"const a = 9223372036854775807 + 1;", "1:11",
         "the result of this is too large for 'abstract-int'"},
        {"const a: u32 = -1;", "1:16", "-1 does not fit in 'u32'"},
        {"const a = sqrt(-1);", "1:11", "sqrt(-1) is not defined"},
        {"const a = 1e38f * 10;", "1:11", "the result of this, 1e+39, is too large for 'f32'"},
        {"const a = array(1, 2)[2];", "1:23",
         "index 2 is out of bounds; 'array<abstract-int, 2>' has elements 0 to 1"},
        {"const_assert 1 > 2;", "1:1", "const_assert failed"},
        {"fn f(a: i32) { const b = a; }", "1:26",
         "the value of a const must be known when the shader is compiled; this is known only as it "
         "runs"},
        {"var<private> a: array<i32, 0>;", "1:28", "an array needs at least 1 element, not 0"},
        /* memory */
        {"fn f() { let a = 1; a = 2; }", "1:21", "this is a value and cannot be assigned to"},
        {"@group(0) @binding(0) var<storage> a: i32; fn f() { a = 1; }", "1:53",
         "this memory can only be read"},
        {"var<workgroup> a: atomic<i32>; fn f() { _ = a; }", "1:45",
         "a value of type 'atomic<i32>' cannot be read as a whole"},
        {"fn f() { var v = vec2f(); let p = &v.x; }", "1:35",
         "a component of a vector has no address of its own"},
        {"fn g(a: ptr<function, i32>, b: ptr<function, i32>) { *a = *b; }"
         "fn f() { var x = 1; g(&x, &x); }",
         "1:90", "this call uses 'x' by two names, and writes to it"},
        /* control flow */
        {"fn f() { break; }", "1:10", "'break' is allowed in loops and switches only"},
        {"fn f() { loop {} }", "1:10", "this loop never ends"},
        {"fn f() -> i32 { }", "1:17", "'f' can get to its end without returning a value"},
        {"fn f() { switch 1 { case 1 {} } }", "1:10", "'switch' has no default"},
        {"fn f() { switch 1 { case 1, 1 {} default {} } }", "1:29", "case 1 occurs twice"},
        {"fn f() { loop { if true { continue; } let a = true; continuing { break if a; } } }",
         "1:75", "'a' may not have been declared here"},
        {"fn f() { loop { continuing { return; } } }", "1:30",
         "a continuing block must not return"},
        {"@must_use fn f() -> i32 { return 1; } fn g() { f(); }", "1:48",
         "the result of 'f' must be used"},
        /* entry points */
        {"@compute fn f() {}", "1:13", "compute shader 'f' needs '@workgroup_size'"},
        {"@compute @workgroup_size(0) fn f() {}", "1:26", "@workgroup_size must be at least 1"},
        {"@compute @workgroup_size(1) fn f(a: u32) {}", "1:34",
         "an input of an entry point needs '@builtin' or '@location'"},
        {"@compute @workgroup_size(1) fn f(@builtin(workgroup_id) a: u32) {}", "1:35",
         "'@builtin(workgroup_id)' does not have type 'u32'"},
        {"@fragment fn f() { workgroupBarrier(); }", "1:20",
         "'workgroupBarrier' cannot be used in a fragment shader"},
        {"@group(0) @binding(0) var<uniform> a: i32; @group(0) @binding(0) var<uniform> b: i32;"
         "@compute @workgroup_size(1) fn f() { _ = a + b; }",
         "1:79", "'a' and 'b', both used by 'f', have the same group 0, binding 0"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct shader s = check_shader_with(rows[i].text, NULL);
        char place[32] = "";
        ck_assert_msg(!s.module && s.diagnostics.first, "accepted: %s", rows[i].text);
        snprintf(place, sizeof place, "%u:%u", s.diagnostics.first->span.line,
                 s.diagnostics.first->span.column);
        ck_assert_msg(strcmp(s.diagnostics.first->message, rows[i].message) == 0,
                      "%s\nsaid: %s\nnot:  %s", rows[i].text, s.diagnostics.first->message,
                      rows[i].message);
        ck_assert_msg(strcmp(place, rows[i].place) == 0, "%s\nat %s, not %s", rows[i].text, place,
                      rows[i].place);
        release(&s);
    }
}
END_TEST

START_TEST(accepted_by_naga_only) {
    static const struct {
        const char *text, *warning;
    } rows[] = {
        {"fn f(a: u32) -> u32 { return subgroupAdd(a); }",
         "'subgroupAdd' needs 'enable subgroups;'"},
        {"@compute @workgroup_size(1) fn f(@builtin(subgroup_size) a: u32) {}",
         "'subgroup_size' needs 'enable subgroups;'"},
        {"@compute @workgroup_size(1i, 2u) fn f() {}",
         "all of @workgroup_size must be i32, or all u32"},
        {"fn f() { loop {} }", "this loop never ends"},
        {"fn g(a: ptr<function, i32>, b: ptr<function, i32>) { *a = *b; }"
         "fn f() { var x = 1; g(&x, &x); }",
         "this call uses 'x' by two names, and writes to it"},
    };
    struct wgsl_options naga = {.dialect = WGSL_NAGA};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct shader standard = check_shader_with(rows[i].text, NULL);
        struct shader s = check_shader_with(rows[i].text, &naga);
        ck_assert_msg(!standard.module && s.module, "%s", rows[i].text);
        ck_assert_int_eq(s.diagnostics.first->severity, WGSL_WARNING);
        ck_assert_str_eq(s.diagnostics.first->message, rows[i].warning);
        release(&standard);
        release(&s);
    }
}
END_TEST

START_TEST(several_errors_in_one_run) {
    struct shader s = check_shader_with("fn f() {\n  let a = ;\n  b = 1 1;\n}\nfn g( {}\n", NULL);
    uint32_t lines[3] = {0}, count = 0;
    for (const struct wgsl_diagnostic *d = s.diagnostics.first; d && count < 3; d = d->next)
        lines[count++] = d->span.line;
    ck_assert_uint_eq(s.diagnostics.error_count, 3);
    ck_assert(lines[0] == 2 && lines[1] == 3 && lines[2] == 5);
    release(&s);
}
END_TEST

START_TEST(shown_with_a_caret_and_the_second_place) {
    struct shader s = check_shader_with("const a = 1;\n\tconst a = 2;\n", NULL);
    struct buf out = {0};
    wgsl_diagnostics_print(&s.diagnostics, &out);
    ck_assert_str_eq(out.data, "test.wgsl:2:8: error: 'a' is declared twice\n"
                               "    \tconst a = 2;\n"
                               "    \t      ^\n"
                               "test.wgsl:1:7: note: first declared here\n"
                               "    const a = 1;\n"
                               "          ^\n");
    buf_release(&out);
    release(&s);
}
END_TEST

/* Whatever is nested without end is an error, not a crash. */
START_TEST(deep_nesting) {
    static const char *const parts[][3] = {
        {"const a = ", "(", "1;"},
        {"const a = ", "-", "1;"},
        {"const a = 1", "+1", ";"},
        {"const a = b", "[0", ";"},
        {"var<private> a: ", "array<", "i32"},
        {"fn f() ", "{", "}"},
        {"fn f() { ", "if true {} else ", "{} }"},
        {"fn f(a: i32) { _ = a", ".x", "; }"},
    };
    for (size_t i = 0; i < COUNT(parts); i++) {
        struct buf text = {0};
        buf_puts(&text, parts[i][0]);
        for (int k = 0; k < 100000; k++)
            buf_puts(&text, parts[i][1]);
        buf_puts(&text, parts[i][2]);
        struct shader s = check_shader_with(text.data, NULL);
        release(&s);
        buf_release(&text);
    }
}
END_TEST

/* -- layout -- */

START_TEST(layout) {
    static const struct {
        const char *type;
        uint64_t size, align, stride;
    } rows[] = {
        {"i32", 4, 4, 0},
        {"vec2<f32>", 8, 8, 4},
        {"vec3<f32>", 12, 16, 4},
        {"vec4<u32>", 16, 16, 4},
        {"vec3<f16>", 6, 8, 2},
        {"mat2x2<f32>", 16, 8, 8},
        {"mat3x3<f32>", 48, 16, 16},
        {"mat4x3<f32>", 64, 16, 16},
        {"mat2x3<f16>", 16, 8, 8},
        {"array<vec3<f32>, 3>", 48, 16, 16},
        {"array<f32, 5>", 20, 4, 4},
        {"S", 48, 16, 0},
        {"array<S, 2>", 96, 16, 48},
        {"T", 64, 32, 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "enable f16; struct S { a: f32, b: vec3<f32>, c: f32, d: f32 }"
                 "struct T { @size(20) a: f32, @align(32) b: vec2<f32>, c: u32 }"
                 "var<private> v: %s;",
                 rows[i].type);
        struct shader s = check_shader(text);
        const struct wgsl_type *t = find_global(&s, "v")->type;
        ck_assert_msg(
            t->size == rows[i].size && t->align == rows[i].align && t->stride == rows[i].stride,
            "%s: size %llu, align %llu, stride %llu", rows[i].type, (unsigned long long)t->size,
            (unsigned long long)t->align, (unsigned long long)t->stride);
        release(&s);
    }
}
END_TEST

START_TEST(members) {
    struct shader s = check_shader("struct S { a: f32, b: vec3<f32>, c: f32, @size(16) d: f32, "
                                   "e: array<u32> } @group(0) @binding(0) var<storage> s: S;");
    static const uint64_t offsets[] = {0, 16, 28, 32, 48};
    const struct wgsl_type *t = find_global(&s, "s")->type;
    ck_assert_uint_eq(t->member_count, COUNT(offsets));
    for (size_t i = 0; i < COUNT(offsets); i++)
        ck_assert_uint_eq(t->members[i].offset, offsets[i]);
    ck_assert(!t->fixed_footprint);
    release(&s);
}
END_TEST

/* -- the tree -- */

struct seen {
    unsigned loads, abstract;
};

static void see(void *context, struct wgsl_expr *e) {
    struct seen *seen = context;
    seen->loads += e->kind == EX_LOAD;
    ck_assert(e->type && e->span.line);
    ck_assert(!e->value || e->value->type == e->type);
    seen->abstract += !e->value && e->type->has_abstract;
}

START_TEST(tree_is_typed_and_loaded) {
    struct shader s = check_shader(
        "var<private> g: vec3f; @compute @workgroup_size(1) fn f() { var a = 1; a = a + 2;"
        "g.x = g[1] + f32(a); let p = &g; p.z = 2 * max(p.y, 1); a += select(3, 4, g.x > 1); }");
    struct seen seen = {0};
    struct wgsl_visitor visitor = {NULL, see, &seen};
    wgsl_walk_block(&visitor, s.module->functions[0]->body);
    ck_assert_uint_eq(seen.loads, 5); /* a, g[1], a, p.y, g.x */
    ck_assert_uint_eq(seen.abstract, 0);
    ck_assert_uint_eq(s.module->functions[0]->global_count, 1);
    ck_assert_uint_eq(s.module->functions[0]->local_count, 2);
    release(&s);
}
END_TEST

START_TEST(callees_come_first) {
    struct shader s = check_shader(
        "@compute @workgroup_size(1) fn main() { a(); } fn a() { b(); } fn b() { g = 1; }"
        "var<private> g: i32;");
    ck_assert_str_eq(s.module->functions[0]->name, "b");
    ck_assert_str_eq(s.module->functions[2]->name, "main");
    ck_assert_str_eq(s.module->functions[2]->globals[0]->name, "g");
    ck_assert(s.module->functions[2]->globals[0]->written);
    release(&s);
}
END_TEST

/* -- pipelines -- */

START_TEST(pipelines) {
    static const char text[] =
        "override n = 4u; @id(7) override m: i32; override k = n * 2;\n"
        "var<workgroup> w: array<vec3f, k>; var<workgroup> x: u32;\n"
        "@compute @workgroup_size(n, 2) fn main() { w[n] = vec3f(f32(10 / m)); x = 1; }\n"
        "@compute @workgroup_size(1) fn other() {}";
    static const struct {
        const char *entry;
        struct wgsl_setting settings[3];
        uint32_t count;
        const char *message; /* NULL: allowed */
        uint32_t x;
        uint64_t bytes;
    } rows[] = {
        {"main", {{"m", 2, WRITTEN_FOR_API}}, 1, NULL, 4, 8 * 16 + 16},
        {"main",
         {{"7", 2, WRITTEN_FOR_API}, {"n", 16, WRITTEN_FOR_API}},
         2,
         NULL,
         16,
         32 * 16 + 16},
        {"other", {{NULL, 0, WRITTEN_FOR_API}}, 0, NULL, 1, 0},
        {NULL,
         {{NULL, 0, WRITTEN_FOR_API}},
         0,
         "there are several compute entry points: say which one to run",
         0,
         0},
        {"none",
         {{NULL, 0, WRITTEN_FOR_API}},
         0,
         "entry point 'none' is none of main, other",
         0,
         0},
        {"main",
         {{NULL, 0, WRITTEN_FOR_API}},
         0,
         "'m' has no default and was given no value",
         0,
         0},
        {"main", {{"m", 0, WRITTEN_FOR_API}}, 1, "integer division by zero", 0, 0},
        {"main",
         {{"m", 1, WRITTEN_FOR_API}, {"n", 0, WRITTEN_FOR_API}},
         2,
         "@workgroup_size must be at least 1, not 0",
         0,
         0},
        {"main",
         {{"m", 1, WRITTEN_FOR_API}, {"k", 3, WRITTEN_FOR_API}},
         2,
         "index 4 is out of bounds of 'array<vec3<f32>, override>'",
         0,
         0},
        {"main",
         {{"m", 3e9, WRITTEN_FOR_API}},
         1,
         "the value given for 'm', 3000000000, does not fit in 'i32'",
         0,
         0},
        {"main",
         {{"m", 1, WRITTEN_FOR_API}, {"q", 1, WRITTEN_FOR_API}},
         2,
         "there is no override 'q'",
         0,
         0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct shader s = check_shader(text);
        struct wgsl_pipeline *p =
            wgsl_pipeline(s.module, rows[i].entry, rows[i].settings, rows[i].count, &s.diagnostics);
        if (rows[i].message) {
            ck_assert_msg(p == NULL, "row %zu accepted", i);
            ck_assert_str_eq(s.diagnostics.first->message, rows[i].message);
        } else {
            ck_assert_msg(p != NULL, "row %zu: %s", i, s.diagnostics.first->message);
            ck_assert_uint_eq(p->workgroup_size[0], rows[i].x);
            ck_assert_uint_eq(p->workgroup_bytes, rows[i].bytes);
        }
        wgsl_pipeline_free(p);
        release(&s);
    }
}
END_TEST

/* What a person wrote must fit as it is; what a program gave is converted as WebGPU does. */
START_TEST(written_settings) {
    static const char text[] =
        "@id(3) override u = 0u; override i = 0; override f = 0.0;"
        "override b = false;"
        "@compute @workgroup_size(1) fn main() { _ = u; _ = i; _ = f; _ = b; }";
    static const struct {
        struct wgsl_setting settings[2];
        const char *message; /* NULL: allowed */
    } rows[] = {
        {{{"u", 1.5, WRITTEN_FOR_API}}, NULL},
        {{{"b", 2, WRITTEN_FOR_API}}, NULL},
        {{{"u", 1.5, WRITTEN_AS_NUMBER}}, "the value given for 'u', 1.5, does not fit in 'u32'"},
        {{{"u", -1, WRITTEN_AS_NUMBER}}, "the value given for 'u', -1, does not fit in 'u32'"},
        {{{"u", 4294967295, WRITTEN_AS_NUMBER}}, NULL},
        {{{"u", 4294967296, WRITTEN_AS_NUMBER}},
         "the value given for 'u', 4294967296, does not fit in 'u32'"},
        {{{"u", 1, WRITTEN_AS_TRUTH}}, "the value given for 'u', true, does not fit in 'u32'"},
        {{{"i", -2147483648.0, WRITTEN_AS_NUMBER}}, NULL},
        {{{"i", 2147483648, WRITTEN_AS_NUMBER}},
         "the value given for 'i', 2147483648, does not fit in 'i32'"},
        {{{"i", NAN, WRITTEN_AS_NUMBER}}, "the value given for 'i', nan, does not fit in 'i32'"},
        {{{"f", 1.5, WRITTEN_AS_NUMBER}}, NULL},
        {{{"f", 0, WRITTEN_AS_TRUTH}}, "the value given for 'f', false, does not fit in 'f32'"},
        {{{"f", 1e39, WRITTEN_AS_NUMBER}}, "the value given for 'f', 1e+39, does not fit in 'f32'"},
        {{{"f", INFINITY, WRITTEN_AS_NUMBER}},
         "the value given for 'f', inf, does not fit in 'f32'"},
        {{{"b", 1, WRITTEN_AS_TRUTH}}, NULL},
        {{{"b", 1, WRITTEN_AS_NUMBER}}, NULL},
        {{{"b", 2, WRITTEN_AS_NUMBER}}, "the value given for 'b', 2, does not fit in 'bool'"},
        {{{"u", 1, WRITTEN_AS_NUMBER}, {"3", 1, WRITTEN_AS_NUMBER}},
         "two values are given for 'u'"},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        struct shader s = check_shader(text);
        struct wgsl_pipeline *p = wgsl_pipeline(s.module, NULL, rows[k].settings,
                                                rows[k].settings[1].key ? 2 : 1, &s.diagnostics);
        ck_assert_msg(!p == !!rows[k].message, "row %zu", k);
        if (rows[k].message)
            ck_assert_str_eq(s.diagnostics.first->message, rows[k].message);
        wgsl_pipeline_free(p);
        release(&s);
    }
}
END_TEST

START_TEST(pipeline_values) {
    struct shader s = check_shader("override n = 3; var<workgroup> w: array<i32, n + 2>;"
                                   "@compute @workgroup_size(1) fn main() { w[0] = n * 7; }");
    struct wgsl_setting setting = {"n", 5, WRITTEN_FOR_API};
    struct wgsl_pipeline *p = wgsl_pipeline(s.module, NULL, &setting, 1, &s.diagnostics);
    ck_assert(p != NULL);
    const struct wgsl_type *array = find_global(&s, "w")->type;
    ck_assert_uint_eq(wgsl_pipeline_count(p, array), 7);
    ck_assert_uint_eq(wgsl_pipeline_size(p, array), 28);
    const struct wgsl_expr *stored = p->entry->body->first->rhs;
    ck_assert_int_eq(value_leaf(wgsl_pipeline_value(p, stored), 0).i, 35);
    wgsl_pipeline_free(p);
    release(&s);
}
END_TEST

/* -- the preprocessor -- */

START_TEST(preprocessed) {
    static const struct {
        const char *text, *define;
        int64_t value; /* of const a */
    } rows[] = {
        {"#define N 3\nconst a = N;", NULL, 3},
        {"const a = N;", "N=5", 5},
        {"const a = N;", "N", 1},
        {"#define ADD(x, y) (x + y)\nconst a = ADD(ADD(1, 2), 3) * 2;", NULL, 12},
        {"#define F(x) x\n#define G F(4)\nconst a = G;", NULL, 4},
        {"#define a a\nconst a = 2;", NULL, 2},
        {"#ifdef X\nconst a = 1;\n#else\nconst a = 2;\n#endif", NULL, 2},
        {"#ifdef X\nconst a = 1;\n#else\nconst a = 2;\n#endif", "X", 1},
        {"#ifndef X\nconst a = 1;\n#elif X == 7\nconst a = 7;\n#else\nconst a = 2;\n#endif", "X=7",
         7},
        {"#if defined(X) && X > 2 || 0\nconst a = 1;\n#else\nconst a = 2;\n#endif", "X=3", 1},
        {"#if 0\n#if 1\nbroken\n#endif\n#else\nconst a = 4;\n#endif", NULL, 4},
        {"#ifdef A\n#else ifdef B\nconst a = 6;\n#endif", "B", 6},
        {"#import foo::{bar,\n baz}\n#define_import_path x\nconst a = 8;", NULL, 8},
        {"#define N 9\n/* #undef N */ // N\nconst a = #{N};", NULL, 9},
        {"#define N 9\n#undef N\nconst N = 1; const a = N;", NULL, 1},
        {"#define N 1 + \\\n 2 \\\r\n+ 4\nconst a = N;", NULL, 7},
        {"#if 0\n#define N \\\n#endif\n#else\nconst a = 3;\n#endif", NULL, 3},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct wgsl_options options = {.defines = &rows[i].define,
                                       .define_count = rows[i].define != NULL};
        struct shader s = check_shader_with(rows[i].text, &options);
        ck_assert_msg(s.module != NULL, "%s\n%s", rows[i].text, s.diagnostics.first->message);
        ck_assert_int_eq(value_leaf(find_global(&s, "a")->value, 0).i, rows[i].value);
        release(&s);
    }
}
END_TEST

START_TEST(places_are_those_before_preprocessing) {
    static const struct {
        const char *text, *place, *message;
    } rows[] = {
        {"#define A 1\n\n  const b = c;", "3:13", "'c' is not declared"},
        {"#define A 1 + x\nconst b = 2 * A;", "2:15", "'x' is not declared"},
        {"#define P(a,\\\nb) a + x\nconst c = P(1, 2);", "3:11", "'x' is not declared"},
        {"#define N \\ \r\n 2\n#if (N \\\n == 1) || \\\n N == 2\n const b = c;\n#endif", "6:12",
         "'c' is not declared"},
        {"#if 1 &\\\n& ||\n#endif", "1:4", "malformed condition"},
        {"#if 1\n", "1:1", "#if without #endif"},
        {"const b = 1;\n#endif\n", "2:2", "#endif without #if"},
        {"#if (1\n#endif", "1:4", "malformed condition"},
        {"#define F(x,\ny) x\n", "1:9", "malformed #define"},
        {"#include \"no/such/file\"\n", "1:10", "cannot read 'no/such/file'"},
        {"#error not now\n", "1:2", "#error not now"},
        {"#define TWO(x) x +\nconst b = TWO(1) c;", "2:18", "'c' is not declared"},
        {"#define M(x) x\nconst b = M(1\n) ; const d = e;", "3:15", "'e' is not declared"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct shader s = check_shader_with(rows[i].text, NULL);
        char place[32] = "";
        ck_assert_msg(!s.module, "accepted: %s", rows[i].text);
        snprintf(place, sizeof place, "%u:%u", s.diagnostics.first->span.line,
                 s.diagnostics.first->span.column);
        ck_assert_msg(strstr(s.diagnostics.first->message, rows[i].message) != NULL, "%s\nsaid: %s",
                      rows[i].text, s.diagnostics.first->message);
        ck_assert_msg(strcmp(place, rows[i].place) == 0, "%s\nat %s", rows[i].text, place);
        release(&s);
    }
}
END_TEST

START_TEST(includes) {
    char dir[] = "/tmp/wgsim-include-XXXXXX", path[64];
    ck_assert(mkdtemp(dir) != NULL);
    snprintf(path, sizeof path, "%s/part.wgsl", dir);
    FILE *f = fopen(path, "w");
    ck_assert(f != NULL);
    fputs("const part = 7;\nconst wrong = nothing;\n", f);
    fclose(f);
    const char *dirs[] = {dir};
    struct wgsl_options options = {.include_dirs = dirs, .include_dir_count = 1};
    struct shader twice = check_shader_with("#import part\n#import part\n", &options);
    ck_assert_uint_eq(twice.diagnostics.error_count, 1); /* 'nothing', once */
    release(&twice);
    struct shader s = check_shader_with("#include <part.wgsl>\nconst a = other;", &options);
    const struct wgsl_diagnostic *first = s.diagnostics.first;
    ck_assert(first != NULL && first->next != NULL);
    ck_assert_str_eq(s.diagnostics.files[first->span.file].name, path);
    ck_assert_uint_eq(first->span.line, 2);
    ck_assert_uint_eq(first->next->span.file, 0);
    ck_assert_uint_eq(first->next->span.line, 2);
    release(&s);
    unlink(path);
    rmdir(dir);
}
END_TEST

CHECK_MAIN("wgsl_front", accepted, rejected, accepted_by_naga_only, several_errors_in_one_run,
           shown_with_a_caret_and_the_second_place, deep_nesting, layout, members,
           tree_is_typed_and_loaded, callees_come_first, pipelines, written_settings,
           pipeline_values, preprocessed, places_are_those_before_preprocessing, includes)
