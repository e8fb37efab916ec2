#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* sorted array, binary search */

int a[500];
int n;

int place(int x)
{
	int lo = 0, hi = n;
	while (lo < hi) {
		int mid = (lo + hi) / 2;
		if (a[mid] < x)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

int main(int argc, char **argv)
{
	char *colon;
	int i, k;

	for (i = 1; i < argc; i++) {
		int x = atoi(argv[i]);
		if ((colon = strchr(argv[i], ':'))) {
			int y = atoi(colon + 1), from = place(x), to = place(y + 1);
			long s = 0;
			for (k = from; k < to; k++)
				s += a[k];
			printf("%d..%d: %d, sum %ld\n", x, y, to > from ? to - from : 0, s);
		} else if (x < 0) {
			k = place(-x);
			if (k < n && a[k] == -x) {
				n--;
				memmove(a + k, a + k + 1, (n - k) * sizeof a[0]);
			}
		} else {
			k = place(x);
			if (k < n && a[k] == x)
				continue;
			memmove(a + k + 1, a + k, (n - k) * sizeof a[0]);
			a[k] = x;
			n++;
		}
	}
	fputs("tree:", stdout);
	for (k = 0; k < n; k++)
		printf(" %d", a[k]);
	puts("");
	return 0;
}
