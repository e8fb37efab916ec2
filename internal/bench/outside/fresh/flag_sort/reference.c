#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
	char name[20];
	int points;
};

static int order(const void *x, const void *y)
{
	const struct item *a = x, *b = y;

	if (a->points == b->points)
		return strcmp(a->name, b->name);
	return a->points < b->points ? 1 : -1;
}

int main(int argc, char **argv)
{
	struct item t[60];
	int n = 0, place = 0, u = 0, k;

	for (k = 1; k < argc; k++) {
		size_t len = strcspn(argv[k], "=");

		if (!strcmp(argv[k], "-u")) {
			u = 1;
		} else if (!argv[k][len]) {
			printf("%s: no score\n", argv[k]);
		} else {
			sprintf(t[n].name, "%.*s", (int)len, argv[k]);
			t[n++].points = atoi(argv[k] + len + 1);
		}
	}
	qsort(t, n, sizeof t[0], order);
	for (k = 0; k < n; k++)
		if (!u || !k || order(&t[k - 1], &t[k]))
			printf("%2d. %-6s %4d\n", ++place, t[k].name, t[k].points);
	return 0;
}
