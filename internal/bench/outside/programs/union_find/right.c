#include <stdio.h>
#include <stdlib.h>

#define MAXN 20

static int parent[MAXN], members[MAXN];
static int groups;

static void reset(int n)
{
	int i;
	for (i = 0; i < n; i++) {
		parent[i] = i;
		members[i] = 1;
	}
	groups = n;
}

static int root(int x)
{
	while (parent[x] != x) {
		parent[x] = parent[parent[x]];
		x = parent[x];
	}
	return x;
}

static void join(int a, int b)
{
	a = root(a);
	b = root(b);
	if (a == b)
		return;
	if (members[a] < members[b]) {
		int t = a;
		a = b;
		b = t;
	}
	parent[b] = a;
	members[a] += members[b];
	groups--;
}

static int smallest(int n)
{
	int best = n + 1;
	for (int i = 0; i < n; i++)
		if (parent[i] == i && members[i] < best)
			best = members[i];
	return best;
}

int main(void)
{
	int n, a, b;
	char op;

	if (scanf("%d", &n) != 1 || n < 1 || n > MAXN) {
		printf("1 to %d elements\n", MAXN);
		return 1;
	}
	reset(n);
	while (scanf(" %c %d %d", &op, &a, &b) == 3) {
		if (a < 0 || a >= n || b < 0 || b >= n)
			continue;
		if (op == '=')
			join(a, b);
		else
			printf("%d %d %s\n", a, b, root(a) == root(b) ? "together" : "apart");
	}
	printf("%d groups, the smallest of %d, that of 0 of %d\n", groups, smallest(n), members[root(0)]);
	return 0;
}
