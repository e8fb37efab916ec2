/* A heap that shows errors of memory.

   Blocks are filled with a pattern before they are given out and when
   they are freed, and are never given out again; behind each is a mark. A run ends with 86 when a
   block is freed twice, when a mark or a freed block has changed, and when more blocks are left
   at the end than are allowed. Blocks that the library allocates itself are not watched. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__real_malloc(size_t);
extern void *__real_realloc(void *, size_t);
extern void __real_free(void *);
extern long gulo_allowed; /* blocks that may be left; less than zero: any */

#define ROOM 16
#define MARK 0xC7
#define FRESH 0xA5
#define GONE 0xDD
#define MAGIC 0x6b1d9a3fc25e8d47u
#define MOST ((size_t)1 << 28)

struct head {
	uint64_t magic;
	size_t size;
	struct head *next;
	uint64_t freed;
};

static struct head *all;
static long live;

static void stop(void) { _exit(86); }

static int filled(const unsigned char *p, size_t n, int c) {
	for (size_t i = 0; i < n; i++)
		if (p[i] != c) return 0;
	return 1;
}

static struct head *own(void *p) {
	struct head *h = (struct head *)p - 1;
	return ((uintptr_t)p & 15) == 0 && h->magic == (MAGIC ^ (uintptr_t)h) ? h : NULL;
}

void *__wrap_malloc(size_t n) {
	if (n > MOST) return NULL;
	struct head *h = __real_malloc(sizeof *h + n + ROOM);
	if (!h) return NULL;
	h->magic = MAGIC ^ (uintptr_t)h;
	h->size = n;
	h->freed = 0;
	h->next = all;
	all = h;
	live++;
	memset(h + 1, FRESH, n);
	memset((char *)(h + 1) + n, MARK, ROOM);
	return h + 1;
}

void *__wrap_calloc(size_t k, size_t n) {
	if (n && k > MOST / n) return NULL;
	void *p = __wrap_malloc(k * n);
	if (p) memset(p, 0, k * n);
	return p;
}

void __wrap_free(void *p) {
	if (!p) return;
	struct head *h = own(p);
	if (!h) {
		if ((uintptr_t)p & 15) stop();
		__real_free(p);
		return;
	}
	if (h->freed) stop();
	memset(p, GONE, h->size);
	h->freed = 1;
	live--;
}

void *__wrap_realloc(void *p, size_t n) {
	if (!p) return __wrap_malloc(n);
	struct head *h = own(p);
	if (!h) return __real_realloc(p, n);
	if (h->freed) stop();
	void *q = __wrap_malloc(n);
	if (!q) return NULL;
	memcpy(q, p, h->size < n ? h->size : n);
	__wrap_free(p);
	return q;
}

char *__wrap_strndup(const char *s, size_t n) {
	n = strnlen(s, n);
	char *p = __wrap_malloc(n + 1);
	if (!p) return NULL;
	memcpy(p, s, n);
	p[n] = 0;
	return p;
}

char *__wrap_strdup(const char *s) { return __wrap_strndup(s, strlen(s)); }

/* gulo_end is the status of a run that exits with status: 86 instead where there were errors. */
int gulo_end(int status) {
	for (struct head *h = all; h; h = h->next) {
		const unsigned char *p = (unsigned char *)(h + 1);
		if (!filled(p + h->size, ROOM, MARK) || h->freed && !filled(p, h->size, GONE)) return 86;
	}
	if (gulo_allowed >= 0 && live > gulo_allowed) return 86;
	return status;
}
