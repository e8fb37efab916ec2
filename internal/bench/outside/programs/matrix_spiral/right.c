#include <stdio.h>
#include <stdlib.h>

#define N 12

static int cell[N][N];
static int rows, cols;

/* lists the cells in a spiral from the outside, clockwise */
static int spiral(int out[])
{
	int top = 0, bottom = rows - 1, left = 0, right = cols - 1, n = 0, i;

	while (top <= bottom && left <= right) {
		for (i = left; i <= right; i++)
			out[n++] = cell[top][i];
		top++;
		for (i = top; i <= bottom; i++)
			out[n++] = cell[i][right];
		right--;
		if (top <= bottom)
			for (i = right; i >= left; i--)
				out[n++] = cell[bottom][i];
		bottom--;
		if (left <= right)
			for (i = bottom; i >= top; i--)
				out[n++] = cell[i][left];
		left++;
	}
	return n;
}

static void transpose(void)
{
	int old[N][N], r, c;
	for (r = 0; r < rows; r++)
		for (c = 0; c < cols; c++)
			old[r][c] = cell[r][c];
	r = rows;
	rows = cols;
	cols = r;
	for (r = 0; r < rows; r++)
		for (c = 0; c < cols; c++)
			cell[r][c] = old[c][r];
}

static void print_list(const int *a, int n)
{
	for (int i = 0; i < n; i++)
		printf("%d%c", a[i], i + 1 < n ? ' ' : '\n');
}

int main(int argc, char **argv)
{
	int out[4 * N * N], r, c;
	if (argc < 3)
		return 2;
	rows = atoi(argv[1]);
	cols = atoi(argv[2]);
	if (rows < 1 || cols < 1 || rows > N || cols > N) {
		printf("1 to %d\n", N);
		return 2;
	}
	for (r = 0; r < rows; r++)
		for (c = 0; c < cols; c++)
			cell[r][c] = r * cols + c + 1;
	print_list(out, spiral(out));
	if (argc > 3 && argv[3][0] == 't') {
		transpose();
		printf("%d x %d\n", rows, cols);
		print_list(out, spiral(out));
	}
	return 0;
}
