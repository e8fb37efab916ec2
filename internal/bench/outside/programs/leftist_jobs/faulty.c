#include <stdio.h>
#include <stdlib.h>

/* mergeable priority queues: leftist heaps */

typedef struct lh {
	int prio, dist;
	struct lh *left, *right;
} lh;

#define HEAPS 3
static lh *heap[HEAPS];

static int dist(const lh *h)
{
	return h ? h->dist : 0;
}

static lh *merge(lh *a, lh *b)
{
	lh *t;
	if (!a)
		return b;
	if (!b)
		return a;
	if (b->prio < a->prio) {
		t = a;
		a = b;
		b = t;
	}
	a->right = merge(a->right, b);
	if (dist(a->left) < dist(a->right)) {
		a->left = a->right;
		a->right = a->left;
	}
	a->dist = dist(a->right) + 1;
	return a;
}

static void add(int i, int prio)
{
	lh *n = malloc(sizeof *n);
	n->prio = prio;
	n->dist = 1;
	n->left = n->right = NULL;
	heap[i] = merge(heap[i], n);
}

static int take(int i)
{
	lh *h = heap[i];
	int prio = h->prio;
	heap[i] = merge(h->left, h->right);
	free(h);
	return prio;
}

int main(int argc, char **argv)
{
	int i, a, b;
	for (i = 1; i < argc; i++) {
		if (sscanf(argv[i], "%d:%d", &a, &b) == 2 && a >= 0 && a < HEAPS)
			add(a, b);
		else if (sscanf(argv[i], "%d<%d", &a, &b) == 2 && a >= 0 && a < HEAPS && b >= 0 && b < HEAPS && a != b) {
			heap[a] = merge(heap[a], heap[b]);
			heap[b] = NULL;
		} else if (sscanf(argv[i], "-%d", &a) == 1 && a >= 0 && a < HEAPS && heap[a])
			printf("%d: %d\n", a, take(a));
	}
	for (i = 0; i < HEAPS; i++) {
		printf("heap %d, distance %d:", i, dist(heap[i]));
		while (heap[i])
			printf(" %d", take(i));
		printf("\n");
	}
	return 0;
}
