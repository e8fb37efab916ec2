#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The C library does the work, one directive at a time. */

static void number(char *to, long v, int hex, int plus)
{
	sprintf(to, hex ? "%s%lx" : "%s%ld", v < 0 ? "-" : plus ? "+" : "", labs(v));
}

int main(int argc, char **argv)
{
	char *f, b[100];
	int next = 2;

	if (argc < 2)
		return 2;
	putchar('[');
	for (f = argv[1]; *f; f++) {
		if (*f != '%') {
			putchar(*f);
			continue;
		}
		size_t flags = strspn(f + 1, "-0+");
		char *w = f + 1 + flags;
		long width = 0;
		int minus = !!memchr(f + 1, '-', flags), nul = !!memchr(f + 1, '0', flags), plus = !!memchr(f + 1, '+', flags);

		while (*w >= '0' && *w <= '9')
			width = width * 10 + *w++ - '0';
		f = w;
		if (!*f)
			break;
		if (*f == '%') {
			putchar('%');
			continue;
		}
		const char *a = next < argc ? argv[next++] : "0";
		if (*f == 's') {
			printf(minus ? "%-*s" : "%*s", (int)width, a);
		} else if (*f == 'd' || *f == 'x') {
			number(b, atol(a), *f == 'x', plus && *f == 'd');
			int sign = *b == '-' || *b == '+';
			if (minus)
				printf("%-*s", (int)width, b);
			else if (nul) {
				printf("%.*s", sign, b);
				for (long k = strlen(b); k < width; k++)
					putchar('0');
				printf("%s", b + sign);
			} else
				printf("%*s", (int)width, b);
		} else {
			putchar('?');
		}
	}
	printf("]\n");
	return 0;
}
