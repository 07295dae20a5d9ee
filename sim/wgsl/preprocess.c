/* The preprocessor: what shaders of real projects expect from their build. */
#include "sim/wgsl/preprocess.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "sim/read_file.h"
#include "sim/wgsl/condition.h"
#include "sim/wgsl/macro.h"

/* One #if and its branches. */
struct branch {
    bool outer;  /* whether the text around it is kept */
    bool taken;  /* whether some branch of it was kept */
    bool keep;   /* whether this branch is kept */
    bool closed; /* after #else */
    struct wgsl_span span;
};

struct preprocessor {
    struct wgsl_module *module;
    struct wgsl_heap *heap;
    const struct wgsl_options *options;
    struct wgsl_diagnostics *diagnostics;
    struct wgsl_macros macros;
    struct buf *out;
    struct wgsl_text text;
    struct branch *branches;
    uint32_t branch_count;
    uint32_t include_depth;
    bool gave_up; /* no more is read: it would not end */
};

/* Where reading stands in one file. */
struct reader {
    uint32_t file;
    const char *p, *end;
    const char *line_start;
    uint32_t line;
    uint32_t comment_depth;
    bool moved; /* the next text does not follow on from the last: it needs a piece */
};

enum { INCLUDE_DEPTH_LIMIT = 32, FILE_LIMIT = 4096, BRANCH_LIMIT = 256, OUTPUT_LIMIT = 1 << 25 };

static void read_whole(struct preprocessor *pp, uint32_t file);

static struct wgsl_span place(const struct reader *r, const char *p, size_t length) {
    return (struct wgsl_span){r->file, r->line, (uint32_t)(p - r->line_start) + 1,
                              (uint32_t)length};
}

static void add_piece(struct preprocessor *pp, struct wgsl_span span, bool expanded) {
    struct wgsl_piece piece = {(uint32_t)pp->out->len, span, expanded};
    uint32_t count = pp->text.piece_count;
    if (count && pp->text.pieces[count - 1].offset == piece.offset)
        pp->text.pieces[count - 1] = piece;
    else
        HEAP_PUSH(pp->heap, pp->text.pieces, pp->text.piece_count, piece);
}

static void put(struct preprocessor *pp, struct reader *r, size_t length) {
    if (r->moved)
        add_piece(pp, place(r, r->p, 0), false);
    r->moved = false;
    buf_append(pp->out, r->p, length);
    r->p += length;
}

static bool is_kept(const struct preprocessor *pp) {
    return pp->branch_count == 0 || pp->branches[pp->branch_count - 1].keep;
}

static const char *line_end(const struct reader *r) {
    const char *p = r->p;
    while (p < r->end && *p != '\n')
        p++;
    return p;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static const char *skip_blanks(const char *p, const char *end) {
    while (p < end && is_blank(*p))
        p++;
    return p;
}

/* A directive goes on in the next line behind a '\' at the end. */
static const char *directive_end(const struct reader *r) {
    const char *end = line_end(r);
    for (; end < r->end; end = line_end(&(struct reader){.p = end + 1, .end = r->end})) {
        const char *last = end;
        while (last > r->p && is_blank(last[-1]))
            last--;
        if (last == r->p || last[-1] != '\\')
            break;
    }
    return end;
}

/* How much of the text is in its first line. */
static size_t first_line(const char *p, const char *end) {
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    return (size_t)((newline ? newline : end) - p);
}

/* The text as one line, never NULL unless memory ran out. */
static void join_lines(struct buf *joined, const char *p, size_t length) {
    buf_puts(joined, "");
    for (size_t i = 0; i < length; i++) {
        const char *newline = p[i] == '\\' ? skip_blanks(p + i + 1, p + length) : p + length;
        bool goes_on = newline < p + length && *newline == '\n';
        if (goes_on)
            i = (size_t)(newline - p);
        buf_append(joined, goes_on ? " " : p + i, 1);
    }
}

#define PP_ERROR(pp, span, ...) wgsl_diagnose((pp)->diagnostics, WGSL_ERROR, (span), __VA_ARGS__)

/* -- files -- */

static char *load(struct wgsl_heap *heap, const char *path, uint32_t *length) {
    size_t size;
    char *text = read_file(path, "a shader", OUTPUT_LIMIT, &size, NULL);
    if (!text)
        return NULL;
    char *copy = arena_alloc(heap->arena, size + 1);
    if (copy)
        memcpy(copy, text, size);
    free(text);
    *length = (uint32_t)size;
    return copy;
}

static uint32_t add_file(struct preprocessor *pp, const char *name, const char *text,
                         uint32_t length) {
    struct wgsl_module *m = pp->module;
    struct wgsl_file file = {name, text, length};
    HEAP_PUSH(pp->heap, m->files, m->file_count, file);
    return m->file_count - 1;
}

static bool was_imported(const struct preprocessor *pp, const char *path) {
    for (uint32_t i = 0; i < pp->module->file_count; i++)
        if (strcmp(pp->module->files[i].name, path) == 0)
            return true;
    return false;
}

/* Tries dir/name; dir may be empty. once: what was read before is not read again. */
static bool include_from(struct preprocessor *pp, const char *dir, size_t dir_length,
                         const char *name, bool once) {
    char *path = heap_printf(pp->heap, "%.*s%s%s", (int)dir_length, dir,
                             dir_length && dir[dir_length - 1] != '/' ? "/" : "", name);
    uint32_t length = 0;
    if (once && was_imported(pp, path))
        return true;
    char *text = load(pp->heap, path, &length);
    if (!text)
        return false;
    read_whole(pp, add_file(pp, path, text, length));
    return true;
}

/* Looks for a file beside the one that asks for it, then in the include folders. */
static bool include(struct preprocessor *pp, const struct reader *r, const char *name, bool once) {
    const char *here = pp->module->files[r->file].name, *slash = strrchr(here, '/');
    if (name[0] == '/')
        return include_from(pp, "", 0, name, once);
    if (include_from(pp, here, slash ? (size_t)(slash - here) + 1 : 0, name, once))
        return true;
    for (uint32_t i = 0; pp->options && i < pp->options->include_dir_count; i++) {
        const char *dir = pp->options->include_dirs[i];
        if (include_from(pp, dir, strlen(dir), name, once))
            return true;
    }
    return false;
}

static bool may_include(struct preprocessor *pp, struct wgsl_span span) {
    if (pp->include_depth >= INCLUDE_DEPTH_LIMIT)
        PP_ERROR(pp, span, "#include goes too deep");
    else if (pp->module->file_count >= FILE_LIMIT || pp->out->len >= OUTPUT_LIMIT)
        PP_ERROR(pp, span, "#include reads too much");
    else
        return true;
    pp->gave_up = true;
    return false;
}

/* "#include" ("\"" NAME "\"" | "<" NAME ">") */
static void do_include(struct preprocessor *pp, struct reader *r, const char *p, const char *end) {
    p = skip_blanks(p, end);
    char close = p < end && *p == '<' ? '>' : '"';
    const char *stop = p + 1;
    while (stop < end && *stop != close)
        stop++;
    struct wgsl_span span = place(r, p, (size_t)(stop - p) + 1);
    if (p >= end || (*p != '<' && *p != '"') || stop >= end) {
        PP_ERROR(pp, place(r, p, 1), "#include needs a file name in quotes");
        return;
    }
    char *name = heap_text(pp->heap, p + 1, (size_t)(stop - p) - 1);
    if (may_include(pp, span) && !include(pp, r, name, false))
        PP_ERROR(pp, span, "cannot read '%s'", name);
}

/* "#import" NAME: reads NAME.wgsl once if there is such a file. Other forms name modules of build
 * systems and are left out. */
static void do_import(struct preprocessor *pp, struct reader *r, const char *p, const char *end) {
    p = skip_blanks(p, end);
    size_t length = macro_word(p, end);
    const char *rest = skip_blanks(p + length, end);
    if (length && (rest == end || *rest == '/') && may_include(pp, place(r, p, length)))
        include(pp, r, heap_printf(pp->heap, "%.*s.wgsl", (int)length, p), true);
}

/* -- conditions -- */

static void push_branch(struct preprocessor *pp, struct wgsl_span span, bool holds) {
    if (pp->branch_count == BRANCH_LIMIT) {
        PP_ERROR(pp, span, "#if goes too deep");
        return;
    }
    bool outer = is_kept(pp);
    struct branch b = {outer, outer && holds, outer && holds, false, span};
    HEAP_PUSH(pp->heap, pp->branches, pp->branch_count, b);
}

static bool evaluate(struct preprocessor *pp, const struct reader *r, const char *p,
                     const char *end) {
    const char *comment = p;
    while (comment < end && !(comment[0] == '/' && (comment[1] == '/' || comment[1] == '*')))
        comment++;
    struct buf joined = {0};
    join_lines(&joined, p, (size_t)(comment - p));
    int holds = condition_holds(&pp->macros, joined.data, joined.len);
    if (holds < 0)
        PP_ERROR(pp, place(r, p, first_line(p, comment)), "malformed condition");
    pp->out->failed |= joined.failed;
    buf_release(&joined);
    return holds > 0;
}

static bool is_defined(struct preprocessor *pp, const struct reader *r, const char *p,
                       const char *end) {
    p = skip_blanks(p, end);
    size_t length = macro_word(p, end);
    if (!length)
        PP_ERROR(pp, place(r, p, 1), "a name is missing here");
    return length && macro_find(&pp->macros, p, length);
}

/* Whether one of #if, #ifdef and #ifndef, without its #, holds. Returns -1 for other words. */
static int opening(struct preprocessor *pp, const struct reader *r, const char *word, size_t length,
                   const char *end) {
    const char *rest = word + length;
    if (length == 2 && memcmp(word, "if", 2) == 0)
        return !is_kept(pp) || evaluate(pp, r, rest, end);
    if (length == 5 && memcmp(word, "ifdef", 5) == 0)
        return !is_kept(pp) || is_defined(pp, r, rest, end);
    if (length == 6 && memcmp(word, "ifndef", 6) == 0)
        return !is_kept(pp) || !is_defined(pp, r, rest, end);
    return -1;
}

/* #else, "#else if ..." (as naga_oil has it), #elif, #elifdef and #endif. */
static void alternative(struct preprocessor *pp, const struct reader *r, const char *word,
                        size_t length, const char *end) {
    struct wgsl_span span = place(r, word, length);
    if (!pp->branch_count) {
        PP_ERROR(pp, span, "#%.*s without #if", (int)length, word);
        return;
    }
    struct branch *b = &pp->branches[pp->branch_count - 1];
    if (word[1] == 'n') {
        pp->branch_count--;
        return;
    }
    if (b->closed) {
        wgsl_note(pp->diagnostics, PP_ERROR(pp, span, "#%.*s after #else", (int)length, word),
                  b->span, "of this #if");
        return;
    }
    const char *condition = word + 2; /* behind "el": "if", "ifdef", or "se ..." */
    size_t condition_length = length - 2;
    if (word[2] == 's') {
        condition = skip_blanks(word + length, end);
        condition_length = macro_word(condition, end);
    }
    b->keep = b->outer; /* so that the condition is looked at only where it matters */
    bool undecided = b->outer && !b->taken;
    int holds =
        undecided && condition_length ? opening(pp, r, condition, condition_length, end) : -1;
    b->closed = word[2] == 's' && !condition_length;
    b->keep = undecided && holds != 0;
    b->taken |= b->keep;
}

/* -- directives -- */

/* naga_oil's imports may go on over lines, within braces. */
static const char *import_end(const struct reader *r) {
    int depth = 0;
    const char *p = r->p;
    for (; p < r->end && (*p != '\n' || depth > 0); p++)
        depth += (*p == '{') - (*p == '}');
    return p;
}

static const struct {
    const char *word;
    enum { DO_DEFINE, DO_UNDEF, DO_INCLUDE, DO_IMPORT, DO_IGNORE, DO_ERROR, DO_ALTERNATIVE } action;
} directives[] = {
    {"define", DO_DEFINE},     {"undef", DO_UNDEF},         {"include", DO_INCLUDE},
    {"import", DO_IMPORT},     {"pragma", DO_IGNORE},       {"define_import_path", DO_IGNORE},
    {"line", DO_IGNORE},       {"error", DO_ERROR},         {"else", DO_ALTERNATIVE},
    {"elif", DO_ALTERNATIVE},  {"elifdef", DO_ALTERNATIVE}, {"elifndef", DO_ALTERNATIVE},
    {"endif", DO_ALTERNATIVE},
};

static void define(struct preprocessor *pp, struct reader *r, const char *p, const char *end) {
    const char *stop = p;
    while (stop < end && !(stop[0] == '/' && stop[1] == '/'))
        stop++;
    struct buf joined = {0};
    join_lines(&joined, p, (size_t)(stop - p));
    if (!macro_define(&pp->macros, joined.data, joined.len))
        PP_ERROR(pp, place(r, p, first_line(p, stop)), "malformed #define");
    pp->out->failed |= joined.failed;
    buf_release(&joined);
}

/* Carries out a directive of kept text; word stands behind the '#'. */
static void act(struct preprocessor *pp, struct reader *r, int action, const char *word,
                const char *rest, const char *end) {
    const char *name = skip_blanks(rest, end);
    switch (action) {
    case DO_DEFINE:
        define(pp, r, name, end);
        break;
    case DO_UNDEF:
        macro_remove(&pp->macros, name, macro_word(name, end));
        break;
    case DO_INCLUDE:
        do_include(pp, r, rest, end);
        break;
    case DO_IMPORT:
        do_import(pp, r, rest, end);
        break;
    case DO_ERROR:
        PP_ERROR(pp, place(r, word, 5), "#error %.*s", (int)(end - name), name);
        break;
    default:
        break;
    }
}

static void finish_directive(struct reader *r, const char *end) {
    for (; r->p < end; r->p++)
        if (*r->p == '\n') {
            r->line++;
            r->line_start = r->p + 1;
        }
    r->moved = true;
}

/* A line that begins with '#' and a word of the preprocessor; returns false for others. */
static bool read_directive(struct preprocessor *pp, struct reader *r) {
    const char *hash = skip_blanks(r->p, r->end);
    if (hash >= r->end || *hash != '#')
        return false;
    const char *end = directive_end(r), *word = skip_blanks(hash + 1, end);
    size_t length = macro_word(word, end);
    int holds = opening(pp, r, word, length, end);
    if (holds >= 0) {
        push_branch(pp, place(r, hash, (size_t)(word - hash) + length), holds);
        finish_directive(r, end);
        return true;
    }
    for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++) {
        if (strlen(directives[i].word) != length || memcmp(directives[i].word, word, length) != 0)
            continue;
        if (directives[i].action == DO_ALTERNATIVE)
            alternative(pp, r, word, length, end);
        else if (is_kept(pp))
            act(pp, r, directives[i].action, word, word + length, end);
        finish_directive(r, directives[i].action == DO_IMPORT ? import_end(r) : end);
        return true;
    }
    return false;
}

/* -- text -- */

static bool read_comment(struct preprocessor *pp, struct reader *r) {
    const char *p = r->p;
    if (p[0] == '/' && p[1] == '*')
        r->comment_depth++;
    else if (p[0] == '*' && p[1] == '/' && r->comment_depth)
        r->comment_depth--;
    else if (p[0] == '/' && p[1] == '/' && !r->comment_depth) {
        put(pp, r, (size_t)(line_end(r) - p));
        return true;
    } else
        return false;
    put(pp, r, 2);
    return true;
}

/* A use of a macro, also naga_oil's "#{NAME}". */
static bool read_macro(struct preprocessor *pp, struct reader *r) {
    const char *p = r->p;
    bool braced = p[0] == '#' && p[1] == '{';
    const char *word = braced ? p + 2 : p;
    size_t length = macro_word(word, r->end);
    if (!length || (braced && word[length] != '}'))
        return false;
    struct wgsl_span span = place(r, p, (size_t)(word - p) + length + braced);
    struct buf expanded = {0};
    size_t used = macro_expand(&pp->macros, word, r->end, &expanded);
    if (used) {
        add_piece(pp, span, true);
        buf_append(pp->out, expanded.data, expanded.len);
        finish_directive(r, word + used + braced);
    }
    if (expanded.len >= MACRO_OUTPUT_LIMIT)
        PP_ERROR(pp, span, "this expands to more than %d KiB", MACRO_OUTPUT_LIMIT >> 10);
    pp->out->failed |= expanded.failed;
    buf_release(&expanded);
    return used != 0;
}

static void read_text(struct preprocessor *pp, struct reader *r) {
    const char *end = line_end(r);
    while (r->p < end) {
        if (read_comment(pp, r))
            continue;
        if (!r->comment_depth && read_macro(pp, r)) {
            end = line_end(r);
            continue;
        }
        size_t length = macro_word(r->p, end);
        if (!length && isdigit((unsigned char)*r->p))
            while (r->p + length < end && (isalnum((unsigned char)r->p[length])))
                length++;
        put(pp, r, length ? length : 1);
    }
}

static void end_line(struct preprocessor *pp, struct reader *r) {
    if (r->p < r->end)
        put(pp, r, 1);
    r->line++;
    r->line_start = r->p;
}

static void read_whole(struct preprocessor *pp, uint32_t file) {
    const struct wgsl_file *f = &pp->module->files[file];
    struct reader r = {.file = file, .p = f->text, .end = f->text + f->length, .line = 1};
    uint32_t outer_branches = pp->branch_count;
    r.line_start = r.p;
    r.moved = true;
    pp->include_depth++;
    while (r.p < r.end && !pp->gave_up) {
        if (r.comment_depth || !read_directive(pp, &r)) {
            if (is_kept(pp))
                read_text(pp, &r);
            else
                finish_directive(&r, line_end(&r));
        }
        end_line(pp, &r);
    }
    pp->include_depth--;
    while (pp->branch_count > outer_branches && !pp->gave_up)
        PP_ERROR(pp, pp->branches[--pp->branch_count].span, "#if without #endif");
}

static void predefine(struct preprocessor *pp) {
    for (uint32_t i = 0; pp->options && i < pp->options->define_count; i++) {
        char *text = heap_text(pp->heap, pp->options->defines[i], strlen(pp->options->defines[i]));
        char *equals = strchr(text, '=');
        if (equals)
            *equals = ' ';
        char *definition = equals ? text : heap_printf(pp->heap, "%s 1", text);
        if (!macro_define(&pp->macros, definition, strlen(definition)))
            PP_ERROR(pp, (struct wgsl_span){0}, "malformed definition '%s'",
                     pp->options->defines[i]);
    }
}

struct wgsl_text wgsl_preprocess(struct wgsl_module *module, struct wgsl_heap *heap,
                                 const struct wgsl_options *options, struct buf *out,
                                 struct wgsl_diagnostics *diagnostics) {
    struct preprocessor pp = {.module = module,
                              .heap = heap,
                              .options = options,
                              .diagnostics = diagnostics,
                              .out = out,
                              .macros = {.heap = heap}};
    const struct wgsl_file *file = &module->files[0];
    if (!memchr(file->text, '#', file->length) && !(options && options->define_count)) {
        add_piece(&pp, (struct wgsl_span){0, 1, 1, 0}, false);
        pp.text.text = file->text;
        pp.text.length = file->length;
        return pp.text;
    }
    predefine(&pp);
    read_whole(&pp, 0);
    if (!pp.text.piece_count)
        add_piece(&pp, (struct wgsl_span){0, 1, 1, 0}, false);
    if (out->failed)
        PP_ERROR(&pp, (struct wgsl_span){0}, "out of memory for this shader");
    pp.text.length = (uint32_t)out->len;
    pp.text.text = heap_text(heap, out->len ? out->data : "", out->len);
    buf_release(out);
    return pp.text;
}
