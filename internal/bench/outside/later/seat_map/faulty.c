#include <stdio.h>
#include <string.h>

/*
 * Seats of a small theatre.
 *   book ROW SEAT N   N seats beside each other, from SEAT on
 *   best N            the first place where N seats are free, front rows first
 *   free ROW SEAT
 *   show
 */

#define ROWS 5
#define SEATS 8

static char house[ROWS][SEATS + 1];

static void clear_house(void)
{
	int r;

	for (r = 0; r < ROWS; r++) {
		memset(house[r], '.', SEATS);
		house[r][SEATS] = '\0';
	}
}

static int is_inside(int row, int seat, int n)
{
	return row >= 0 && row < ROWS && seat >= 0 && n > 0 && seat + n <= SEATS;
}

static int all_free(int row, int seat, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		if (house[row][seat + i] != '.')
			return 0;
		return 1;
	}
	return 1;
}

static int book(int row, int seat, int n, char mark)
{
	int i;

	if (!is_inside(row, seat, n))
		return 0;
	if (!all_free(row, seat, n))
		return 0;
	for (i = 0; i < n; i++)
		house[row][seat + i] = mark;
	return 1;
}

static void show(void)
{
	int r, s, left = 0;

	for (r = 0; r < ROWS; r++) {
		printf("%c %s\n", 'A' + r, house[r]);
		for (s = 0; s < SEATS; s++)
			if (house[r][s] == '.')
				left++;
	}
	printf("%d left\n", left);
}

int main(void)
{
	char cmd[16], row;
	int seat, n, r, s;
	char next = 'a';

	clear_house();
	while (scanf("%15s", cmd) == 1) {
		if (strcmp(cmd, "book") == 0) {
			if (scanf(" %c %d %d", &row, &seat, &n) != 3)
				break;
			if (book(row - 'A', seat - 1, n, next))
				printf("group %c sits at %c%d\n", next++, row, seat);
			else
				printf("%c%d: no\n", row, seat);
		} else if (strcmp(cmd, "best") == 0) {
			int done = 0;
			if (scanf("%d", &n) != 1)
				break;
			for (r = 0; r < ROWS && !done; r++)
				for (s = 0; s < SEATS && !done; s++)
					if (book(r, s, n, next)) {
						printf("group %c sits at %c%d\n", next++, 'A' + r, s + 1);
						done = 1;
					}
			if (!done)
				printf("no place for %d\n", n);
		} else if (strcmp(cmd, "free") == 0) {
			if (scanf(" %c %d", &row, &seat) != 2)
				break;
			if (is_inside(row - 'A', seat - 1, 1))
				house[row - 'A'][seat - 1] = '.';
		} else if (strcmp(cmd, "show") == 0) {
			show();
		} else {
			printf("what is %s?\n", cmd);
			return 1;
		}
	}
	show();
	return 0;
}
