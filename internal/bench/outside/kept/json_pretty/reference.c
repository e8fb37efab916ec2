#include <stdio.h>
#include <string.h>

/* without recursion: a stack of open brackets and what may come next */

enum { VALUE, NAME, COLON, COMMA, DONE };

static char text[2000], stack[64];
static int height, most, count, i;

static int fail(const char *why)
{
	printf("\ncharacter %d: %s\n", i + 1, why);
	return 1;
}

static void line(void)
{
	printf("\n%*s", 2 * height, "");
}

static void skip(void)
{
	while (text[i] && strchr(" \n\t\r", text[i]))
		i++;
}

static int quoted(void)
{
	int start = i++;
	while (text[i] && text[i] != '"')
		i += text[i] == '\\' && text[i + 1] ? 2 : 1;
	printf("%.*s", i - start + (text[i] != 0), text + start);
	if (!text[i])
		return 0;
	i++;
	return 1;
}

int main(void)
{
	int expect = VALUE;
	size_t n = fread(text, 1, 1999, stdin);

	text[n] = 0;
	while (expect != DONE) {
		char c;
		skip();
		c = text[i];
		if (expect == NAME) {
			if (c != '"')
				return fail("no name");
			if (!quoted())
				return fail("string is not closed");
			skip();
			if (text[i] != ':')
				return fail("no colon");
			i++;
			printf(": ");
			expect = VALUE;
		} else if (expect == VALUE) {
			count++;
			expect = COMMA;
			if (c == '{' || c == '[') {
				if (height + 1 > most)
					most = height + 1;
				if (height == 20)
					return fail("too deep");
				putchar(c);
				stack[height++] = c + 2;
				i++;
				skip();
				if (text[i] == c + 2) {
					putchar(text[i++]);
					height--;
				} else {
					line();
					expect = c == '{' ? NAME : VALUE;
				}
			} else if (c == '"') {
				if (!quoted())
					return fail("string is not closed");
			} else {
				n = strspn(text + i, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.");
				if (n == 0 || c == '+' || c == '.')
					return fail("no value");
				printf("%.*s", (int)n, text + i);
				i += n;
			}
		} else if (height == 0) {
			expect = DONE;
			if (c)
				return fail("something behind it");
		} else if (c == ',') {
			i++;
			putchar(c);
			line();
			expect = stack[height - 1] == '}' ? NAME : VALUE;
		} else if (c == stack[height - 1]) {
			i++;
			height--;
			line();
			putchar(c);
		} else {
			return fail("not closed");
		}
	}
	printf("\n%d values, %d deep\n", count, most);
	return 0;
}
