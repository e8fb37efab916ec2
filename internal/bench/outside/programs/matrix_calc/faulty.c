#include <stdio.h>
#include <stdlib.h>

struct matrix
{
    int rows, cols;
    long *at;
};

static struct matrix *make(int rows, int cols)
{
    struct matrix *m = malloc(sizeof *m);
    m->rows = rows;
    m->cols = cols;
    m->at = calloc((size_t) rows * cols, sizeof *m->at);
    return m;
}

static long get(const struct matrix *m, int r, int c)
{
    return m->at[r * m->rows + c];
}

static void set(struct matrix *m, int r, int c, long v)
{
    m->at[r * m->cols + c] = v;
}

static struct matrix *read_matrix(void)
{
    int rows, cols;
    if (scanf("%d %d", &rows, &cols) != 2 || rows < 1 || cols < 1 || rows > 8 || cols > 8)
        return NULL;
    struct matrix *m = make(rows, cols);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
        {
            long v = 0;
            if (scanf("%ld", &v) != 1)
                v = 0;
            set(m, r, c, v);
        }
    return m;
}

static struct matrix *product(const struct matrix *a, const struct matrix *b)
{
    struct matrix *p = make(a->rows, b->cols);
    for (int r = 0; r < a->rows; r++)
        for (int c = 0; c < b->cols; c++)
        {
            long sum = 0;
            for (int k = 0; k < a->cols; k++)
                sum += get(a, r, k) * get(b, k, c);
            set(p, r, c, sum);
        }
    return p;
}

static void print(const struct matrix *m)
{
    for (int r = 0; r < m->rows; r++)
    {
        for (int c = 0; c < m->cols; c++)
            printf("%s%ld", c ? " " : "", get(m, r, c));
        printf("\n");
    }
}

static void drop(struct matrix *m)
{
    if (m)
        free(m->at);
    free(m);
}

int main(void)
{
    struct matrix *a = read_matrix(), *b = read_matrix();
    if (!a || !b)
        printf("two matrices, please\n");
    else if (a->cols != b->rows)
        printf("%dx%d times %dx%d does not go\n", a->rows, a->cols, b->rows, b->cols);
    else
    {
        struct matrix *p = product(a, b);
        print(p);
        drop(p);
    }
    drop(a);
    drop(b);
    return 0;
}
