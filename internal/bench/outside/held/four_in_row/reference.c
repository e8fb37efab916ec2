#include <stdio.h>
#include <stdlib.h>

/* the columns are strings of the stones in them; after each move the whole board is searched */

static char column[7][8];
static int height[7];

static char at(int c, int r)
{
	if (c < 0 || c > 6 || r < 0 || r >= height[c])
		return '.';
	return column[c][r];
}

static int four(char p)
{
	for (int c = 0; c < 7; c++)
		for (int r = 0; r < 6; r++) {
			int flat = 0, up = 0, rise = 0, fall = 0;
			for (int k = 0; k < 4; k++) {
				flat += at(c + k, r) == p;
				up += at(c, r + k) == p;
				rise += at(c + k, r + k) == p;
				fall += at(c + k, r - k) == p;
			}
			if (flat == 4 || up == 4 || rise == 4 || fall == 4)
				return 1;
		}
	return 0;
}

static int finish(const char *format, char who, int n, int code)
{
	int top = 1;
	for (int c = 0; c < 7; c++)
		if (height[c] > top)
			top = height[c];
	while (top-- > 0) {
		for (int c = 0; c < 7; c++)
			printf("%c", at(c, top));
		printf("\n");
	}
	printf(format, who, n);
	return code;
}

int main(int argc, char *argv[])
{
	int played = 0;
	for (char **a = argv + 1; a != argv + argc; a++) {
		char who = "xo"[played % 2];
		int c = atoi(*a) - 1;
		if (c < 0 || c > 6 || height[c] == 6) {
			printf("%c cannot play %s\n", who, *a);
			continue;
		}
		column[c][height[c]++] = who;
		played++;
		if (four(who))
			return finish("%c wins with move %d\n", who, played, 0);
		if (played == 42)
			return finish("a draw\n", who, played, 0);
	}
	return finish("%c is next\n", "xo"[played % 2], 0, 1);
}
