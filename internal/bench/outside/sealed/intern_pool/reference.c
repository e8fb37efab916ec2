#include <stdio.h>
#include <string.h>

struct rec { const char *s; int n, b; };
static struct rec all[64];
static int count;

static int place(const char *s)
{
	unsigned h = 5381;
	for (; *s; s++)
		h = (h * 33) ^ *s;
	return h % 5;
}

int main(int argc, char **argv)
{
	int a, i, b, shown;

	for (a = 1; a < argc; a++) {
		char *w = argv[a];
		int minus = *w == '-';
		w += minus;
		for (i = 0; i < count && strcmp(all[i].s, w); i++)
			continue;
		if (!minus) {
			if (i < count)
				all[i].n++;
			else
				all[count++] = (struct rec){ w, 1, place(w) };
		} else if (i == count)
			printf("%s: not interned\n", w);
		else if (--all[i].n == 0) {
			for (count--; i < count; i++)
				all[i] = all[i + 1];
		}
	}
	printf("%d live\n", count);
	for (b = 0; b < 5; b++) {
		shown = 0;
		for (i = count - 1; i >= 0; i--)
			if (all[i].b == b) {
				if (!shown++)
					printf("%d:", b);
				printf(" %s*%d", all[i].s, all[i].n);
			}
		if (shown)
			puts("");
	}
	return 0;
}
