#include <stdio.h>
#include <string.h>

/* Every cell knows who has it and whether a block begins there. */

static char who[33];
static char begin[33];

static int run_from(int i)
{
	int n = 1;
	while (i + n < 32 && !begin[i + n])
		n++;
	return n;
}

static void picture(void)
{
	int i, n = 0;
	for (i = 0; i < 32; i += run_from(i)) {
		printf("%s%d-%d", n++ ? " " : "[", i, i + run_from(i) - 1);
		if (who[i] != '.')
			printf(":%c", who[i]);
	}
	printf("] %d blocks\n", n);
}

int main(void)
{
	char line[64], c;
	int n, i;

	memset(who, '.', 32);
	begin[0] = 1;
	while (fgets(line, 64, stdin)) {
		if (sscanf(line, "get %c %d", &c, &n) == 2) {
			for (i = 0; i < 32; i += run_from(i))
				if (who[i] == '.' && run_from(i) >= n && n > 0)
					break;
			if (i >= 32) {
				printf("%c: no room for %d\n", c, n);
				continue;
			}
			begin[i + n] = 1;
			memset(who + i, c, n);
			printf("%c at %d\n", c, i);
		} else if (sscanf(line, "give %c", &c) == 1) {
			for (i = 0; i < 32; i++)
				if (who[i] == c && begin[i])
					break;
			if (i == 32) {
				printf("%c has nothing\n", c);
				continue;
			}
			n = run_from(i);
			memset(who + i, '.', n);
			if (i > 0 && who[i - 1] == '.')
				begin[i] = 0;
			if (i + n < 32 && who[i + n] == '.')
				begin[i + n] = 0;
		} else if (!strncmp(line, "map", 3)) {
			picture();
		} else {
			break;
		}
	}
	picture();
	return 0;
}
