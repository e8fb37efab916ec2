#include <stdio.h>
#include <stdlib.h>

static int v[100], n;

static void put(int x)
{
	int i = n++;
	for (; i > 0 && v[i - 1] > x; i--)
		v[i] = v[i - 1];
	v[i] = x;
}

int main(int argc, char **argv)
{
	for (int a = 1; a < argc; a++) {
		int x = atoi(argv[a] + (argv[a][0] == 'k' || argv[a][0] == 'r'));
		int less = 0;

		switch (argv[a][0]) {
		case 'k':
			printf("%d\n", x < n ? v[x] : -1);
			break;
		case 'r':
			while (less < n && v[less] < x)
				less++;
			printf("%d\n", less);
			break;
		default:
			put(x);
		}
	}
	printf("size %d\n", n);
	return 0;
}
