#include <stdio.h>
#include <stdlib.h>

struct slot { int key, val, uses, stamp; };
static struct slot s[100];
static int n, cap, now;

int main(int argc, char **argv)
{
	int i, j, k, v;

	if (argc < 2 || (cap = atoi(argv[1])) < 1)
		return 2;
	for (i = 2; i < argc; i++) {
		int got = sscanf(argv[i], "%d=%d", &k, &v);
		if (got < 1 || k < 0 || k > 99)
			continue;
		now++;
		for (j = 0; j < n && s[j].key != k; j++)
			;
		if (j < n) {
			if (s[j].uses < 63)
				s[j].uses++;
			s[j].stamp = now;
			if (got == 2)
				s[j].val = v;
		} else if (got == 2) {
			if (n == cap) {
				int worst = 0;
				for (j = 1; j < n; j++)
					if (s[j].uses < s[worst].uses ||
					    (s[j].uses == s[worst].uses && s[j].stamp < s[worst].stamp))
						worst = j;
				printf("out %d\n", s[worst].key);
				s[worst] = s[--n];
			}
			s[n++] = (struct slot){ k, v, 1, now };
			continue;
		}
		if (got == 1)
			printf("%d\n", j < n ? s[j].val : -1);
	}
	return 0;
}
