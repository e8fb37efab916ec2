#include <stdio.h>
#include <stdlib.h>

/* Segment tree over 0..N-1 whose nodes are made when they are needed; adding to a range is lazy. */

typedef struct Seg {
	long sum;
	long pending;		/* still to be added to each element below */
	struct Seg *left, *right;
} Seg;

static Seg *make(void)
{
	Seg *s = malloc(sizeof(Seg));

	s->sum = 0;
	s->pending = 0;
	s->left = NULL;
	s->right = NULL;
	return s;
}

static void apply(Seg *s, int lo, int hi, long v)
{
	s->sum += v * (hi - lo + 1);
	s->pending += v;
}

static void push_down(Seg *s, int lo, int hi)
{
	int mid = (lo + hi) / 2;

	if (!s->left)
		s->left = make();
	if (!s->right)
		s->right = make();
	if (s->pending == 0)
		return;
	apply(s->left, lo, mid, s->pending);
	apply(s->right, mid + 1, hi, s->pending);
	s->pending = 0;
}

static void add(Seg *s, int lo, int hi, int from, int to, long v)
{
	int mid = (lo + hi) / 2;

	if (to < lo || hi < from)
		return;
	if (from <= lo && hi <= to) {
		apply(s, lo, hi, v);
		return;
	}
	push_down(s, lo, hi);
	add(s->left, lo, mid, from, to, v);
	add(s->right, mid + 1, hi, from, to, v);
	s->sum = s->left->sum + s->right->sum;
}

static long query(Seg *s, int lo, int hi, int from, int to)
{
	int mid = (lo + hi) / 2;

	if (to < lo || hi < from)
		return 0;
	if (from <= lo && hi <= to)
		return s->sum;
	push_down(s, lo, hi);
	return query(s->left, lo, mid, from, to) + query(s->right, mid + 1, hi, from, to);
}

static void destroy(Seg *s)
{
	if (!s)
		return;
	destroy(s->left);
	destroy(s->right);
	free(s);
}

/* N, then lines: a FROM TO V, q FROM TO */
int main(void)
{
	Seg *root = make();
	int n, from, to;
	long v;
	char cmd;

	if (scanf("%d", &n) != 1 || n < 1)
		return 1;
	while (scanf(" %c %d %d", &cmd, &from, &to) == 3) {
		if (from < 0 || to >= n || from > to) {
			printf("bad range\n");
			if (cmd == 'a' && scanf("%ld", &v) != 1)
				break;
			continue;
		}
		if (cmd == 'a') {
			if (scanf("%ld", &v) != 1)
				break;
			add(root, 0, n - 1, from, to, v);
		} else {
			printf("%ld\n", query(root, 0, n - 1, from, to));
		}
	}
	destroy(root);
	return 0;
}
