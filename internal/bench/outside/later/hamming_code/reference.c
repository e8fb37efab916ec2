#include <stdio.h>
#include <string.h>

/* All sixteen words are made as text; a word is decoded to the nearest of them. */

static char table[16][8];

static void make(void)
{
	int v;
	for (v = 0; v < 16; v++) {
		int a = v / 8, b = v / 4 % 2, c = v / 2 % 2, d = v % 2;
		sprintf(table[v], "%d%d%d%d%d%d%d", (a + b + d) % 2, (a + c + d) % 2, a, (b + c + d) % 2, b, c, d);
	}
}

int main(int argc, char *argv[])
{
	const char *digits = "0123456789abcdef";
	int i, k, v;

	make();
	if (argc <= 2) {
		puts("e digits or d words");
		return 2;
	}
	if (*argv[1] == 'e') {
		for (i = 0; argv[2][i]; i++) {
			const char *at = strchr(digits, argv[2][i]);
			if (!at) {
				puts("?");
				return 1;
			}
			printf("%s%c", table[at - digits], argv[2][i + 1] ? ' ' : '\n');
		}
		return 0;
	}
	for (i = 2; i < argc; i++) {
		char *w = argv[i];
		if (strlen(w) != 7 || w[strspn(w, "01")]) {
			printf("%s is no word\n", w);
			return 1;
		}
		for (v = 0; v < 16; v++) {
			int wrong = 0, where = 0;
			for (k = 0; k < 7; k++)
				if (w[k] != table[v][k]) {
					wrong++;
					where = k + 1;
				}
			if (wrong == 0)
				printf("%c\n", digits[v]);
			else if (wrong == 1)
				printf("%c (bit %d was wrong)\n", digits[v], where);
		}
	}
	return 0;
}
