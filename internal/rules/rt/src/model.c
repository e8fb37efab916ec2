/* What library functions do with the memory that they are given. */
#define _GNU_SOURCE
#include "gulo.h"
#include <ctype.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <wchar.h>

static void filled(const void *p, u64 meta);
void gulo_filled(const void *p, u64 meta, const gulo_site *s);
static u64 meta_at(const void *at);

/* How many bytes there are from p on in its block; none for NULL, and no limit when
   the block is not known. */
static u64 room(const void *p, u64 meta)
{
    const gulo_block *b = &GULO_BLOCKS[(u32)meta];
    if ((u64)p < GULO_NULL_PAGE)
        return 0;
    if (!(u32)meta)
        return ~0ull;
    return (u64)p < b->base || (u64)p >= b->base + (u64)b->size ? 0 : b->base + (u64)b->size - (u64)p;
}

/* gulo_near is the meta word of a number computed from a pointer: its block only if it points there. */
u64 gulo_near(u64 v, u64 meta)
{
    const gulo_block *b = &GULO_BLOCKS[(u32)meta];
    return (u32)meta && v - b->base <= (u64)b->size ? meta : meta & ~0xffffffffull;
}

static u64 length(const void *p, u64 most, int width) { return width == 1 ? strnlen(p, most) : wcsnlen(p, most); }

/* The characters that a string read takes: to its end, or one beyond its block when
   no end is there. */
static u64 extent(const void *p, u64 most, u64 meta, int width)
{
    u64 there = room(p, meta) / (u64)width;
    if (!there)
        return 1;
    u64 n = length(p, there < most ? there : most, width);
    return n == most ? n : n + 1;
}

void gulo_string(const char *p, u64 most, u64 meta, const gulo_site *s)
{
    if (most)
        gulo_touch(p, extent(p, most, meta, 1), meta, s, 0);
}

void gulo_wide_string(const void *p, u64 most, u64 meta, const gulo_site *s)
{
    if (most)
        gulo_touch(p, extent(p, most, meta, 4) * 4, meta, s, 0);
}

static int unequal(const char *a, const char *b, u64 i, int kind)
{
    if (kind & GULO_WIDE)
        return ((const wchar_t *)a)[i] != ((const wchar_t *)b)[i];
    return kind & GULO_NO_CASE ? tolower((u8)a[i]) != tolower((u8)b[i]) : a[i] != b[i];
}

static int ends(const char *a, u64 i, int kind) { return kind & GULO_WIDE ? ((const wchar_t *)a)[i] == 0 : a[i] == 0; }

/* gulo_compared are strings of which at most so many characters are compared; they
   are read as far as they agree. */
void gulo_compared(const char *a, const char *b, u64 most, u64 ma, u64 mb, int kind, const gulo_site *s)
{
    u64 width = kind & GULO_WIDE ? 4 : 1, ra = room(a, ma) / width, rb = room(b, mb) / width, n = 0;
    while (n < most) {
        u64 i = n++;
        if (i >= ra || i >= rb || unequal(a, b, i, kind) || ends(a, i, kind))
            break;
    }
    gulo_touch(a, n * width, ma, s, 0);
    gulo_touch(b, n * width, mb, s, 0);
}

/* A string, and an object that a function reads, unless there is none. */
void gulo_string_given(const char *p, u64 meta, const gulo_site *s)
{
    if (p)
        gulo_string(p, ~0ull, meta, s);
}

void gulo_in(const void *p, u64 n, u64 meta, const gulo_site *s)
{
    if (p)
        gulo_touch(p, n, meta, s, 0);
}

/* An object that a function fills in, unless it is not wanted. */
void gulo_out(void *p, u64 n, u64 meta, const gulo_site *s)
{
    if (p)
        gulo_touch(p, n, meta, s, 1);
}

/* The pointer that a function stored points into a block that the function was given. */
void gulo_out_pointer(void **p, u64 meta, const gulo_site *s)
{
    if (!p)
        return;
    gulo_slot *q = gulo_slot_of(p);
    if ((u32)meta >= GULO_LOCALS)
        GULO_COLD[(u32)meta].kept = 1;
    q->meta = gulo_link(meta, (gulo_site *)s);
    q->value = (u64)*p;
}

/* A number is read up to the first character that does not belong to it:
   as numberEnds of the machine has it. base 0: any; -1: floating point. */
void gulo_number(const char *p, int base, u64 meta, const gulo_site *s)
{
    u64 there = room(p, meta), i = 0;
    while (i < there && isspace((u8)p[i]))
        i++;
    if (i < there && (p[i] == '+' || p[i] == '-'))
        i++;
    while (i < there && p[i] && (isdigit((u8)p[i]) || (base != 10 && isalpha((u8)p[i])) || (base < 0 && strchr(".+-()_", p[i]))))
        i++;
    gulo_touch(p, i + 1, meta, s, 0);
}

/* gulo_request is what ioctl is given: the request says what of it is read; the rest may be filled in. */
void gulo_request(void *p, u64 request, u64 meta, const gulo_site *s)
{
    enum { IF_LIST = 0x8912, NO_WAIT = 0x5421, IF_FLAGS = 0x8913, IF_INDEX = 0x8933 };
    u32 r = (u32)request;
    if (p && gulo_terminal(p, r, meta, s))
        return;
    if (p && r == IF_LIST) {
        gulo_touch(p, 4, meta, s, 0);
        gulo_touch((char *)p + 8, 8, meta, s, 0);
        void *list = *(void **)((char *)p + 8);
        if (list && *(int *)p > 0)
            gulo_touch(list, *(u32 *)p, meta_at((char *)p + 8), s, 1);
    } else if (p && r == NO_WAIT)
        gulo_touch(p, 4, meta, s, 0);
    else if (p && (r == IF_FLAGS || r == IF_INDEX))
        gulo_string(p, 16, meta, s);
    gulo_filled(p, meta, s);
}

/* A search that ends at the character, or at the end of the string. */
void gulo_string_until(const char *p, int c, u64 meta, const gulo_site *s)
{
    u64 there = room(p, meta), i = 0;
    while (i < there && p[i] && p[i] != (char)c)
        i++;
    gulo_touch(p, i + 1, meta, s, 0);
}

void gulo_string_apart(const char *to, u64 n, const char *from, const gulo_site *s)
{
    u64 k = strnlen(from, n);
    gulo_apart(to, n, from, k < n ? k + 1 : n, s);
}

void gulo_wide_string_apart(const wchar_t *to, u64 n, const wchar_t *from, const gulo_site *s)
{
    u64 k = wcsnlen(from, n);
    gulo_apart(to, n * sizeof *to, from, (k < n ? k + 1 : n) * sizeof *to, s);
}

/* poll reads what each file is watched for, and writes what happened. */
void gulo_polled(struct pollfd *p, u64 n, u64 meta, const gulo_site *s)
{
    for (u64 i = 0; i < n; i++) {
        gulo_touch(&p[i], offsetof(struct pollfd, revents), meta, s, 0);
        gulo_touch(&p[i].revents, sizeof p->revents, meta, s, 1);
    }
}

/* wmemchr reads up to the character, if that is among the n. */
void gulo_wide_until(const wchar_t *p, wchar_t c, u64 n, u64 meta, const gulo_site *s)
{
    u64 there = room(p, meta) / sizeof *p, i = 0;
    while (i < n && i < there && p[i] != c)
        i++;
    gulo_touch(p, (i < n ? i + 1 : n) * sizeof *p, meta, s, 0);
}

/* strcpy, strcat and their kin write as much as they read. */
void gulo_string_copy(char *to, const char *from, u64 most, u64 mto, u64 mfrom, int kind, const gulo_site *s)
{
    int width = kind & GULO_WIDE ? 4 : 1;
    u64 skip = 0, n = 0;
    if (most) {
        gulo_touch(from, extent(from, most, mfrom, width) * (u64)width, mfrom, s, 0);
        n = length(from, most, width);
    }
    if (kind & GULO_APPEND) {
        gulo_touch(to, extent(to, ~0ull, mto, width) * (u64)width, mto, s, 0);
        skip = length(to, ~0ull, width);
    }
    gulo_touch(to + skip * (u64)width, (n + 1) * (u64)width, mto, s, 1);
    gulo_apart(to, (skip + n + 1) * (u64)width, from, (n + 1 < most ? n + 1 : most) * (u64)width, s);
}

/* gulo_room is where a function is to write that may write n
   bytes: where it was told to if there is room for all, otherwise
   in other memory, from which gulo_came copies what did come. */
void *gulo_room(void *p, u64 n, u64 meta, int nullable)
{
    if (!n || n > 1 << 28 || n <= room(p, meta) || (nullable && !p))
        return p;
    void *q = malloc(n);
    if (q == p) { /* p was freed, and the allocator gives its memory again */
        q = malloc(n);
        free(p);
    }
    return q ? q : p;
}

/* What the library keeps is no leak. */
void gulo_kept_there(u64 meta)
{
    if ((u32)meta)
        GULO_COLD[(u32)meta].external = 1;
}

/* How much came, by the function's result. */
static u64 came(int kind, i64 result, const void *p, u64 n, u64 unit)
{
    switch (kind) {
    case 'r': return result > 0 ? (u64)result : 0;
    case 'i': return (u64)result * unit;
    case 's': return result ? strlen(p) + 1 : 0;
    case 'S': return result ? (wcslen(p) + 1) * 4 : 0;
    case 'z': return result == 0 ? strnlen(p, n - 1) + 1 : 0;
    case 'Z': return result == 0 ? n : 0;
    case 't': return result ? (u64)result + 1 : 0;
    case 'T': return result ? ((u64)result + 1) * 4 : 0;
    case 'f': return (int)result < 0 || !n ? 0 : (u64)(int)result < n ? (u64)(int)result + 1 : n;
    case 'a': return (int)result < 0 ? 0 : *(const u32 *)unit;
    case 'e': return (int)result < 0 ? 0 : (u64)(int)result * GULO_EPOLL;
    case 'G': return (int)result < 0 ? 0 : (u64)(int)result * 4;
    case 'm': return result < 0 ? 0 : (u64)result + 8;
    case 'F': return (int)result < 0 ? 0 : ((u64)(int)result + 1) * 4;
    case 'b': return result < 0 ? 0 : (u64)result < n ? (u64)result + 1 : n;
    case 'w': return result < 0 ? 0 : (u64)result * 4 + 4 < n ? (u64)result * 4 + 4 : n;
    }
    return n;
}

/* q is where the function wrote. */
void gulo_came(void *p, void *q, int kind, i64 result, u64 n, u64 unit, u64 meta, const gulo_site *s)
{
    u64 k = n && q ? came(kind, result, q, n, unit) : 0;
    k = k < n ? k : n;
    if (q == p) {
        gulo_mark_written(p, k);
        return;
    }
    gulo_touch(p, k, meta, s, 1);
    memcpy(p, q, k);
    free(q);
}

/* getline reads where its buffer is and, when there is one, how large. */
void gulo_line_room(void **p, u64 *n, u64 mp, u64 mn, const gulo_site *s)
{
    gulo_touch(p, 8, mp, s, 0);
    if (*p)
        gulo_touch(n, 8, mn, s, 0);
    gulo_touch(p, 8, mp, s, 1);
    gulo_touch(n, 8, mn, s, 1);
}

void gulo_line_came(void **p, i64 n, const gulo_site *s)
{
    gulo_own_pointer(p, s);
    if (*p && n > 0)
        gulo_mark_written(*p, (u64)n + 1);
}

static void result(const void *p, u64 meta, const gulo_site *s)
{
    gulo_result = (gulo_slot){p ? meta : GULO_MADE(s), (u64)p};
}

/* gulo_gets reads a line into memory of ours first: how long it is, nobody knows before. */
char *gulo_gets(char *p, u64 meta, const gulo_site *s)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t n = getline(&line, &room, stdin);
    if (n > 0 && line[n - 1] == '\n')
        line[--n] = 0;
    if (n >= 0) {
        gulo_touch(p, (u64)n + 1, meta, s, 1);
        memcpy(p, line, (size_t)n + 1);
    } else {
        p = NULL;
    }
    free(line);
    result(p, meta, s);
    return p;
}

/* gulo_token is strtok, and strtok_r where it is told where to keep the rest of the
   text: tokens are of the block that the text is of. What strtok keeps does not hold the block: a program gets no pointer
   to a text whose last token it has. */
char *gulo_rest_of_tokens;

char *gulo_token(char *p, const char *set, char **rest, u64 meta, u64 mset, u64 mrest, const gulo_site *s)
{
    if (rest)
        gulo_touch(rest, sizeof *rest, mrest, s, p != NULL);
    else
        rest = &gulo_rest_of_tokens;
    if (!p) {
        const gulo_slot *q = gulo_slot_of(rest);
        p = *rest;
        meta = q->value == (u64)p ? q->meta : 0;
    }
    gulo_string(p, ~0ull, meta, s);
    gulo_string(set, ~0ull, mset, s);
    char *token = strtok_r(p, set, rest);
    gulo_mark_written(rest, sizeof *rest);
    gulo_out_pointer((void **)rest, meta, s);
    result(token, meta, s);
    return token;
}

/* gulo_next_field is strsep. */
char *gulo_next_field(char **rest, const char *set, u64 mrest, u64 mset, const gulo_site *s)
{
    gulo_touch(rest, sizeof *rest, mrest, s, 0);
    const gulo_slot *q = gulo_slot_of(rest);
    u64 meta = q->value == (u64)*rest ? q->meta : 0;
    if (*rest)
        gulo_string(*rest, ~0ull, meta, s);
    gulo_string(set, ~0ull, mset, s);
    char *field = strsep(rest, set);
    gulo_out_pointer((void **)rest, meta, s);
    result(field, meta, s);
    return field;
}

/* A function that a program declares itself with a name of the library's may be the
   program's own all the same. */
typedef struct { u64 address; int found; } object;

static int in_object(struct dl_phdr_info *o, size_t size, void *wanted)
{
    object *w = wanted;
    (void)size;
    for (int i = 0; i < o->dlpi_phnum; i++)
        if (o->dlpi_phdr[i].p_type == PT_LOAD && w->address - o->dlpi_addr - o->dlpi_phdr[i].p_vaddr < o->dlpi_phdr[i].p_memsz) {
            w->found = strstr(o->dlpi_name, "/libc.so") != NULL || strstr(o->dlpi_name, "/libm.so") != NULL;
            return 1;
        }
    return 0;
}

const gulo_site *gulo_called_library(const void *wrapper, const void *f, u32 *whose)
{
    enum { LIBRARY = 1, PROGRAM };
    const gulo_site *s = gulo_pointer_call.to == wrapper ? gulo_pointer_call.at : NULL;
    gulo_pointer_call.to = NULL;
    if (!*whose) {
        object o = {(u64)f, 0};
        dl_iterate_phdr(in_object, &o);
        *whose = o.found ? LIBRARY : PROGRAM;
    }
    return *whose == LIBRARY ? s : NULL;
}

/* gulo_moving is memory whose bytes a function only moves. */
void gulo_moving(const void *p, u64 n, u64 meta, const gulo_site *s)
{
    if (n > room(p, meta))
        gulo_detect_deref((u64)p, n, meta, s, 0, GULO_MOVED);
}

/* gulo_given are bytes that leave the program. There may be some in them that were
   never written, as padding and the rest of a buffer; but not all of them. */
void gulo_given(const void *p, u64 n, u64 meta, const gulo_site *s)
{
    gulo_moving(p, n, meta, s);
    if (!gulo_tracks_written || !n || !(u32)meta || n > room(p, meta))
        return;
    for (u64 i = 0; i < n; i++)
        if (gulo_bytes_written((const char *)p + i, 1))
            return;
    gulo_detect_deref((u64)p, n, meta, s, 0, 0);
}

static u64 meta_at(const void *at)
{
    const gulo_slot *q = gulo_slot_of(at);
    return q->value == *(const u64 *)at ? q->meta : 0;
}

#define MOST_PIECES 1024 /* as Linux has it */

/* writev passes the memory of several pieces out of the program. */
void gulo_gathered(const struct iovec *v, u64 n, u64 meta, const gulo_site *s)
{
    for (u64 i = 0; i < n && i < MOST_PIECES; i++) {
        gulo_touch(&v[i], sizeof *v, meta, s, 0);
        if (v[i].iov_len)
            gulo_given(v[i].iov_base, v[i].iov_len, meta_at(&v[i].iov_base), s);
    }
}

/* sendmsg reads all of a message but its flags. */
void gulo_message(const struct msghdr *h, u64 meta, const gulo_site *s)
{
    gulo_touch(&h->msg_name, sizeof h->msg_name, meta, s, 0);
    gulo_touch(&h->msg_namelen, sizeof h->msg_namelen, meta, s, 0);
    gulo_touch(&h->msg_iov, offsetof(struct msghdr, msg_flags) - offsetof(struct msghdr, msg_iov), meta, s, 0);
    if (h->msg_name && h->msg_namelen)
        gulo_address(h->msg_name, h->msg_namelen, meta_at(&h->msg_name), s);
    gulo_gathered(h->msg_iov, h->msg_iovlen, meta_at(&h->msg_iov), s);
}

/* Functions of which nothing is known, by name and first place; GULO_UNKNOWN names
   a file to list them in, or is 1 for standard error. */
#define MOST_UNKNOWN 1000
static const gulo_site *unknown_list[MOST_UNKNOWN];
static int unknown_count, list_unknown;

__attribute__((constructor(102))) static void begin_list(void) { list_unknown = getenv("GULO_UNKNOWN") != NULL; }

__attribute__((destructor)) static void end_list(void)
{
    if (!list_unknown)
        return;
    const char *path = getenv("GULO_UNKNOWN");
    FILE *f = path && strcmp(path, "1") != 0 ? fopen(path, "a") : stderr;
    for (int i = 0; f && i < unknown_count; i++)
        fprintf(f, "%s:%u: nothing is known of %s; what it was given is taken to be written\n", unknown_list[i]->in->file, unknown_list[i]->line, unknown_list[i]->what);
    if (f && f != stderr)
        fclose(f);
}

static void note_unknown(const gulo_site *s)
{
    for (int i = 0; i < unknown_count; i++)
        if (strcmp(unknown_list[i]->what, s->what) == 0)
            return;
    if (unknown_count < MOST_UNKNOWN)
        unknown_list[unknown_count++] = s;
}

/* reach marks what is in a block as written, and in those that it points to. What is
   known of a pointer there is dropped if the pointer was never written, or points to
   an ended block: the function may put another there that looks the same. */
#define MOST_REACHED 256
static void reach(const void *p, u64 meta, int depth, u32 *seen, int *count)
{
    const gulo_block *b = &GULO_BLOCKS[(u32)meta];
    for (int i = 0; i < *count; i++)
        if (seen[i] == (u32)meta)
            return;
    if (!(u32)meta || *count == MOST_REACHED || (u64)p < b->base || (u64)p > b->base + (u64)b->size)
        return;
    seen[(*count)++] = (u32)meta;
    const u64 *w = (const u64 *)((b->base + 7) & ~7ull), *end = (const u64 *)(b->base + (u64)b->size);
    for (int i = 0; i < 512 && w + 1 <= end; i++, w++) {
        gulo_slot *q = gulo_slot_of(w);
        if (!q->value || !(u32)q->meta || q->value != *w)
            continue;
        if (gulo_ended((u32)q->meta) || (gulo_tracks_written && !gulo_bytes_written(w, 8)))
            q->value = 1;
        else if (depth)
            reach((const void *)q->value, q->meta, depth - 1, seen, count);
    }
    filled((const void *)b->base, meta);
}

/* A function of which nothing is known may write all that it
   can reach; as iconv does, through a pointer to a pointer. */
void gulo_unknown(const void *p, u64 meta, const gulo_site *s)
{
    u32 seen[MOST_REACHED];
    int count = 0;
    if (list_unknown)
        note_unknown(s);
    reach(p, meta, 4, seen, &count);
}

/* All of the block is written. */
static void filled(const void *p, u64 meta)
{
    const gulo_block *b = &GULO_BLOCKS[(u32)meta];
    if (!gulo_tracks_written || !(u32)meta || (u64)p < b->base || (u64)p > b->base + (u64)b->size)
        return;
    gulo_mark_written((const void *)b->base, (u64)b->size);
}

/* gulo_filled is an object of unknown size that a function fills in. */
void gulo_filled(const void *p, u64 meta, const gulo_site *s)
{
    if (!p)
        return;
    gulo_touch(p, 1, meta, s, 1);
    filled(p, meta);
}

/* gulo_until is a search for a byte, which ends where it is found. */
void gulo_until(const void *p, int c, u64 most, u64 meta, const gulo_site *s)
{
    const gulo_block *b = &GULO_BLOCKS[(u32)meta];
    u64 n = most;
    if ((u32)meta && (u64)p >= b->base && (u64)p < b->base + (u64)b->size) {
        u64 room = b->base + (u64)b->size - (u64)p;
        const void *at = memchr(p, c, most < room ? most : room);
        if (at)
            n = (u64)at - (u64)p + 1;
    }
    gulo_touch(p, n, meta, s, 0);
}
