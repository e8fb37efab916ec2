#include <stdio.h>
#include <string.h>

static int b[300], n;

static int tail(int at, int k)
{
	while (k-- > 0)
		if (at >= n || b[at] < 0x80 || b[at++] > 0xbf)
			return 0;
	return 1;
}

int main(int argc, char **argv)
{
	for (int a = 1; a < argc; a++) {
		int bad = 0, ok = strlen(argv[a]) % 2 == 0 && strspn(argv[a], "0123456789abcdefABCDEF") == strlen(argv[a]);

		if (!ok) {
			printf("%s: no hex\n", argv[a]);
			continue;
		}
		for (n = 0; argv[a][2 * n]; n++)
			sscanf(argv[a] + 2 * n, "%2x", (unsigned *)&b[n]);
		for (int i = 0; i < n; ) {
			int x = b[i], k = x < 0x80 ? 0 : x < 0xc2 ? -1 : x < 0xe0 ? 1 : x < 0xf0 ? 2 : x < 0xf5 ? 3 : -1;

			if (k >= 0 && !tail(i + 1, k))
				k = -1;
			if ((x == 0xe0 && k > 0 && b[i + 1] < 0xa0) || (x == 0xed && k > 0 && b[i + 1] > 0x9f) ||
			    (x == 0xf0 && k > 0 && b[i + 1] < 0x90) || (x == 0xf4 && k > 0 && b[i + 1] > 0x8f))
				k = -1;
			if (k < 0) {
				printf("? ");
				bad++;
				i++;
				continue;
			}
			int v = k ? x & (0x3f >> k) : x;
			for (int j = 1; j <= k; j++)
				v = v * 64 + b[i + j] % 64;
			printf("U+%04X ", v);
			i += k + 1;
		}
		printf("(%d)\n", bad);
	}
	return 0;
}
