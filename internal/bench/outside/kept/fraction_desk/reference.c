#include <stdio.h>
#include <string.h>

/* numerators and denominators in plain variables; cut down by trying all divisors */

static void cut(long long *p, long long *q)
{
	long long d, small;

	if (*q < 0) {
		*p *= -1;
		*q *= -1;
	}
	if (*p == 0) {
		*q = 1;
		return;
	}
	small = *p < 0 ? -*p : *p;
	if (*q < small)
		small = *q;
	for (d = 2; d <= small; d++)
		while (*p % d == 0 && *q % d == 0) {
			*p /= d;
			*q /= d;
		}
}

int main(void)
{
	char line[100], x[30], y[30], o;

	while (fgets(line, 100, stdin)) {
		long long a = 0, b = 1, c = 0, d = 1, p = 0, q = 1, minus = 0;

		if (sscanf(line, "%29s %c %29s", x, &o, y) < 3)
			break;
		sscanf(x, "%lld/%lld", &a, &b);
		sscanf(y, "%lld/%lld", &c, &d);
		cut(&a, &b);
		cut(&c, &d);
		if (o == '+') { p = a * d + c * b; q = b * d; }
		else if (o == '-') { p = a * d - c * b; q = b * d; }
		else if (o == '*') { p = a * c; q = b * d; }
		else if (o == '/') { p = a * d; q = b * c; }
		else if (o == '?') {
			puts(a * d == b * c ? "same" : a * d < b * c ? "less" : "more");
			continue;
		} else {
			printf("no such operator: %c\n", o);
			return 1;
		}
		if (q == 0) {
			puts("division by zero");
			continue;
		}
		cut(&p, &q);
		if (p < 0) {
			minus = 1;
			p = -p;
		}
		if (minus)
			printf("-");
		if (p % q == 0)
			printf("%lld\n", p / q);
		else if (p < q)
			printf("%lld/%lld\n", p, q);
		else
			printf("%lld %lld/%lld\n", p / q, p % q, q);
	}
	return 0;
}
