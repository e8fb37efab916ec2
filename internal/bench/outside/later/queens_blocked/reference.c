#include <stdio.h>
#include <stdlib.h>

/* all arrangements of the columns in lexical order, each checked afterwards */

static int size, ways, order[8], keep[8], bad[64];

static int fine(void)
{
	int i, k;
	for (i = 0; i < size; i++) {
		if (bad[i * 8 + order[i]])
			return 0;
		for (k = 0; k < i; k++)
			if (abs(order[i] - order[k]) == i - k)
				return 0;
	}
	return 1;
}

static int next(void)
{
	int i = size - 2, k = size - 1, t;

	while (i >= 0 && order[i] > order[i + 1])
		i--;
	if (i < 0)
		return 0;
	while (order[k] < order[i])
		k--;
	t = order[i], order[i] = order[k], order[k] = t;
	for (i++, k = size - 1; i < k; i++, k--)
		t = order[i], order[i] = order[k], order[k] = t;
	return 1;
}

int main(int argc, char **argv)
{
	int i, k;

	size = argc > 1 ? atoi(argv[1]) : 0;
	if (size < 1 || size > 7) {
		puts("size 1 to 7");
		return 2;
	}
	for (i = 2; i < argc; i++) {
		int c = argv[i][0] - 'a' + 1, r = atoi(argv[i] + 1);
		if (c < 1 || c > size || r < 1 || r > size) {
			printf("%s is not on the board\n", argv[i]);
			return 2;
		}
		bad[(r - 1) * 8 + c - 1] = 1;
	}
	for (i = 0; i < size; i++)
		order[i] = i;
	do {
		if (!fine())
			continue;
		if (!ways++)
			for (i = 0; i < size; i++)
				keep[i] = order[i];
	} while (next());
	printf("%d ways\n", ways);
	for (i = size; ways && i-- > 0; putchar('\n')) {
		printf("%d ", i + 1);
		for (k = 0; k < size; k++)
			putchar(keep[i] == k ? 'Q' : bad[i * 8 + k] ? 'x' : '.');
	}
	return 0;
}
