#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>

struct list_head {
	struct list_head *next, *prev;
};

#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))

struct task {
	char name[12];
	int prio;
	struct list_head link;
};

static void list_init(struct list_head *h)
{
	h->next = h;
	h->prev = h;
}

static int list_empty(const struct list_head *h)
{
	return h->next == h;
}

/* puts n in front of pos */
static void list_insert(struct list_head *n, struct list_head *pos)
{
	n->next = pos;
	n->prev = pos->prev;
	pos->prev = n;
	pos->prev->next = n;
}

static void list_del(struct list_head *n)
{
	n->prev->next = n->next;
	n->next->prev = n->prev;
}

static void submit(struct list_head *queue, const char *name, int prio)
{
	struct task *t = malloc(sizeof *t);
	struct list_head *p;
	strncpy(t->name, name, sizeof t->name - 1);
	t->name[sizeof t->name - 1] = '\0';
	t->prio = prio;
	for (p = queue->next; p != queue; p = p->next)
		if (container_of(p, struct task, link)->prio < prio)
			break;
	list_insert(&t->link, p);
}

static void run_one(struct list_head *queue)
{
	if (list_empty(queue)) {
		printf("idle\n");
		return;
	}
	struct task *t = container_of(queue->next, struct task, link);
	printf("run %s (%d)\n", t->name, t->prio);
	list_del(&t->link);
	free(t);
}

static void print_backwards(struct list_head *queue)
{
	struct list_head *p;
	printf("waiting:");
	for (p = queue->prev; p != queue; p = p->prev)
		printf(" %s", container_of(p, struct task, link)->name);
	printf("\n");
}

int main(void)
{
	struct list_head queue;
	char name[12];
	int prio;

	list_init(&queue);
	while (scanf("%11s", name) == 1) {
		if (strcmp(name, "run") == 0)
			run_one(&queue);
		else if (scanf("%d", &prio) == 1)
			submit(&queue, name, prio);
	}
	print_backwards(&queue);
	while (!list_empty(&queue))
		run_one(&queue);
	return 0;
}
