#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char names[10][16];
static long sums[11];
static int times[10], used;

static const char *amount(long c)
{
	static char b[40];

	sprintf(b, "%s%ld.%ld%ld", c < 0 ? "-" : "", labs(c) / 100, labs(c) / 10 % 10, labs(c) % 10);
	return b;
}

int main(void)
{
	char n[16], a[16], rest;
	int line, k;

	for (line = 1; scanf("%15s%15s", n, a) == 2; line++) {
		char *s = a + (*a == '-');
		char *dot = strchr(s, '.');
		long v;

		if (dot)
			*dot = ' ';
		if (strspn(s, "0123456789 ") != strlen(s) || *s == ' ' || !*s || (dot && (strlen(dot) < 2 || strlen(dot) > 3))) {
			if (dot)
				*dot = '.';
			printf("line %d: bad amount %s\n", line, a);
			continue;
		}
		v = 100 * atol(s);
		if (dot)
			v += atol(dot + 1) * (strlen(dot) == 2 ? 10 : 1);
		if (*a == '-')
			v = -v;
		for (k = 0; k < used && strcmp(names[k], n); k++)
			;
		if (k == used) {
			if (used == 10) {
				printf("line %d: too many accounts\n", line);
				continue;
			}
			strcpy(names[used++], n);
		}
		sums[k] += v;
		sums[10] += v;
		times[k]++;
	}
	(void)rest;
	for (k = 0; k < used; k++)
		printf("%-8s %d %s\n", names[k], times[k], amount(sums[k]));
	printf("total %s\n", amount(sums[10]));
	return 0;
}
