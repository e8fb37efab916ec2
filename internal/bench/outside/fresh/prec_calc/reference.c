#include <stdio.h>
#include <stdlib.h>

/* recursive descent */

static const char *p;
static int bad;

static long sum(void);

static long power(void);

static long atom(void)
{
	long v;

	if (*p == '(') {
		p++;
		v = sum();
		if (*p++ != ')')
			bad = 1;
		return v;
	}
	if (*p < '0' || *p > '9') {
		bad = 1;
		return 0;
	}
	v = strtol(p, (char **)&p, 10);
	printf("%ld ", v);
	return v;
}

static long factor(void)
{
	long v;

	if (*p != '-')
		return power();
	p++;
	v = -factor();
	if (!bad)
		printf("~ ");
	return v;
}

static long power(void)
{
	long b = atom(), r = 1, e;

	if (*p != '^' || bad)
		return b;
	p++;
	e = power();
	if (bad)
		return 0;
	printf("^ ");
	while (e-- > 0)
		r *= b;
	return r;
}

static long term(void)
{
	long v = factor(), w;
	char op;

	while (!bad && (*p == '*' || *p == '/' || *p == '%')) {
		op = *p++;
		w = factor();
		if (bad)
			break;
		printf("%c ", op);
		if (op != '*' && w == 0)
			bad = 1;
		else
			v = op == '*' ? v * w : op == '/' ? v / w : v % w;
	}
	return v;
}

static long sum(void)
{
	long v = term(), w;
	char op;

	while (!bad && (*p == '+' || *p == '-')) {
		op = *p++;
		w = term();
		if (bad)
			break;
		printf("%c ", op);
		v = op == '+' ? v + w : v - w;
	}
	return v;
}

int main(int argc, char **argv)
{
	int i, status = 0;
	long v;

	for (i = 1; i < argc; i++) {
		p = argv[i];
		bad = 0;
		v = sum();
		if (bad || *p) {
			puts("error");
			status = 1;
		} else
			printf("= %ld\n", v);
	}
	return status;
}
