#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* an array that is sorted when it is printed; money as text is taken apart into cents */

typedef struct { char name[24]; long money; int moves; } Acc;

Acc acc[100];
int n;

int by_name(const void *a, const void *b) { return strcmp(((const Acc *)a)->name, ((const Acc *)b)->name); }

int who(const char *name)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(acc[i].name, name))
            return i;
    return -1;
}

long read_money(void)
{
    char word[32], *dot;
    long whole;
    int part = 0;
    scanf("%31s", word);
    whole = strtol(word, &dot, 10);
    if (*dot == '.') {
        part = 10 * (dot[1] - '0');
        if (dot[2])
            part += dot[2] - '0';
    }
    return whole * 100 + part;
}

int main(void)
{
    char verb[16], x[24], y[24];
    while (scanf("%15s %23s", verb, x) == 2) {
        int i = who(x), j;
        long m;
        switch (*verb) {
        case 'o':
            m = read_money();
            if (i >= 0) {
                printf("%s exists\n", x);
                break;
            }
            strcpy(acc[n].name, x);
            acc[n].money = m;
            acc[n++].moves = 0;
            break;
        case 'c':
            if (i < 0)
                printf("%s: no account\n", x);
            else if (acc[i].money)
                printf("%s is not empty\n", x);
            else
                acc[i] = acc[--n];
            break;
        case 'p':
            scanf("%23s", y);
            m = read_money();
            j = who(y);
            if (i < 0 || j < 0) {
                printf("%s: no account\n", i < 0 ? x : y);
            } else if (m > acc[i].money) {
                printf("%s cannot pay\n", x);
            } else {
                acc[i].moves++;
                acc[j].moves++;
                acc[i].money -= m;
                acc[j].money += m;
            }
        }
    }
    qsort(acc, n, sizeof acc[0], by_name);
    long sum = 0;
    for (int i = 0; i < n; i++) {
        printf("%-6s %5ld.%02ld %d\n", acc[i].name, acc[i].money / 100, acc[i].money % 100, acc[i].moves);
        sum += acc[i].money;
    }
    printf("total  %5ld.%02ld\n", sum / 100, sum % 100);
    return 0;
}
