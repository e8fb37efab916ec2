#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers in words, up to 999,999,999: 1205 is "one thousand two hundred and five".
 * With a dot the number is an amount: 3.07 is "three dollars and seven cents". */

static const char *small[] = {
	"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
	"eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
	"eighteen", "nineteen"
};

static const char *tens[] = {
	"", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"
};

struct text {
	char buf[300];
	size_t len;
};

static void append(struct text *t, const char *s)
{
	size_t n = strlen(s);

	if (t->len + n >= sizeof t->buf)
		return;
	memcpy(t->buf + t->len, s, n + 1);
	t->len += n;
}

static void word(struct text *t, const char *s)
{
	if (t->len > 0)
		append(t, " ");
	append(t, s);
}

static void below_hundred(struct text *t, long n)
{
	if (n < 20) {
		word(t, small[n]);
		return;
	}
	word(t, tens[n / 10]);
	if (n % 10 != 0) {
		append(t, "-");
		append(t, small[n % 10]);
	}
}

static void spell(struct text *t, long n)
{
	static const struct { long size; const char *name; } unit[] = {
		{ 1000000, "million" }, { 1000, "thousand" }, { 100, "hundred" }
	};
	int i, written = 0;

	for (i = 0; i < 3; i++)
		if (n >= unit[i].size) {
			spell(t, n / unit[i].size);
			word(t, unit[i].name);
			n %= unit[i].size;
			written = 1;
		}
	if (written && n == 0)
		return;
	if (written)
		word(t, "and");
	below_hundred(t, n);
}

static void amount(struct text *t, long whole, long cents)
{
	if (whole != 0 || cents == 0) {
		spell(t, whole);
		word(t, whole == 1 ? "dollar" : "dollars");
	}
	if (cents != 0) {
		if (whole != 0)
			word(t, "and");
		below_hundred(t, cents);
		word(t, cents == 1 ? "cent" : "cents");
	}
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		struct text t = { "", 0 };
		char *end;
		long n = strtol(argv[i], &end, 10);

		if (n < 0 || n > 999999999L || end == argv[i]) {
			printf("%s: no\n", argv[i]);
			continue;
		}
		if (*end == '.' && strlen(end) == 3)
			amount(&t, n, atol(end + 1));
		else
			spell(&t, n);
		printf("%s: %s (%d letters and blanks)\n", argv[i], t.buf, (int)t.len);
	}
	return 0;
}
