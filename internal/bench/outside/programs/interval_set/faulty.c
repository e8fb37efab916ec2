#include <stdio.h>
#include <stdlib.h>

/* disjoint closed intervals of integers in a sorted list */

typedef struct span {
	int lo, hi;
	struct span *next;
} span;

static span *set;

static void add(int lo, int hi)
{
	span **p = &set, *n;
	while (*p && (*p)->hi < lo)
		p = &(*p)->next;
	while (*p && (*p)->lo <= hi + 1) {
		span *gone = *p;
		if (gone->lo < lo)
			lo = gone->lo;
		hi = gone->hi;
		*p = gone->next;
		free(gone);
	}
	n = malloc(sizeof *n);
	n->lo = lo;
	n->hi = hi;
	n->next = *p;
	*p = n;
}

static int covered(int v)
{
	for (span *s = set; s && s->lo <= v; s = s->next)
		if (v <= s->hi)
			return 1;
	return 0;
}

static int measure(void)
{
	int total = 0;
	for (span *s = set; s; s = s->next)
		total += s->hi - s->lo + 1;
	return total;
}

int main(int argc, char **argv)
{
	int i, lo, hi;
	for (i = 1; i < argc; i++) {
		int n = sscanf(argv[i], "%d..%d", &lo, &hi);
		if (n == 2 && lo <= hi)
			add(lo, hi);
		else if (n == 1)
			printf("%d %s\n", lo, covered(lo) ? "in" : "out");
		else
			printf("%s?\n", argv[i]);
	}
	for (span *s = set; s; s = s->next)
		printf("[%d,%d]", s->lo, s->hi);
	printf(" %d\n", measure());
	while (set) {
		span *s = set;
		set = s->next;
		free(s);
	}
	return 0;
}
