#include <stdio.h>

/* The reduced echelon form, a column at a time from the definition; inverses by trial. */

static int a[8][9];

int main(void)
{
	int p, n, w, i, j, k, done = 0, col, s;

	if (scanf("%d%d%d", &p, &n, &w) != 3 || n < 1 || w < 1 || n > 8 || w > 8)
		return 1;
	for (i = 0; i < n; i++)
		for (j = 0; j < w + 1; j++) {
			if (scanf("%d", &a[i][j]) < 1)
				return 1;
			a[i][j] = ((a[i][j] % p) + p) % p;
		}
	for (col = 0; col < w; col++) {
		for (i = done; i < n; i++)
			if (a[i][col])
				break;
		if (i >= n)
			continue;
		for (s = 1; s * a[i][col] % p != 1; s++)
			;
		for (j = 0; j <= w; j++) {
			int x = a[i][j] * s % p;
			a[i][j] = a[done][j];
			a[done][j] = x;
		}
		for (k = 0; k < n; k++) {
			int f = k == done ? 0 : (p - a[k][col]) % p;
			for (j = 0; j <= w; j++)
				a[k][j] = (a[k][j] + f * a[done][j]) % p;
		}
		done++;
	}
	for (i = done; i < n; i++)
		if (a[i][w])
			return puts("no solution"), 0;
	printf("rank %d\n", done);
	for (i = 0; i < done; i++) {
		for (j = 0; j < w; j++)
			printf("%d ", a[i][j]);
		printf("| %d\n", a[i][w]);
	}
	return 0;
}
