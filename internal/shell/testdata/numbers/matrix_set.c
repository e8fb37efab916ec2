// put 2
#include <stdio.h>
#include <stdlib.h>
struct matrix { int rows, cols; int *cell; };
static struct matrix *create(int rows, int cols)
{
    struct matrix *m = malloc(sizeof *m);
    m->rows = rows;
    m->cols = cols;
    m->cell = calloc(rows * cols, sizeof *m->cell);
    return m;
}
static void put(struct matrix *m, int r, int c, int v)
{
    m->cell[r * m->rows + c] = v; //! m->cell[r * m->cols + c] = v;
}
int main(void)
{
#ifdef HELD
    struct matrix *m = create(3, 4);
#else
    struct matrix *m = create(2, 3);
#endif
    put(m, 0, 0, 5);
    put(m, 1, 2, 7);
    put(m, 1, 1, 4);
    for (int r = 0; r < m->rows; r++) {
        for (int c = 0; c < m->cols; c++)
            printf("%d ", m->cell[r * m->cols + c]);
        printf("\n");
    }
    return 0;
}
