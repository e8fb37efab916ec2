#include <stdio.h>

/* box[i] points to the number in it; was[i] tells that there was one once */

static int store[1000], used;
static int *box[7];
static char was[7];

/* walks from the home box: the box of n, or the one to put it into (as ~box), or -100 */
static int walk(int n)
{
    int first = ((n % 7) + 7) % 7;
    int room = -100;
    for (int step = 0; step < 7; step++) {
        int k = first + step;
        if (k >= 7)
            k -= 7;
        if (box[k]) {
            if (*box[k] == n)
                return k;
        } else {
            if (room == -100)
                room = ~k;
            if (!was[k])
                break;
        }
    }
    return room;
}

int main(void)
{
    char sign;
    int n, count = 0;
    while (scanf(" %c %d", &sign, &n) == 2) {
        int k = walk(n);
        if (sign == '+') {
            if (k >= 0)
                printf("%d is in box %d already\n", n, k);
            else if (k == -100)
                printf("no box for %d\n", n);
            else {
                store[used] = n;
                box[~k] = &store[used++];
                was[~k] = 1;
                count++;
                printf("%d into box %d\n", n, ~k);
            }
        } else if (k < 0) {
            printf("%d is not here\n", n);
        } else {
            box[k] = NULL;
            count--;
            printf("%d out of box %d\n", n, k);
        }
    }
    printf("Station:");
    for (int k = 0; k < 7; k++) {
        if (box[k])
            printf(" %d", *box[k]);
        else
            printf(" .");
    }
    printf(" (%d)\n", count);
    return 0;
}
