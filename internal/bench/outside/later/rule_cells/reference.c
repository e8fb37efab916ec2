#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the whole row is one number; the neighbours are two shifted copies of it */

typedef unsigned long long row;

static int show(row r, int width)
{
	int n = 0, i;
	for (i = width - 1; i >= 0; i--) {
		putchar(r >> i & 1 ? '#' : '.');
		n += r >> i & 1;
	}
	printf(" %d\n", n);
	return n;
}

int main(int argc, char **argv)
{
	row r = 0, all = 0;
	int width, t, k, record = 0, loop = argc >= 5 && !strcmp(argv[4], "wrap");

	if (argc <= 3) {
		puts("usage: rule steps start [wrap]");
		return 2;
	}
	width = strlen(argv[3]);
	if (atoi(argv[1]) < 0 || atoi(argv[1]) > 255 || width > 64) {
		puts("no such rule, or too wide");
		return 2;
	}
	for (k = 0; k < width; k++) {
		r = 2 * r + (argv[3][k] == '#');
		all = 2 * all + 1;
	}
	show(r, width);
	for (t = 0; t < atoi(argv[2]); t++) {
		row left = r >> 1, right = r << 1 & all, next = 0;
		if (loop) {
			left |= (r & 1) << (width - 1);
			right |= r >> (width - 1) & 1;
		}
		for (k = 0; k < 8; k++)
			if (atoi(argv[1]) & 1 << k)
				next |= (k & 4 ? left : ~left) & (k & 2 ? r : ~r) & (k & 1 ? right : ~right);
		next &= all;
		if (next == r) {
			printf("still after %d steps\n", t);
			break;
		}
		r = next;
		k = show(r, width);
		record = k > record ? k : record;
	}
	printf("at most %d\n", record);
	return 0;
}
