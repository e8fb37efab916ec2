#include <stdio.h>
#include <string.h>

/* A machine with states, character by character; text that is done goes out at once. */

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define DIGITS "0123456789"
#define HEX DIGITS "abcdefABCDEF"
#define OPS "+-*/<>=!&|(),;"

static int totals[5];
static const char *label[5] = {"name", "number", "string", "operator", "bad"};

static char *emit(int what, int line, char *s, size_t n)
{
	totals[what]++;
	printf("%2d %-8s ", line, label[what]);
	fwrite(s, 1, n, stdout);
	putchar('\n');
	return s + n;
}

int main(void)
{
	char row[512];
	int line = 0, k;

	while (fgets(row, sizeof row, stdin)) {
		char *s = row;

		line++;
		s[strcspn(s, "\n")] = 0;
		while (*s && *s != '#') {
			size_t n;

			if (*s == ' ' || *s == '\t') {
				s++;
			} else if (strchr(LETTERS, *s)) {
				s = emit(0, line, s, strspn(s, LETTERS DIGITS));
			} else if (strncmp(s, "0x", 2) == 0 || strncmp(s, "0X", 2) == 0) {
				s = emit(1, line, s, 2 + strspn(s + 2, HEX));
			} else if ((n = strspn(s, DIGITS)) > 0) {
				if (s[n] == '.' && s[n + 1] && strchr(DIGITS, s[n + 1]))
					n += 1 + strspn(s + n + 1, DIGITS);
				s = emit(1, line, s, n);
			} else if (*s == '\'') {
				n = 1 + strcspn(s + 1, "'");
				if (s[n])
					s = emit(2, line, s, n + 1);
				else
					s = emit(4, line, s, n);
			} else if (!strchr(OPS, *s)) {
				s = emit(4, line, s, 1);
			} else if ((s[1] == '=' && strchr("<>=!", *s)) || (s[1] == *s && strchr("&|", *s))) {
				s = emit(3, line, s, 2);
			} else {
				s = emit(3, line, s, 1);
			}
		}
	}
	for (k = 0; k < 5; k++)
		if (totals[k])
			printf("%s: %d\n", label[k], totals[k]);
	return totals[4] != 0;
}
