#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	const char *set[50];
	int n = 0, i, j;

	for (i = 1; i < argc; i++) {
		const char *w = argv[i];
		int ask = w[0] == '?';

		if (ask)
			w++;
		for (j = 0; j < n; j++)
			if (strcmp(set[j], w) == 0)
				break;
		if (ask && j < n)
			printf("%s yes\n", w);
		if (ask && j == n)
			printf("%s no\n", w);
		if (!ask && j == n)
			set[n++] = w;
	}
	printf("%d keys\n", n);
	return 0;
}
