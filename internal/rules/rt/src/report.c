/* What is said when a rule fires: text for people on standard error, or a line of
   JSON in the file that GULO_REPORT names. */
#define _GNU_SOURCE
#include "gulo.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_REPORTS 100
#define MOST_LINKS 64

static int reports;

/* Standard error as it was when the program began: programs close theirs. */
static FILE *people;
static int people_fd = -1;
__attribute__((constructor(103))) static void keep_standard_error(void) { people_fd = fcntl(2, F_DUPFD_CLOEXEC, 200); }

static void source_line(FILE *out, const gulo_site *s)
{
    char line[400] = "";
    FILE *f = fopen(s->in->file, "r");
    u32 n = 0;
    while (f && n < s->line && fgets(line, sizeof line, f))
        if (strchr(line, '\n') || feof(f))
            n++;
    if (f)
        fclose(f);
    if (n < s->line)
        return;
    char *t = line + strspn(line, " \t");
    t[strcspn(t, "\r\n")] = 0;
    fputs(t, out);
}

static void place(FILE *out, const gulo_site *s)
{
    if (!s->line) {
        fputc('\n', out);
        return;
    }
    fprintf(out, "%s:%u  %s: ", s->in->file, s->line, s->in->func);
    source_line(out, s);
    fputc('\n', out);
}

/* Links of a chain, the newest first: a value's node, its parents, and where it
   was made. */
typedef struct { const gulo_site *site; u64 time; } chain_link;

static int same_line(const gulo_site *a, const gulo_site *b) { return a == b || (a->line == b->line && strcmp(a->in->func, b->in->func) == 0 && strcmp(a->in->file, b->in->file) == 0); }

/* The steps to a site through registers. Where a link has the line of a step, the link says it. */
static int steps(const gulo_site *s, chain_link *out, int n)
{
    for (const gulo_site *v = s->via; v && n < MOST_LINKS; v = v->via)
        if (!same_line(n ? out[n - 1].site : s, v))
            out[n++] = (chain_link){v, 0};
    return n;
}

static int linked(const gulo_site *s, u64 time, chain_link *out, int n)
{
    if (n && !out[n - 1].site->id && same_line(out[n - 1].site, s))
        n--;
    out[n] = (chain_link){s, time};
    return steps(s, out, n + 1);
}

static int links(u64 meta, const gulo_site *use, chain_link *out)
{
    int n = use ? steps(use, out, 0) : 0;
    u32 origin = meta >> 32;
    const gulo_cold *c = &GULO_COLD[(u32)meta];
    while (origin && n < MOST_LINKS) {
        if (origin >> 31) {
            origin &= 0x7fffffff;
            return linked(gulo_site_at(origin), gulo_events && (u32)meta && c->made == origin ? c->time : 0, out, n);
        }
        n = linked(gulo_site_at(GULO_NODES[origin].site), GULO_NODES[origin].time, out, n);
        origin = GULO_NODES[origin].parent;
    }
    return n;
}

static const char *plural(u64 n) { return n == 1 ? "" : "s"; }

static void declared(const char *how, u32 site)
{
    const gulo_site *s = gulo_site_at(site);
    if (site != ~0u && s->line)
        fprintf(people, "%s %s:%u", how, s->in->file, s->line);
}

/* What the finding is about: a block, a variable, or some blocks. */
static void subject(const gulo_finding *f)
{
    const gulo_cold *c = &GULO_COLD[f->block];
    u64 size = (u64)GULO_BLOCKS[f->block].size;
    const char *name = gulo_site_at(c->made)->what;
    int heap = c->kind == GULO_HEAP, variable = !heap && strncmp(name, "variable ", 9) == 0;
    if (f->blocks > 1)
        fprintf(people, "%lu blocks", f->blocks);
    else
        fprintf(people, "%s of %lu byte%s", heap ? "a block" : name, size, plural(size));
    declared(heap ? " allocated at" : variable ? " declared at" : " made at", c->made);
    if (f->blocks > 1)
        fprintf(people, ", %lu byte%s in all", f->bytes, plural(f->bytes));
    else if (gulo_ended(f->block))
        declared(heap ? ", freed at" : ", which ended at", c->ended);
}

static void access_to(const gulo_finding *f)
{
    fprintf(people, ": %s of %lu byte%s", f->write ? "write" : "read", f->n, plural(f->n));
    if (!f->block) {
        if (f->p < GULO_NULL_PAGE)
            fprintf(people, " at address %lu", f->p);
        return;
    }
    i64 at = (i64)(f->p - GULO_COLD[f->block].base), size = GULO_BLOCKS[f->block].size;
    if (at < 0)
        fprintf(people, ", %lu byte%s before ", -at, plural((u64)-at));
    else if (at >= size)
        fprintf(people, ", %lu byte%s after ", at - size, plural((u64)(at - size)));
    else
        fprintf(people, " at byte %lu of ", at);
    subject(f);
}

/* first_call is the first call to show of those that led to a place: 1 where a library function calls back, since call 0 is the place itself. */
static u32 first_call(const gulo_stack *k, const gulo_site *s)
{
    return k->count && s && k->call[0]->line == s->line && k->call[0]->column == s->column && strcmp(k->call[0]->in->func, s->in->func) == 0;
}

static void calls(const gulo_stack *k, const gulo_site *s)
{
    for (u32 i = first_call(k, s); i < k->count; i++) {
        const gulo_site *inner = i ? k->call[i - 1] : s;
        fprintf(people, "    %-14s ", inner && strcmp(inner->in->func, k->call[i]->in->func) == 0 ? "calls itself" : "called from");
        place(people, k->call[i]);
    }
    if (k->more)
        fputs("    and others\n", people);
}

static void made_by(const char *how, u32 site, u32 stack)
{
    const gulo_site *s = gulo_site_at(site);
    if (!stack || site == ~0u || !s->line)
        return;
    fprintf(people, "  %s\n    %-14s ", how, s->what);
    place(people, s);
    calls(gulo_stack_at(stack), s);
}

static void text(int rule, const gulo_site *s, const gulo_finding *f)
{
    chain_link chain[MOST_LINKS];
    gulo_stack now = gulo_calls_to(s);
    fprintf(people, "%s:%u:%u: %s", s->in->file, s->line, s->column, gulo_rules[rule]);
    if (*gulo_meanings[rule])
        fprintf(people, ": %s", gulo_meanings[rule]);
    if (f->access)
        access_to(f);
    else if (f->block) {
        fputs(": ", people);
        subject(f);
    }
    fprintf(people, "\n  in %s: ", s->in->func);
    source_line(people, s);
    fputc('\n', people);
    calls(&now, s);
    if (f->block && GULO_COLD[f->block].kind == GULO_HEAP) {
        made_by(f->blocks > 1 ? "they were allocated at" : "it was allocated at", GULO_COLD[f->block].made, GULO_COLD[f->block].made_stack);
        if (gulo_ended(f->block))
            made_by("it was freed at", GULO_COLD[f->block].ended, GULO_COLD[f->block].ended_stack);
    }
    for (int i = 0; i < f->count; i++) {
        int n = links(f->meta[i], !i && (f->access || f->p) && f->pointer[0] == f->p ? s : NULL, chain);
        if (n)
            fprintf(people, "  %s came from\n", f->name[i]);
        for (int k = 0; k < n; k++) {
            fputs("    ", people);
            if (chain[k].time)
                fprintf(people, "at %lu: ", (u64)chain[k].time);
            fprintf(people, "%-14s ", chain[k].site->what);
            place(people, chain[k].site);
        }
    }
}

static void quoted(FILE *out, const char *s)
{
    fputc('"', out);
    for (; *s; s++)
        if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if ((u8)*s < 32)
            fprintf(out, "\\u%04x", *s);
        else
            fputc(*s, out);
    fputc('"', out);
}

static void json_place(FILE *out, const gulo_site *s, u64 time)
{
    fprintf(out, "{\"time\":%lu,\"line\":%u,\"column\":%u,\"file\":", time, s->line, s->column);
    quoted(out, s->in->file);
    fprintf(out, ",\"function\":");
    quoted(out, s->in->func);
    fprintf(out, ",\"what\":");
    quoted(out, s->what);
    fputc('}', out);
}

static void json_calls(FILE *out, const char *name, const gulo_stack *k, const gulo_site *s)
{
    u32 first = first_call(k, s);
    if (first >= k->count)
        return;
    fprintf(out, ",\"%s\":[", name);
    for (u32 i = first; i < k->count; i++) {
        if (i > first)
            fputc(',', out);
        json_place(out, k->call[i], 0);
    }
    fprintf(out, "]");
}

static void json(FILE *out, int rule, const gulo_site *s, const gulo_finding *f)
{
    chain_link chain[MOST_LINKS];
    gulo_stack now = gulo_calls_to(s);
    fprintf(out, "{\"rule\":");
    quoted(out, gulo_rules[rule]);
    fprintf(out, ",\"means\":");
    quoted(out, gulo_meanings[rule]);
    fprintf(out, ",\"at\":");
    json_place(out, s, gulo_now());
    json_calls(out, "calls", &now, s);
    if (f->access)
        fprintf(out, ",\"access\":{\"write\":%s,\"size\":%lu,\"offset\":%ld}", f->write ? "true" : "false", f->n, f->block ? (i64)(f->p - GULO_COLD[f->block].base) : (i64)f->p);
    if (f->block) {
        const gulo_cold *c = &GULO_COLD[f->block];
        fprintf(out, ",\"size\":%lu,\"kind\":%d", GULO_BLOCKS[f->block].size, c->kind);
        if (f->blocks)
            fprintf(out, ",\"blocks\":%lu,\"bytes\":%lu", f->blocks, f->bytes);
        if (c->made != ~0u) {
            fprintf(out, ",\"made\":");
            json_place(out, gulo_site_at(c->made), c->time);
            json_calls(out, "madeCalls", gulo_stack_at(c->made_stack), gulo_site_at(c->made));
        }
        if (gulo_ended(f->block) && c->ended != ~0u) {
            fprintf(out, ",\"ended\":");
            json_place(out, gulo_site_at(c->ended), c->end_time);
            json_calls(out, "endedCalls", gulo_stack_at(c->ended_stack), gulo_site_at(c->ended));
        }
    }
    fprintf(out, ",\"chains\":[");
    for (int i = 0; i < f->count; i++) {
        fprintf(out, "%s{\"of\":", i ? "," : "");
        quoted(out, f->name[i]);
        fprintf(out, ",\"links\":[");
        int n = links(f->meta[i], !i && (f->access || f->p) && f->pointer[0] == f->p ? s : NULL, chain);
        for (int k = 0; k < n; k++) {
            if (k)
                fputc(',', out);
            json_place(out, chain[k].site, chain[k].time);
        }
        fprintf(out, "]}");
    }
    fprintf(out, "]}\n");
}

static int traced(void)
{
    char line[256];
    int pid = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "TracerPid: %d", &pid) == 1)
            break;
    if (f)
        fclose(f);
    return pid != 0;
}

static u8 bounds_off; /* indices outside of arrays are not told */

/* gulo_rule switches a rule on or off while the program runs; a debugger calls it,
   as in "call gulo_rule("double_free", 0)". It returns how many rules have the
   name. */
int gulo_rule(const char *name, int on)
{
    int n = strcmp(name, "array_bounds") == 0;
    if (n)
        bounds_off = !on;
    for (int i = 0; gulo_rules[i]; i++)
        if (strcmp(gulo_rules[i], name) == 0) {
            gulo_enabled[i] = (u8)(on != 0);
            n++;
        }
    return n;
}

/* GULO_OFF lists rules that are off from the start, separated by commas. */
__attribute__((constructor(103))) static void switched_off(void)
{
    char name[64];
    const char *list = getenv("GULO_OFF");
    while (list && *list) {
        size_t n = strcspn(list, ",");
        if (n < sizeof name) {
            memcpy(name, list, n);
            name[n] = 0;
            if (!gulo_rule(name, 0))
                fprintf(stderr, "gulo: GULO_OFF: there is no rule %s\n", name);
        }
        list += n + (list[n] == ',');
    }
}

/* A report goes to the file that GULO_REPORT names, otherwise to people. */
static FILE *begin_report(void)
{
    gulo_trace_end();
    if (reports++ >= MOST_REPORTS)
        _exit(1);
    fflush(stdout);
    const char *path = getenv("GULO_REPORT");
    FILE *out = path ? fopen(path, "a") : NULL;
    if (!out && !people)
        people = people_fd < 0 ? stderr : fdopen(people_fd, "w");
    return out;
}

/* The program stops: under a debugger at a breakpoint just before the error,
   otherwise for good. */
static void end_report(FILE *out)
{
    if (out)
        fclose(out);
    else
        fflush(people);
    if (traced())
        __asm__ volatile("int3");
    else if (!getenv("GULO_GO_ON"))
        _exit(1);
}

/* Blocks that a rule is about, together where they were made at one place by the same calls. */
static struct { u32 block; u64 blocks, bytes; } groups[MOST_REPORTS];
static int group_count;

static int same_origin(const gulo_cold *a, const gulo_cold *b)
{
    const gulo_stack *k = gulo_stack_at(a->made_stack), *l = gulo_stack_at(b->made_stack);
    if (a->made != b->made && !same_line(gulo_site_at(a->made), gulo_site_at(b->made)))
        return 0;
    if (k == l)
        return 1;
    if (k->count != l->count)
        return 0;
    for (u32 i = 0; i < k->count; i++)
        if (!same_line(k->call[i], l->call[i]))
            return 0;
    return 1;
}

void gulo_count(u32 b)
{
    int i = group_count - 1;
    while (i >= 0 && !same_origin(&GULO_COLD[groups[i].block], &GULO_COLD[b]))
        i--;
    if (i < 0) {
        if (group_count == MOST_REPORTS)
            return;
        groups[i = group_count++].block = b;
    }
    groups[i].blocks++;
    groups[i].bytes += (u64)GULO_BLOCKS[b].size;
}

/* gulo_report reports a rule that fires: once, or for each group of blocks that was counted, those with most bytes first. */
void gulo_report(int rule, const gulo_site *s, gulo_finding *f)
{
    FILE *out = begin_report();
    do {
        int most = 0;
        for (int i = 1; i < group_count; i++)
            if (groups[i].bytes > groups[most].bytes)
                most = i;
        if (group_count) {
            f->block = groups[most].block;
            f->blocks = groups[most].blocks;
            f->bytes = groups[most].bytes;
            memmove(&groups[most], &groups[most + 1], (size_t)(--group_count - most) * sizeof groups[0]);
        }
        if (out)
            json(out, rule, s, f);
        else
            text(rule, s, f);
    } while (group_count);
    end_report(out);
}

/* gulo_fault reports an error that no rule is about, as when a library function
   is given what it does not take. The kinds are those of the machine's faults. */
void gulo_fault(const char *kind, const char *text, const gulo_site *s)
{
    FILE *out = begin_report();
    gulo_stack now = gulo_calls_to(s);
    if (out) {
        fprintf(out, "{\"fault\":\"%s\",\"text\":\"%s\",\"use\":", kind, text);
        json_place(out, s, gulo_now());
        json_calls(out, "calls", &now, s);
        fprintf(out, "}\n");
    } else {
        fprintf(people, "%s:%u:%u: %s: %s\n  in %s: ", s->in->file, s->line, s->column, kind, text, s->in->func);
        source_line(people, s);
        fputc('\n', people);
        calls(&now, s);
    }
    end_report(out);
}

void gulo_outside_array(u64 index, u64 n, const gulo_site *s)
{
    char text[96];
    if (bounds_off)
        return;
    snprintf(text, sizeof text, "index %lld is outside an array of %llu element%s", (long long)index, (unsigned long long)n, n == 1 ? "" : "s");
    gulo_fault("array_bounds", text, s);
}

/* gulo_null_value reports a null pointer where the program says that there is none: kind is that of clang's check. */
void gulo_null_value(u32 kind, const gulo_site *s)
{
    enum { ARGUMENT = 16 };
    gulo_fault("null_value", kind == ARGUMENT ? "a null pointer is passed to a parameter that is declared nonnull" : "a null pointer is returned by a function that is declared returns_nonnull", s);
}

/* gulo_unfit reports a library function that is given a number that it cannot take. */
void gulo_unfit(const char *what, const gulo_site *s)
{
    char text[128];
    snprintf(text, sizeof text, "%s %s", s->what, what);
    gulo_fault("bad_library_call", text, s);
}

/* gulo_no_value reports that a caller uses the value of a function that ended without one. */
void gulo_no_value(const gulo_site *end, const gulo_site *use)
{
    gulo_valueless.to = NULL;
    FILE *out = begin_report();
    if (out) {
        fprintf(out, "{\"valueless\":");
        json_place(out, end, gulo_now());
        fprintf(out, ",\"use\":");
        json_place(out, use, gulo_now());
        fprintf(out, "}\n");
    } else {
        fprintf(people, "%s:%u:%u: missing_return: %s ends without a value, which line %u uses\n", end->in->file, end->line, end->column, end->in->func, use->line);
    }
    end_report(out);
}
