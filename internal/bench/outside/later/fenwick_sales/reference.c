#include <stdio.h>
#include <string.h>

int main(void)
{
	static int sold[1001];
	int n, x, y, i;
	char line[80];

	if (!fgets(line, 80, stdin) || sscanf(line, "%d", &n) != 1 || n < 1) {
		puts("how many days?");
		return 1;
	}
	while (fgets(line, 80, stdin)) {
		long total = 0;
		if (sscanf(line, "add %d %d", &x, &y) == 2) {
			if (x > 0 && x <= n)
				sold[x] += y;
			else
				printf("no day %d\n", x);
		} else if (sscanf(line, "sum %d %d", &x, &y) == 2) {
			if (x < 1 || y > n) {
				puts("no such days");
				continue;
			}
			for (i = x; i <= y; i++)
				total += sold[i];
			printf("%d to %d: %ld\n", x, y, total);
		} else if (sscanf(line, "reach %d", &x) == 1) {
			for (i = 1; i <= n; i++) {
				total += sold[i];
				if (total >= x)
					break;
			}
			if (i <= n)
				printf("%d on day %d\n", x, i);
			else
				printf("%d: not yet\n", x);
		} else if (strncmp(line, "top", 3) == 0) {
			x = 1;
			for (i = 2; i <= n; i++)
				if (sold[i] > sold[x])
					x = i;
			printf("top: day %d with %d\n", x, sold[x]);
		} else
			break;
	}
	for (i = x = 0; i <= n; i++)
		x += sold[i];
	printf("all: %d\n", x);
	return 0;
}
