#include <stdio.h>
#include <string.h>

/* Both ways as a stream of bits: bits go into a reservoir and come out six or eight at a time. */

static unsigned long pool;
static int filled;

static void fill(unsigned v, int width)
{
	pool = (pool << width) | v;
	filled += width;
}

static unsigned draw(int width)
{
	filled -= width;
	return (pool >> filled) & ((1u << width) - 1);
}

static int letter(int v)
{
	if (v < 26) return 'A' + v;
	if (v < 52) return 'a' + v - 26;
	if (v < 62) return '0' + v - 52;
	return v == 62 ? '+' : '/';
}

static int number(int c)
{
	int v;

	for (v = 0; v < 64; v++)
		if (letter(v) == c)
			return v;
	return -1;
}

static int fine(const char *s)
{
	size_t n = strlen(s), i, end = n;

	if (n % 4)
		return 0;
	if (end && s[end - 1] == '=') end--;
	if (end && end < n && s[end - 1] == '=') end--;
	for (i = 0; i < end; i++)
		if (number(s[i]) < 0)
			return 0;
	return 1;
}

int main(int argc, char **argv)
{
	int bad = 0;

	while (--argc > 0) {
		char *s = *++argv;
		int signs = 0;

		pool = 0;
		filled = 0;
		if (*s++ == '+') {
			for (; *s; s++) {
				fill((unsigned char)*s, 8);
				while (filled >= 6) {
					putchar(letter(draw(6)));
					signs++;
				}
			}
			if (filled) {
				fill(0, 6 - filled);
				putchar(letter(draw(6)));
				signs++;
			}
			for (; signs % 4; signs++)
				putchar('=');
			putchar('\n');
		} else if (!fine(s)) {
			printf("no base64: %s\n", s);
			bad = 1;
		} else {
			for (; *s && *s != '='; s++) {
				fill(number(*s), 6);
				if (filled >= 8) {
					int c = draw(8);
					if (c < ' ' || c > '~')
						printf("\\%02x", c);
					else
						putchar(c);
				}
			}
			putchar('\n');
		}
	}
	return bad;
}
