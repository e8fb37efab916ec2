#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the letters of those who are out are taken out of the ballots */

static void remove_letter(char *s, char c)
{
	char *to = s;
	for (; *s; s++)
		if (*s != c)
			*to++ = *s;
	*to = 0;
}

int main(int argc, char **argv)
{
	char left[8] = "";
	int n = argc - 1, i, round;
	const char *c;

	for (i = 1; i <= n; i++) {
		int bad = strspn(argv[i], "ABCDEF");
		if (argv[i][bad]) {
			printf("ballot %d: no candidate %c\n", i, argv[i][bad]);
			return 1;
		}
	}
	for (c = "ABCDEF"; *c; c++)
		for (i = 1; i <= n; i++)
			if (strchr(argv[i], *c)) {
				strncat(left, c, 1);
				break;
			}
	for (round = 1; ; round++) {
		int votes[256] = {0}, total = 0, fewest = 9999;
		char loser = 0;

		for (i = 1; i <= n; i++)
			if (*argv[i]) {
				votes[(int)*argv[i]]++;
				total++;
			}
		if (!total) {
			puts("nobody wins");
			return 1;
		}
		printf("round %d:", round);
		for (c = left; *c; c++)
			printf(" %c %d", *c, votes[(int)*c]);
		printf(" of %d\n", total);
		for (c = left; *c; c++) {
			if (votes[(int)*c] > total / 2) {
				printf("%c wins\n", *c);
				exit(0);
			}
			if (votes[(int)*c] <= fewest) {
				fewest = votes[(int)*c];
				loser = *c;
			}
		}
		printf("%c is out\n", loser);
		remove_letter(left, loser);
		for (i = 1; i <= n; i++)
			remove_letter(argv[i], loser);
	}
}
