#include <stdio.h>
#include <string.h>
#include <ctype.h>

/* ISBN-10 and ISBN-13, hyphens allowed */

static int strip(const char *s, char *digits)
{
	int n = 0;
	for (; *s; s++) {
		if (*s == '-')
			continue;
		if (!isdigit((unsigned char)*s) && *s != 'X')
			return -1;
		if (n == 13)
			return -1;
		digits[n++] = *s;
	}
	digits[n] = '\0';
	return n;
}

static int check10(const char *d)
{
	int sum = 0;
	for (int i = 0; i < 9; i++) {
		if (d[i] == 'X')
			return 0;
		sum += (10 - i) * (d[i] - '0');
	}
	sum += d[9] == 'X' ? 10 : d[9] - '0';
	return sum % 11 == 0;
}

static char digit13(const char *d)
{
	int sum = 0;
	for (int i = 0; i < 12; i++) {
		int w = i % 2 ? 3 : 1;
		if (d[i] == 'X')
			return '?';
		sum += w * (d[i] - '0');
	}
	return '0' + (10 - sum % 10) % 10;
}

static int check13(const char *d)
{
	return digit13(d) == d[12];
}

int main(int argc, char **argv)
{
	char d[14];
	for (int i = 1; i < argc; i++) {
		int n = strip(argv[i], d);
		if (n == 10)
			printf("%s: %s\n", argv[i], check10(d) ? "valid" : "wrong");
		else if (n == 13)
			printf("%s: %s\n", argv[i], check13(d) ? "valid" : "wrong");
		else if (n == 12)
			printf("%s: the last digit is %c\n", argv[i], digit13(d));
		else
			printf("%s: no ISBN\n", argv[i]);
	}
	return 0;
}
