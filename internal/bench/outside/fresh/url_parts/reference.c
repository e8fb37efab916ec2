#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void text(const char *s, const char *end)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";

	for (; s < end; s++) {
		const char *h, *l;

		if (*s == '+') {
			putchar(' ');
		} else if (*s == '%' && end - s > 2 && (h = strchr(digits, s[1])) && (l = strchr(digits, s[2]))) {
			putchar((int)((h - digits) % 16 * 16 + (l - digits) % 16));
			s += 2;
		} else {
			putchar(*s);
		}
	}
}

int main(int argc, char **argv)
{
	for (int k = 1; k < argc; k++) {
		char *s = argv[k], *sep = strstr(s, "://"), *q, *slash, *colon;

		if (!sep || sep == s || strchr(":/?", sep[3])) {
			printf("%s: no address\n", s);
			continue;
		}
		char *host = sep + 3;
		q = strchr(host, '?');
		if (q)
			*q++ = 0;
		slash = strchr(host, '/');
		*sep = 0;
		colon = memchr(host, ':', slash ? (size_t)(slash - host) : strlen(host));
		int len = (int)((colon ? colon : slash ? slash : host + strlen(host)) - host);
		printf("%s %.*s %d %s\n", s, len, host, colon ? atoi(colon + 1) : strcmp(s, "https") ? 80 : 443,
		       slash ? slash : "/");
		for (; q && *q; ) {
			size_t n = strcspn(q, "&"), e = strcspn(q, "=&");
			if (n) {
				printf("  ");
				text(q, q + e);
				putchar('=');
				if (e < n)
					text(q + e + 1, q + n);
				putchar('\n');
			}
			q += n + (q[n] == '&');
		}
	}
	return 0;
}
