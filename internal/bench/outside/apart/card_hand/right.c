#include <stdio.h>
#include <string.h>

/* Names poker hands of five cards, such as 10H JH QH KH AH, one hand a line, and tells how
   often each kind came. */

const char *ranks[] = {"2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"};
const char *suits = "CDHS";

const char *kinds[] = {"high card", "one pair", "two pairs", "three of a kind", "straight", "flush",
    "full house", "four of a kind", "straight flush"};

struct card { int rank, suit; };

/* returns 0 if the text is no card */
int parse(const char *s, struct card *c)
{
    int n = strlen(s);
    const char *suit;
    if (n < 2 || n > 3 || (suit = strchr(suits, s[n - 1])) == NULL)
        return 0;
    c->suit = suit - suits;
    for (c->rank = 0; c->rank < 13; c->rank++)
        if ((int)strlen(ranks[c->rank]) == n - 1 && strncmp(s, ranks[c->rank], n - 1) == 0)
            return 1;
    return 0;
}

void sort(struct card *h)
{
    for (int i = 1; i < 5; i++) {
        struct card c = h[i];
        int j = i;
        while (j > 0 && h[j - 1].rank > c.rank) {
            h[j] = h[j - 1];
            j--;
        }
        h[j] = c;
    }
}

int is_flush(const struct card *h)
{
    for (int i = 1; i < 5; i++)
        if (h[i].suit != h[0].suit)
            return 0;
    return 1;
}

int is_straight(const struct card *h)
{
    for (int i = 1; i < 4; i++)
        if (h[i].rank != h[i - 1].rank + 1)
            return 0;
    /* the ace may stand below the two */
    return h[4].rank == h[3].rank + 1 || (h[4].rank == 12 && h[0].rank == 0);
}

int kind(const struct card *h)
{
    int same = 0;
    for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 5; j++)
            same += h[i].rank == h[j].rank;
    switch (same) {
    case 1: return 1;
    case 2: return 2;
    case 3: return 3;
    case 4: return 6;
    case 6: return 7;
    }
    if (is_straight(h))
        return is_flush(h) ? 8 : 4;
    return is_flush(h) ? 5 : 0;
}

int main(void)
{
    char line[80];
    int counts[9] = {0};

    while (fgets(line, sizeof line, stdin)) {
        struct card h[5];
        int n = 0;
        for (char *w = strtok(line, " \n"); w; w = strtok(NULL, " \n"))
            if (n < 5 && parse(w, &h[n]))
                n++;
            else
                n = 99;
        if (n != 5) {
            printf("not a hand\n");
            continue;
        }
        sort(h);
        int k = kind(h);
        counts[k]++;
        printf("%s to %s: %s\n", ranks[h[0].rank], ranks[h[4].rank], kinds[k]);
    }
    for (int k = 8; k >= 0; k--)
        if (counts[k] > 0)
            printf("%d x %s\n", counts[k], kinds[k]);
    return 0;
}
