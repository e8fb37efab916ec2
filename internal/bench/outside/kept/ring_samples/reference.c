#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All samples stay in one array; the window is what lies between lo and hi. */

static void report(const int *v, int lo, int hi)
{
	long total = 0;
	int top = v[lo], k;

	for (k = lo; k < hi; k++) {
		total += v[k];
		top = v[k] > top ? v[k] : top;
	}
	printf("%d in the window, mean %.2f, largest %d\n", hi - lo, total / (double)(hi - lo), top);
}

int main(int argc, char *argv[])
{
	static int v[1000];
	int lo = 0, hi = 0, width = argc > 1 ? atoi(argv[1]) : 0;

	if (width <= 0) {
		puts("usage: N samples");
		exit(2);
	}
	for (argv += 2; *argv; argv++) {
		if (!strcmp(*argv, "x") && lo == hi)
			puts("nothing to drop");
		else if (!strcmp(*argv, "x"))
			lo++;
		else
			v[hi++] = atoi(*argv);
		while (hi - lo > width)
			lo++;
		if (lo < hi)
			report(v, lo, hi);
	}
	fputs("window:", stdout);
	while (lo < hi)
		printf(" %d", v[lo++]);
	putchar('\n');
	return 0;
}
