#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* priority queue as a heap in an array; element 0 is the smallest */

#define CAPACITY 16

static int heap[CAPACITY];
static int size;

static void swap(int i, int j)
{
    int t = heap[i];
    heap[i] = heap[j];
    heap[j] = t;
}

static void up(int i)
{
    while (i > 0 && heap[(i - 1) / 2] > heap[i]) {
        swap(i, (i - 1) / 2);
        i = (i - 1) / 2;
    }
}

static void down(int i)
{
    for (;;) {
        int c = 2 * i;
        if (c >= size)
            return;
        if (c + 1 < size && heap[c + 1] < heap[c])
            c++;
        if (heap[i] <= heap[c])
            return;
        swap(i, c);
        i = c;
    }
}

static int insert(int v)
{
    if (size == CAPACITY)
        return 0;
    heap[size] = v;
    up(size++);
    return 1;
}

static int extract(void)
{
    int v = heap[0];
    heap[0] = heap[--size];
    down(0);
    return v;
}

static int remove_value(int v)
{
    int i;
    for (i = 0; i < size; i++)
        if (heap[i] == v)
            break;
    if (i == size)
        return 0;
    heap[i] = heap[--size];
    if (i < size) {
        up(i);
        down(i);
    }
    return 1;
}

int main(int argc, char **argv)
{
    int i;
    for (i = 1; i < argc; i++) {
        if (strcmp(argv[i], "min") == 0) {
            if (size > 0)
                printf("min %d\n", extract());
        } else if (argv[i][0] == 'x')
            printf("%s %d\n", remove_value(atoi(argv[i] + 1)) ? "removed" : "no", atoi(argv[i] + 1));
        else if (!insert(atoi(argv[i])))
            printf("full\n");
    }
    printf("%d:", size);
    while (size > 0)
        printf(" %d", extract());
    printf("\n");
    return 0;
}
