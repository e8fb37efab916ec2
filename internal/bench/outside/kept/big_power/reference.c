#include <stdio.h>
#include <string.h>

/* decimal digits as characters, multiplied as in school by adding shifted rows */

static char num[400];

static void set(long n)
{
	sprintf(num, "%ld", n);
}

static void mul(long m)
{
	int len = strlen(num), sum[500] = {0}, i, k, n = 0;
	char by[30];

	sprintf(by, "%ld", m);
	for (i = 0; i < len; i++)
		for (k = 0; by[k]; k++)
			sum[(len - 1 - i) + ((int)strlen(by) - 1 - k)] += (num[i] - '0') * (by[k] - '0');
	for (i = 0; i < 320; i++) {
		sum[i + 1] += sum[i] / 10;
		sum[i] %= 10;
	}
	while (i > 0 && sum[i] == 0)
		i--;
	while (i >= 0)
		num[n++] = '0' + sum[i--];
	num[n] = 0;
}

int main(int argc, char **argv)
{
	int a;

	for (a = 1; a < argc; a++) {
		long x = 0, y = 0;
		char op = 0;

		sscanf(argv[a], "%ld%c%ld", &x, &op, &y);
		set(1);
		if (op == '^')
			while (y-- > 0 && strlen(num) <= 240)
				mul(x);
		else if (op == '!')
			for (y = 2; y <= x && strlen(num) <= 240; y++)
				mul(y);
		else if (op == '*') {
			set(x);
			mul(y);
		} else {
			printf("%s?\n", argv[a]);
			return 1;
		}
		if (strlen(num) > 240)
			printf("%s is too large\n", argv[a]);
		else
			printf("%s = %s\n  %d digits\n", argv[a], num, (int)strlen(num));
	}
	return 0;
}
