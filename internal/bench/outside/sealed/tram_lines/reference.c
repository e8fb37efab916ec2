#include <stdio.h>
#include <stdlib.h>

/* The shortest way by repeated relaxation; ways are unique in the inputs. */

#define FAR 1000000

int main(int argc, char **argv)
{
	int w[12][12], d[12], p[12], i, j, k, way[12], n = 0;

	if (argc < 3)
		return 2;
	for (i = 0; i < 12; i++)
		for (j = 0; j < 12; j++)
			w[i][j] = FAR;
	for (i = 3; i < argc; i++) {
		int a = argv[i][0] - 'A', b = argv[i][1] - 'A', m = atoi(&argv[i][2]);
		if (m < w[a][b])
			w[a][b] = w[b][a] = m;
	}
	for (i = 0; i < 12; i++)
		d[i] = FAR;
	d[argv[1][0] - 'A'] = 0;
	for (k = 0; k < 12; k++)
		for (i = 0; i < 12; i++)
			for (j = 0; j < 12; j++)
				if (d[i] + w[i][j] < d[j]) {
					d[j] = d[i] + w[i][j];
					p[j] = i;
				}
	k = argv[2][0] - 'A';
	if (d[k] >= FAR) {
		puts("no way");
		return 0;
	}
	while (k != argv[1][0] - 'A') {
		way[n++] = k;
		k = p[k];
	}
	way[n++] = k;
	while (n > 0)
		putchar('A' + way[--n]);
	printf(" %d\n", d[argv[2][0] - 'A']);
	return 0;
}
