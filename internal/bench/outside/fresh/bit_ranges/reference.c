#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char used[129];

int main(int argc, char **argv)
{
	int i, a, b;
	char *at, want[130];

	memset(used, '.', 128);
	for (i = 1; i < argc; i++) {
		switch (argv[i][0]) {
		case '#':
			for (a = b = 0; a < 128; a++)
				b += used[a] == 'x';
			printf("%d\n", b);
			break;
		case '?':
			a = atoi(argv[i] + 1);
			if (a < 1 || a > 128) {
				puts("-1");
				break;
			}
			memset(want, '.', a);
			want[a] = 0;
			at = strstr(used, want);
			printf("%d\n", at ? (int)(at - used) : -1);
			if (at)
				memset(at, 'x', a);
			break;
		default:
			if (sscanf(argv[i] + 1, "%d-%d", &a, &b) < 2 || a < 0 || b > 127 || b < a)
				printf("bad: %s\n", argv[i]);
			else
				memset(used + a, argv[i][0] == '+' ? 'x' : '.', b - a + 1);
		}
	}
	for (i = 0; i < 4; i++) {
		unsigned v = 0;
		for (a = 31; a >= 0; a--)
			v = 2 * v + (used[32 * i + a] == 'x');
		printf("%08x%s", v, i == 3 ? "\n" : " ");
	}
	return 0;
}
