#include <stdio.h>
#include <stdbool.h>
#include <string.h>

/* counts how often each number is in each row, column and box, numbered 0 to 11 */

static short seen[12][5];
static short grid[16];

static int group(int cell, int k)
{
	switch (k) {
	case 0: return cell / 4;
	case 1: return 4 + cell % 4;
	default: return 8 + cell / 8 * 2 + cell % 4 / 2;
	}
}

static void put(int cell, int v)
{
	grid[cell] = v;
	for (int k = 0; k < 3; k++)
		seen[group(cell, k)][v]++;
}

static bool possible(int cell, int v)
{
	for (int k = 0; k < 3; k++)
		if (seen[group(cell, k)][v])
			return false;
	return true;
}

int main(void)
{
	int bad = 0, rest = 0;

	for (int i = 0; i < 16; i++) {
		int v;
		if (scanf("%d", &v) < 1 || v < 0 || v > 4) {
			puts("bad input");
			return 2;
		}
		put(i, v);
	}
	for (int i = 0; i < 16; i++) {
		bool twice = false;
		for (int k = 0; k < 3; k++)
			twice |= grid[i] && seen[group(i, k)][grid[i]] > 1;
		bad += twice;
	}
	if (bad) {
		printf("%d cells in conflict\n", bad);
		return 1;
	}
	int fresh = 0;		/* how many cells ago something was filled in */
	for (int i = 0; fresh < 16; i = (i + 1) % 16) {
		int fit = 0, which = 0;
		for (int v = 1; v <= 4 && !grid[i]; v++)
			if (possible(i, v)) {
				fit++;
				which = v;
			}
		if (fit == 1) {
			put(i, which);
			fresh = 0;
		} else {
			fresh++;
		}
	}
	for (int i = 0; i < 16; i++) {
		rest += !grid[i];
		printf(grid[i] ? " %d" : " .", grid[i]);
		if (i % 4 == 3)
			printf("\n");
	}
	printf("%d empty\n", rest);
	return 0;
}
