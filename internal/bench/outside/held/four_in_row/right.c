#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Four in a row.  The moves are the columns 1 to 7 as arguments, x begins.  The game ends
   with four in a row in any direction, or with a full board. */

#define ROWS 6
#define COLS 7

char board[ROWS][COLS];		/* row 0 is the bottom */

int drop(int col, char who)
{
	int r;
	for (r = 0; r < ROWS; r++)
		if (board[r][col] == '.') {
			board[r][col] = who;
			return r;
		}
	return -1;
}

int inside(int r, int c)
{
	return r >= 0 && r < ROWS && c >= 0 && c < COLS;
}

/* how many of one kind from (r, c) on in a direction, without itself */
int run(int r, int c, int dr, int dc)
{
	int n = 0;
	char who = board[r][c];
	while (inside(r + dr, c + dc) && board[r + dr][c + dc] == who) {
		r += dr;
		c += dc;
		n++;
	}
	return n;
}

int wins(int r, int c)
{
	static const int way[4][2] = { {0, 1}, {1, 0}, {1, 1}, {1, -1} };
	int k;
	for (k = 0; k < 4; k++)
		if (run(r, c, way[k][0], way[k][1]) + run(r, c, -way[k][0], -way[k][1]) >= 3)
			return 1;
	return 0;
}

void show(void)
{
	int r, c, top = ROWS - 1;
	while (top > 0 && memcmp(board[top], ".......", COLS) == 0)
		top--;
	for (r = top; r >= 0; r--) {
		for (c = 0; c < COLS; c++)
			putchar(board[r][c]);
		putchar('\n');
	}
}

int main(int argc, char *argv[])
{
	int i, moves = 0;
	char who = 'x';

	memset(board, '.', sizeof board);
	for (i = 1; i < argc; i++) {
		int col = atoi(argv[i]) - 1, row;
		if (col < 0 || col >= COLS || (row = drop(col, who)) < 0) {
			printf("%c cannot play %s\n", who, argv[i]);
			continue;
		}
		moves++;
		if (wins(row, col)) {
			show();
			printf("%c wins with move %d\n", who, moves);
			return 0;
		}
		if (moves == ROWS * COLS) {
			show();
			printf("a draw\n");
			return 0;
		}
		who = who == 'x' ? 'o' : 'x';
	}
	show();
	printf("%c is next\n", who);
	return 1;
}
