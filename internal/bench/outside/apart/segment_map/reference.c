#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* every cell has its owner's letter; first[] marks where a piece begins, since two pieces
   of one owner may touch */

static char cell[1000];
static char first[1001];
static int size;

static void map(void)
{
    int most = 0;
    for (int i = 0, j; i < size; i = j) {
        j = i + 1;
        while (j < size && !first[j])
            j++;
        printf("%c%d@%d ", cell[i], j - i, i);
        if (cell[i] == '.' && j - i > most)
            most = j - i;
    }
    printf("largest %d\n", most);
}

static int fits(int from, int n)
{
    if (from + n > size)
        return 0;
    for (int i = 0; i < n; i++)
        if (cell[from + i] != '.')
            return 0;
    return 1;
}

int main(int argc, char *argv[])
{
    size = argc > 1 ? atoi(argv[1]) : 0;
    if (size < 1) {
        puts("usage: segment_map SIZE CMD...");
        return 2;
    }
    memset(cell, '.', size);
    first[0] = 1;
    for (char **a = argv + 2; *a; a++) {
        char who = (*a)[1];
        if (**a == '+') {
            int n = atoi(*a + 2), at = 0;
            while (at < size && !fits(at, n))
                at++;
            if (n <= 0 || at == size) {
                printf("%s: no\n", *a);
            } else {
                memset(cell + at, who, n);
                first[at] = first[at + n] = 1;
            }
        } else {
            int n = 0;
            for (int i = 0; i < size; i++)
                if (cell[i] == who) {
                    cell[i] = '.';
                    n++;
                }
            for (int i = 1; i < size; i++)
                if (cell[i] == '.' && cell[i - 1] == '.')
                    first[i] = 0;
            printf("%c gives %d\n", who, n);
        }
        map();
    }
    return 0;
}
