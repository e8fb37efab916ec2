#include <stdio.h>
#include <string.h>

/* A table. When a message finds its place it gets a number, and replies are printed in that order. */

static struct { int id, parent, placed, deep; char title[32]; } t[200];
static int n, placed, deepest;

static int index_of(int id)
{
	int i;
	for (i = 0; i < n; i++)
		if (t[i].id == id)
			return i;
	return -1;
}

static void put(int i)
{
	int k = index_of(t[i].parent);

	if (t[i].placed || (t[i].parent && (k < 0 || !t[k].placed)))
		return;
	t[i].placed = ++placed;
	t[i].deep = t[i].parent ? t[k].deep + 1 : 1;
	if (t[i].deep > deepest)
		deepest = t[i].deep;
	for (k = 0; k < n; k++)
		if (t[k].parent == t[i].id)
			put(k);
}

static void list(int parent)
{
	int last = 0, i;
	for (;;) {
		int best = -1;
		for (i = 0; i < n; i++)
			if (t[i].placed > last && t[i].parent == parent && (best < 0 || t[i].placed < t[best].placed))
				best = i;
		if (best < 0)
			return;
		for (i = 1; i < t[best].deep; i++)
			printf("  ");
		printf("%d %s\n", t[best].id, t[best].title);
		last = t[best].placed;
		list(t[best].id);
	}
}

int main(void)
{
	int id, parent;
	char title[32];

	while (scanf("%d %d %31s", &id, &parent, title) == 3) {
		if (id < 1 || index_of(id) >= 0) {
			printf("%d is no new number\n", id);
			continue;
		}
		t[n].id = id;
		t[n].parent = parent;
		strcpy(t[n].title, title);
		put(n++);
	}
	list(0);
	printf("%d messages, %d deep, %d waiting\n", placed, deepest, n - placed);
	return 0;
}
