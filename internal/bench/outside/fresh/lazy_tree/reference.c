#include <stdio.h>

static long cell[1000];

int main(void)
{
	int n, i, a, b;
	char line[100], c;
	long v;

	if (!fgets(line, sizeof line, stdin) || sscanf(line, "%d", &n) != 1 || n < 1)
		return 1;
	while (fgets(line, sizeof line, stdin)) {
		int got = sscanf(line, " %c%d%d%ld", &c, &a, &b, &v);
		if (got < 3)
			break;
		if (a < 0 || a > b || b > n - 1) {
			puts("bad range");
		} else if (c == 'a') {
			for (i = a; i <= b; i++)
				cell[i] += v;
		} else {
			for (v = 0, i = a; i <= b; i++)
				v += cell[i];
			printf("%ld\n", v);
		}
	}
	return 0;
}
