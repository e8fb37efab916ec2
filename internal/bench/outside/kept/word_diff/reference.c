#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* recursion with a memory; first the table of steps is made as a string of letters, then it is printed */

char **old, **new;
int olds, news;
int memory[64][64];

int keep(int i, int j)
{
	int best, other;

	if (i >= olds || j >= news)
		return 0;
	if (memory[i][j])
		return memory[i][j] - 1;
	if (!strcmp(old[i], new[j]))
		best = keep(i + 1, j + 1) + 1;
	else {
		best = keep(i + 1, j);
		other = keep(i, j + 1);
		if (other > best)
			best = other;
	}
	memory[i][j] = best + 1;
	return best;
}

int main(int argc, char **argv)
{
	char steps[200] = "";
	int i, j, k, n = 0, counts[128] = {0};

	for (i = 1; i < argc && strcmp(argv[i], "/"); i++)
		;
	if (i >= argc) {
		puts("no slash");
		return 1;
	}
	old = argv + 1;
	olds = i - 1;
	new = argv + i + 1;
	news = argc - i - 1;
	if (olds > 32 || news > 32) {
		puts("too many words");
		return 1;
	}
	for (i = j = 0; i < olds || j < news;) {
		while (i < olds && keep(i, j) == keep(i + 1, j)) {
			steps[n++] = '-';
			i++;
		}
		while (j < news && keep(i, j) == keep(i, j + 1)) {
			steps[n++] = '+';
			j++;
		}
		if (i < olds && j < news) {
			steps[n++] = '=';
			i++;
			j++;
		}
	}
	for (i = j = k = 0; k < n; k++) {
		char *word = steps[k] == '+' ? new[j] : old[i];

		counts[(int)steps[k]]++;
		i += steps[k] != '+';
		j += steps[k] != '-';
		if (steps[k] == '=')
			printf("%s ", word);
		else {
			if (k == 0 || steps[k - 1] != steps[k])
				printf("%c[", steps[k]);
			printf("%s", word);
			printf(k + 1 < n && steps[k + 1] == steps[k] ? " " : "] ");
		}
	}
	printf("\n%d out, %d in, %d kept\n", counts['-'], counts['+'], counts['=']);
	return 0;
}
