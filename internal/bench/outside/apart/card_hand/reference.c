#include <stdio.h>
#include <string.h>

/* how many cards there are of each rank, and from that everything else */

static const char *order = "23456789TJQKA";

static void rank_out(int r)
{
    if (order[r] == 'T')
        printf("10");
    else
        printf("%c", order[r]);
}

int main(void)
{
    enum { HIGH, PAIR, PAIRS, THREE, STRAIGHT, FLUSH, FULL, FOUR, BEST, ALL };
    static const char *name[ALL] = {"high card", "one pair", "two pairs", "three of a kind", "straight", "flush", "full house", "four of a kind", "straight flush"};
    int seen[ALL] = {0};
    char line[128];

    while (fgets(line, sizeof line, stdin)) {
        int of[13] = {0}, suit[128] = {0}, groups[6] = {0}, n = 0, bad = 0, row = 0, longest = 0, low = 13, high = 0, flush = 0;
        char a[8], *p = line;
        for (int used; sscanf(p, "%7s%n", a, &used) == 1; p += used) {
            char r = a[0], s = a[1], *at;
            if (strncmp(a, "10", 2) == 0) {
                r = 'T';
                s = a[2];
            }
            at = strchr(order, r);
            if (at == NULL || s == 0 || strchr("CDHS", s) == NULL || a[0] == 'T' || strlen(a) > (r == 'T' ? 3 : 2)) {
                bad = 1;
                continue;
            }
            of[at - order]++;
            if (++suit[(int)s] == 5)
                flush = 1;
            n++;
        }
        if (bad || n != 5) {
            puts("not a hand");
            continue;
        }
        row = of[12] == 1;      /* an ace goes before the two */
        for (int r = 0; r < 13; r++) {
            groups[of[r]]++;
            row = of[r] == 1 ? row + 1 : 0;
            if (row > longest)
                longest = row;
            if (of[r]) {
                high = r;
                if (low == 13)
                    low = r;
            }
        }
        int k = longest >= 5 ? (flush ? BEST : STRAIGHT) : groups[4] ? FOUR : groups[3] ? (groups[2] ? FULL : THREE) : flush ? FLUSH : groups[2] == 2 ? PAIRS : groups[2] ? PAIR : HIGH;
        seen[k]++;
        rank_out(low);
        printf(" to ");
        rank_out(high);
        printf(": %s\n", name[k]);
    }
    for (int k = BEST; k >= HIGH; k--)
        if (seen[k])
            printf("%d x %s\n", seen[k], name[k]);
    return 0;
}
