#include <stdio.h>
#include <string.h>

static int car[100], cdr[100], there[100], keep[100], last, root[128];

static int gc(void)
{
	int i, more = 1, n = 0;

	memset(keep, 0, sizeof keep);
	for (i = 'a'; i <= 'z'; i++)
		keep[root[i]] = 1;
	while (more) {
		more = 0;
		for (i = 1; i <= last; i++)
			if (keep[i] && (!keep[car[i]] || !keep[cdr[i]]))
				keep[car[i]] = keep[cdr[i]] = more = 1;
	}
	for (i = 1; i <= last; i++)
		if (there[i] && !keep[i]) {
			there[i] = 0;
			n++;
		}
	return n;
}

int main(int argc, char **argv)
{
	for (int a = 1; a < argc; a++) {
		char *s = argv[a];
		if (!strcmp(s, "gc")) {
			printf("freed %d\n", gc());
		} else if (!strcmp(s, "show")) {
			for (int i = last; i > 0; i--)
				if (there[i])
					printf("%d(%d,%d) ", i, car[i], cdr[i]);
			putchar('\n');
		} else if (strlen(s) == 4) {
			last++;
			there[last] = 1;
			car[last] = root[(int)s[2]];
			cdr[last] = root[(int)s[3]];
			root[(int)s[0]] = last;
		} else {
			root[(int)s[0]] = s[2] ? root[(int)s[2]] : 0;
		}
	}
	return 0;
}
