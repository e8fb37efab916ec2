#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *pages[8];
static int n, at = -1;

static void print(void)
{
	for (int i = 0; i < n; i++)
		if (i == at)
			printf("[%s] ", pages[i]);
		else
			printf("%s ", pages[i]);
	printf("(%d)\n", n);
}

static void open_page(const char *url)
{
	n = at + 1;
	pages[n++] = url;
	at = n - 1;
	if (n == 6) {
		memmove(pages, pages + 1, 5 * sizeof *pages);
		n--;
		at--;
	}
}

static int walk(int by)
{
	int to = at + by;

	if (at < 0)
		return 0;
	if (to < 0)
		to = 0;
	if (to > n - 1)
		to = n - 1;
	by = abs(to - at);
	at = to;
	return by;
}

int main(int argc, char **argv)
{
	while (*++argv && argc) {
		if (**argv == '=')
			print();
		else if (strchr("+-", **argv))
			printf("%d\n", walk(atoi(*argv)));
		else
			open_page(*argv);
	}
	print();
	return 0;
}
