#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* N queens where some squares are blocked.
   usage: queens_blocked N b3 c1 ...     prints how many ways there are and the first one */

int n;
int blocked[8][8];
int place[8];        /* column of the queen in each row */
int col_used[8], up_used[16], down_used[16];
int solutions;
int first_place[8];

int may_stand(int row, int col)
{
  if (blocked[row][col])
    return 0;
  return !col_used[col] && !up_used[row + col] && !down_used[row - col + n];
}

void set_queen(int row, int col, int on)
{
  col_used[col] = on;
  up_used[row + col] = on;
  down_used[row - col + n] = on;
}

void try_row(int row)
{
  int col;

  if (row == n) {
    if (solutions == 0)
      memcpy(first_place, place, sizeof place);
    solutions++;
    return;
  }
  for (col = 0; col < n; col++) {
    if (!may_stand(row, col))
      continue;
    place[row] = col;
    set_queen(row, col, 1);
    try_row(row + 1);
    set_queen(row, col, 0);
  }
}

void print_board(void)
{
  int row, col;

  for (row = n - 1; row >= 0; row--) {
    printf("%d ", row + 1);
    for (col = 0; col < n; col++)
      putchar(first_place[row] == col ? 'Q' : blocked[row][col] ? 'x' : '.');
    putchar('\n');
  }
}

int main(int argc, char *argv[])
{
  int i;

  if (argc < 2 || (n = atoi(argv[1])) < 1 || n > 7) {
    printf("size 1 to 7\n");
    return 2;
  }
  for (i = 2; i < argc; i++) {
    int col = argv[i][0] - 'a';
    int row = atoi(argv[i] + 1) - 1;
    if (col < 0 || col >= n || row < 0 || row >= n) {
      printf("%s is not on the board\n", argv[i]);
      return 2;
    }
    blocked[row][col] = 1;
  }
  try_row(0);
  printf("%d ways\n", solutions);
  if (solutions > 0)
    print_board();
  return 0;
}
