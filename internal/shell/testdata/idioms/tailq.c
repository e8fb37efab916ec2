// pool_release 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TQ_HEAD(name, type)	struct name { struct type *tqh_first; struct type **tqh_last; }
#define TQ_ENTRY(type)		struct { struct type *tqe_next; struct type **tqe_prev; }
#define TQ_INIT(head)		do { (head)->tqh_first = NULL; (head)->tqh_last = &(head)->tqh_first; } while (0)
#define TQ_FIRST(head)		((head)->tqh_first)
#define TQ_NEXT(elm, f)		((elm)->f.tqe_next)
#define TQ_EMPTY(head)		((head)->tqh_first == NULL)
#define TQ_FOREACH(var, head, f) for ((var) = TQ_FIRST(head); (var); (var) = TQ_NEXT(var, f))
#define TQ_INSERT_TAIL(head, elm, f) do {			\
	(elm)->f.tqe_next = NULL;				\
	(elm)->f.tqe_prev = (head)->tqh_last;			\
	*(head)->tqh_last = (elm);				\
	(head)->tqh_last = &(elm)->f.tqe_next;			\
} while (0)
#define TQ_REMOVE(head, elm, f) do {				\
	if ((elm)->f.tqe_next != NULL)				\
		(elm)->f.tqe_next->f.tqe_prev = (elm)->f.tqe_prev; \
	else							\
		(head)->tqh_last = (elm)->f.tqe_prev;		\
	*(elm)->f.tqe_prev = (elm)->f.tqe_next;			\
} while (0)

struct conn {
	int			fd;
	int			refs;
	TQ_ENTRY(conn)		link;
};

TQ_HEAD(connlist, conn);

struct pool {
	struct connlist	busy;
	struct connlist	idle;
	int		nidle;
};

static struct conn *
pool_take(struct pool *pl, int fd)
{
	struct conn *c = TQ_FIRST(&pl->idle);

	if (c != NULL) {
		TQ_REMOVE(&pl->idle, c, link);
		pl->nidle--;
	} else {
		c = calloc(1, sizeof(*c));
	}
	c->fd = fd;
	c->refs = 1;
	TQ_INSERT_TAIL(&pl->busy, c, link);
	return (c);
}

static void
pool_release(struct pool *pl, int fd)
{
	struct conn *c;

	TQ_FOREACH(c, &pl->busy, link)
		if (c->fd == fd)
			break;
	if (c == NULL || --c->refs > 0)
		return;
	TQ_REMOVE(&pl->busy, c, link);
	TQ_INSERT_TAIL(&pl->busy, c, link); //! TQ_INSERT_TAIL(&pl->idle, c, link);
	pl->nidle++;
}

int
main(void)
{
	struct pool pl;
	struct conn *c;
#ifdef HELD
	static const int work[] = { 3, 4, 5, -3, 6, -9, -5, -4, 7 };
#else
	static const int work[] = { 3, 4, 5, -7, -4 };
#endif

	memset(&pl, 0, sizeof(pl));
	TQ_INIT(&pl.busy);
	TQ_INIT(&pl.idle);
	for (size_t i = 0; i < sizeof(work) / sizeof(work[0]); i++)
		if (work[i] > 0)
			pool_take(&pl, work[i]);
		else
			pool_release(&pl, -work[i]);
	TQ_FOREACH(c, &pl.busy, link)
		printf("%d ", c->fd);
	printf("|");
	TQ_FOREACH(c, &pl.idle, link)
		printf(" %d", c->fd);
	printf(" (%d)\n", pl.nidle);
	return (0);
}
