#include <stdio.h>
#include <string.h>

/* A table of all lengths; each time the nearest town that is not done is looked for. */

enum { N = 26, FAR = 1000000 };

int main(void)
{
	static int len[N][N], exists[N];
	int best[N], via[N], done[N] = {0}, first = -1, i, k, l;
	char x[2], y[2];

	for (i = 0; i < N; i++) {
		best[i] = FAR;
		via[i] = -1;
		for (k = 0; k < N; k++)
			len[i][k] = FAR;
	}
	while (scanf("%1s %1s %d", x, y, &l) == 3) {
		i = *x - 'a';
		k = *y - 'a';
		if (i < 0 || i > 25 || k < 0 || k > 25 || l < 0) {
			puts("bad road");
			return 1;
		}
		exists[i] = exists[k] = 1;
		if (l < len[i][k])
			len[i][k] = len[k][i] = l;
		if (first < 0)
			best[first = i] = 0;
	}
	if (first < 0)
		return 0;
	printf("order:");
	for (;;) {
		int t = -1;
		for (i = 0; i < N; i++)
			if (!done[i] && best[i] < FAR && (t < 0 || best[i] < best[t]))
				t = i;
		if (t < 0)
			break;
		done[t] = 1;
		printf(" %c", t + 'a');
		for (i = 0; i < N; i++)
			if (best[t] + len[t][i] < best[i]) {
				best[i] = best[t] + len[t][i];
				via[i] = t;
			}
	}
	putchar('\n');
	for (i = 0; i < N; i++) {
		char way[N + 1];
		int n = 0;
		if (!exists[i])
			continue;
		if (best[i] == FAR) {
			printf("%c: no way\n", i + 'a');
			continue;
		}
		printf("%c %3d:", i + 'a', best[i]);
		for (k = i; k >= 0; k = via[k])
			way[n++] = k + 'a';
		while (n--)
			printf(" %c", way[n]);
		putchar('\n');
	}
	return 0;
}
