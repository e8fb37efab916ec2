#include <stdio.h>
#include <string.h>

/* All numbers in one array; the ends of the blocks in another (end[k] is the index behind
   block k). */

static int a[500], total;
static int end[500], blocks;

static void show(void)
{
    int i = 0;
    for (int k = 0; k < blocks; k++) {
        for (char c = '['; i < end[k]; c = ' ')
            printf("%c%d", c, a[i++]);
        putchar(']');
    }
    printf(" %d\n", total);
}

static void put(int at, int v)
{
    int k = 0;
    memmove(a + at + 1, a + at, (total - at) * sizeof a[0]);
    a[at] = v;
    total++;
    if (blocks == 0)
        blocks = 1;
    while (at > end[k])
        k++;
    int begin = k ? end[k - 1] : 0;
    if (end[k] - begin == 4) {
        memmove(end + k + 1, end + k, (blocks - k) * sizeof end[0]);
        blocks++;
        end[k] = begin + 2;
        if (at > end[k])
            k++;
    }
    for (; k < blocks; k++)
        end[k]++;
}

static void take(int at)
{
    int k = 0;
    printf("%d\n", a[at]);
    total--;
    memmove(a + at, a + at + 1, (total - at) * sizeof a[0]);
    while (at >= end[k])
        k++;
    for (int j = k; j < blocks; j++)
        end[j]--;
    if (end[k] == (k ? end[k - 1] : 0)) {
        blocks--;
        memmove(end + k, end + k + 1, (blocks - k) * sizeof end[0]);
        end[blocks] = 0;
    }
}

int main(void)
{
    char c;
    while (scanf(" %c", &c) == 1) {
        int at = 0, v;
        if (c == 'p') {
            show();
            continue;
        }
        scanf("%d", &at);
        if (c == 'i') {
            scanf("%d", &v);
            if (at < 0 || at > total)
                printf("no position %d\n", at);
            else
                put(at, v);
        } else if (at < 0 || at >= total) {
            printf("no position %d\n", at);
        } else if (c == 'd') {
            take(at);
        } else {
            printf("%d\n", a[at]);
        }
    }
    show();
    return 0;
}
