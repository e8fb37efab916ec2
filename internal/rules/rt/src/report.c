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
    FILE *f = fopen(s->file, "r");
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
    fprintf(out, "%s:%u  %s: ", s->file, s->line, s->func);
    source_line(out, s);
    fputc('\n', out);
}

/* Links of a chain, the newest first: a value's node, its parents, and where it
   was made. */
typedef struct { const gulo_site *site; u64 time; } chain_link;

static int links(u64 meta, chain_link *out)
{
    int n = 0;
    u32 origin = meta >> 32;
    const gulo_cold *c = &GULO_COLD[(u32)meta];
    while (origin && n < MOST_LINKS) {
        if (origin >> 31) {
            origin &= 0x7fffffff;
            out[n++] = (chain_link){gulo_site_at(origin), gulo_events && (u32)meta && c->made == origin ? c->time : 0};
            break;
        }
        out[n++] = (chain_link){gulo_site_at(GULO_NODES[origin].site), GULO_NODES[origin].time};
        origin = GULO_NODES[origin].parent;
    }
    return n;
}

static void text(const char *name, const gulo_site *s, const gulo_finding *f)
{
    chain_link chain[MOST_LINKS];
    u32 b = f->block;
    fprintf(people, "%s:%u:%u: %s", s->file, s->line, s->column, name);
    if (b) {
        const gulo_cold *c = &GULO_COLD[b];
        fprintf(people, ": a block of %lu byte%s", GULO_BLOCKS[b].size, GULO_BLOCKS[b].size == 1 ? "" : "s");
        if (c->made != ~0u && gulo_site_at(c->made)->line)
            fprintf(people, " made at %s:%u", gulo_site_at(c->made)->file, gulo_site_at(c->made)->line);
        if (gulo_ended(b) && c->ended != ~0u)
            fprintf(people, ", ended at %s:%u", gulo_site_at(c->ended)->file, gulo_site_at(c->ended)->line);
    }
    fprintf(people, "\n  in %s: ", s->func);
    source_line(people, s);
    fputc('\n', people);
    for (int i = 0; i < f->count; i++) {
        int n = links(f->meta[i], chain);
        if (n)
            fprintf(people, "  %s came from\n", f->name[i]);
        for (int k = 0; k < n; k++) {
            fputs("    ", people);
            if (chain[k].time)
                fprintf(people, "at %lu: ", (u64)chain[k].time);
            fprintf(people, "%-10s ", chain[k].site->what);
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
    quoted(out, s->file);
    fprintf(out, ",\"function\":");
    quoted(out, s->func);
    fprintf(out, ",\"what\":");
    quoted(out, s->what);
    fputc('}', out);
}

static void json(FILE *out, const char *name, const gulo_site *s, const gulo_finding *f)
{
    chain_link chain[MOST_LINKS];
    fprintf(out, "{\"rule\":");
    quoted(out, name);
    fprintf(out, ",\"at\":");
    json_place(out, s, gulo_now());
    if (f->block) {
        const gulo_cold *c = &GULO_COLD[f->block];
        fprintf(out, ",\"size\":%lu", GULO_BLOCKS[f->block].size);
        if (c->made != ~0u) {
            fprintf(out, ",\"made\":");
            json_place(out, gulo_site_at(c->made), c->time);
        }
        if (gulo_ended(f->block) && c->ended != ~0u) {
            fprintf(out, ",\"ended\":");
            json_place(out, gulo_site_at(c->ended), c->end_time);
        }
    }
    fprintf(out, ",\"chains\":[");
    for (int i = 0; i < f->count; i++) {
        fprintf(out, "%s{\"of\":", i ? "," : "");
        quoted(out, f->name[i]);
        fprintf(out, ",\"links\":[");
        int n = links(f->meta[i], chain);
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

/* gulo_rule switches a rule on or off while the program runs; a debugger calls it,
   as in "call gulo_rule("double_free", 0)". It returns how many rules have the
   name. */
int gulo_rule(const char *name, int on)
{
    int n = 0;
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

/* gulo_report says that a rule fires. */
void gulo_report(int rule, const char *name, u64 p, u64 meta, const gulo_site *s, const gulo_finding *f)
{
    (void)rule, (void)p, (void)meta;
    FILE *out = begin_report();
    if (out)
        json(out, name, s, f);
    else
        text(name, s, f);
    end_report(out);
}

/* gulo_bad_call says that a library function is given what it does not take. */
void gulo_bad_call(const gulo_site *s, const char *text)
{
    FILE *out = begin_report();
    if (out) {
        fprintf(out, "{\"call\":\"%s\",\"use\":", text);
        json_place(out, s, gulo_now());
        fprintf(out, "}\n");
    } else {
        fprintf(people, "%s:%u:%u: bad_library_call: %s\n", s->file, s->line, s->column, text);
    }
    end_report(out);
}

/* gulo_no_value says that a caller uses the value of a function that ended without. */
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
        fprintf(people, "%s:%u:%u: missing_return: %s ends without a value, which line %u uses\n", end->file, end->line, end->column, end->func, use->line);
    }
    end_report(out);
}
