#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A small printf: %[-0+][width][d x s %]; arguments come from the command line. */

static char out[400];
static int len;

static void put(char c)
{
	if (len < (int)sizeof out - 1)
		out[len++] = c;
}

static void pad(int n, char c)
{
	while (n-- > 0)
		put(c);
}

static void put_text(const char *s, int width, int left)
{
	int n = (int)strlen(s);

	if (!left)
		pad(width - n, ' ');
	while (*s)
		put(*s++);
	if (left)
		pad(width - n, ' ');
}

static void put_number(long v, int base, int width, int left, int zero, int plus)
{
	char digits[24];
	int n = 0, signs;
	char sign = v < 0 ? '-' : plus ? '+' : 0;
	unsigned long u = v < 0 ? 0ul - (unsigned long)v : (unsigned long)v;

	do {
		digits[n++] = "0123456789abcdef"[u % base];
		u /= base;
	} while (u > 0);
	signs = sign != 0;
	if (left)
		zero = 0;
	if (!left && !zero)
		pad(width - n - signs, ' ');
	if (sign)
		put(sign);
	if (zero)
		pad(width - n - signs, '0');
	for (int i = n - 1; i >= 0; i--)
		put(digits[i]);
	if (left)
		pad(width - n - signs, ' ');
}

static void format(const char *f, char **args, int nargs)
{
	int used = 0;

	while (*f) {
		int left = 0, zero = 0, plus = 0, width = 0;
		const char *arg;

		if (*f != '%') {
			put(*f++);
			continue;
		}
		f++;
		for (; *f && strchr("-0+", *f); f++) {
			if (*f == '-')
				left = 1;
			else if (*f == '0')
				zero = 1;
			else
				plus = 1;
		}
		while (isdigit((unsigned char)*f))
			width = 10 * width + (*f++ - '0');
		if (*f == '\0')
			break;
		if (*f == '%') {
			put(*f++);
			continue;
		}
		arg = used < nargs ? args[used++] : "0";
		switch (*f++) {
		case 'd':
			put_number(atol(arg), 10, width, left, zero, plus);
			break;
		case 'x':
			put_number(atol(arg), 16, width, left, zero, 0);
			break;
		case 's':
			put_text(arg, width, left);
			break;
		default:
			put('?');
		}
	}
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	format(argv[1], argv + 2, argc - 2);
	out[len] = '\0';
	printf("[%s]\n", out);
	return 0;
}
