#include <stdio.h>
#include <string.h>

struct item { const char *text; int times; };

int main(int argc, char **argv)
{
	struct item v[64];
	int n = 0;

	for (int k = 1; k < argc; k++) {
		int del = argv[k][0] == '-';
		const char *w = argv[k] + del;
		int at = 0;

		while (at < n && strcmp(v[at].text, w) < 0)
			at++;
		int found = at < n && !strcmp(v[at].text, w);
		if (del) {
			if (found) {
				n--;
				memmove(v + at, v + at + 1, (n - at) * sizeof v[0]);
				printf("%s deleted\n", w);
			} else {
				printf("%s missing\n", w);
			}
		} else if (found) {
			v[at].times++;
		} else {
			memmove(v + at + 1, v + at, (n - at) * sizeof v[0]);
			v[at].text = w;
			v[at].times = 1;
			n++;
		}
	}
	for (int k = 0; k < n; k++)
		printf("%s:%d ", v[k].text, v[k].times);
	putchar('\n');
	return 0;
}
