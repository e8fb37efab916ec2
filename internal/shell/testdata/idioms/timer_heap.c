// timer_heap_erase 1
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct ev_timer_s ev_timer_t;
struct ev_timer_s {
	uint64_t	when;
	int		id;
	size_t		heap_idx;
};

typedef struct {
	ev_timer_t	**p;
	size_t		 n, a;
} timer_heap_t;

static inline int
timer_later(const ev_timer_t *x, const ev_timer_t *y)
{
	return (x->when > y->when);
}

static void
timer_heap_shift_up(timer_heap_t *s, size_t hole, ev_timer_t *e)
{
	size_t parent = (hole - 1) / 2;

	while (hole && timer_later(s->p[parent], e)) {
		(s->p[hole] = s->p[parent])->heap_idx = hole;
		hole = parent;
		parent = (hole - 1) / 2;
	}
	(s->p[hole] = e)->heap_idx = hole;
}

static void
timer_heap_shift_down(timer_heap_t *s, size_t hole, ev_timer_t *e)
{
	size_t min_child = 2 * (hole + 1);

	while (min_child <= s->n) {
		min_child -= min_child == s->n || timer_later(s->p[min_child], s->p[min_child - 1]);
		if (!timer_later(e, s->p[min_child]))
			break;
		(s->p[hole] = s->p[min_child])->heap_idx = hole;
		hole = min_child;
		min_child = 2 * (hole + 1);
	}
	(s->p[hole] = e)->heap_idx = hole;
}

static void
timer_heap_push(timer_heap_t *s, ev_timer_t *e)
{
	if (s->n == s->a) {
		s->a = s->a ? s->a * 2 : 4;
		s->p = realloc(s->p, s->a * sizeof(*s->p));
		if (s->p == NULL)
			abort();
	}
	timer_heap_shift_up(s, s->n++, e);
}

static int
timer_heap_erase(timer_heap_t *s, ev_timer_t *e)
{
	ev_timer_t *last;
	size_t parent;

	if (e->heap_idx == SIZE_MAX)
		return (-1);
	last = s->p[s->n - 1]; //! last = s->p[--s->n];
	parent = (e->heap_idx - 1) / 2;
	if (e->heap_idx > 0 && timer_later(s->p[parent], last))
		timer_heap_shift_up(s, e->heap_idx, last);
	else
		timer_heap_shift_down(s, e->heap_idx, last);
	e->heap_idx = SIZE_MAX;
	return (0);
}

int
main(void)
{
#ifdef HELD
	static const int when[] = { 90, 20, 70, 30, 10, 60, 50 };
	static const int drop[] = { 1, 6, 0, 4 };
#else
	static const int when[] = { 40, 10, 30, 20, 50 };
	static const int drop[] = { 1 };
#endif
	timer_heap_t heap = { 0 };
	ev_timer_t t[8];
	size_t i;

	for (i = 0; i < sizeof(when) / sizeof(when[0]); i++) {
		t[i].when = when[i];
		t[i].id = i;
		timer_heap_push(&heap, &t[i]);
	}
	for (i = 0; i < sizeof(drop) / sizeof(drop[0]); i++)
		timer_heap_erase(&heap, &t[drop[i]]);
	for (i = 0; heap.n > 0 && i < 9; i++) {
		ev_timer_t *e = heap.p[0];
		printf("%d:%d ", e->id, (int)e->when);
		timer_heap_erase(&heap, e);
	}
	printf("\n");
	free(heap.p);
	return (0);
}
