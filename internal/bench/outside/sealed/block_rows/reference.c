#include <stdio.h>

static char g[48];

static int room(int row, int c, int h, int w)
{
	for (int i = 0; i < h; i++)
		for (int j = 0; j < w; j++)
			if (row + i > 7 || g[(row + i) * 6 + c + j])
				return 0;
	return 1;
}

int main(int argc, char **argv)
{
	int points = 0, c, h, w, row;

	for (int k = 1; k < argc; k++) {
		int n = sscanf(argv[k], "%d,%dx%d", &c, &h, &w), gone = 0, to = 7;
		char next[48] = { 0 };

		if (n < 3 || c < 0 || w <= 0 || h <= 0 || c + w > 6) {
			printf("bad move %s\n", argv[k]);
			continue;
		}
		for (row = -1; room(row + 1, c, h, w); row++)
			;
		if (row < 0) {
			printf("game over at %d\n", k);
			break;
		}
		for (int i = 0; i < h * w; i++)
			g[(row + i / w) * 6 + c + i % w] = 'a' + (k - 1) % 26;
		for (int r = 7; r >= 0; r--) {
			int cells = 0;
			for (int j = 0; j < 6; j++)
				cells += g[r * 6 + j] != 0;
			if (cells == 6) {
				gone++;
				continue;
			}
			for (int j = 0; j < 6; j++)
				next[to * 6 + j] = g[r * 6 + j];
			to--;
		}
		for (int i = 0; i < 48; i++)
			g[i] = next[i];
		points += 10 * gone * gone;
	}
	for (int r = 0; r < 8; r++) {
		char line[7] = { 0 };
		int any = 0;
		for (int j = 0; j < 6; j++) {
			line[j] = g[r * 6 + j] ? g[r * 6 + j] : '.';
			any |= g[r * 6 + j];
		}
		if (any)
			printf("%d %s\n", r, line);
	}
	printf("score %d\n", points);
	return 0;
}
