#include <stdio.h>
#include <string.h>

/* Instant runoff. Each argument is a ballot such as CAB: C first, then A, then B.
   In each round the candidate with the fewest votes goes out (the later letter of equal ones),
   until someone has more than half of the votes that still count. */

#define CANDIDATES 6

struct ballot {
    const char *ranks;
    int at;                 /* whose turn it is */
};

static struct ballot ballots[100];
static int nballots;
static int out[CANDIDATES], votes[CANDIDATES], running[CANDIDATES];

static int candidate(char c)
{
    return c - 'A';
}

/* the ballots that still count */
static int count_round(void)
{
    int total = 0;

    memset(votes, 0, sizeof votes);
    for (int i = 0; i < nballots; i++) {
        struct ballot *b = &ballots[i];
        if (b->ranks[b->at] != '\0' && out[candidate(b->ranks[b->at])])
            b->at++;
        if (b->ranks[b->at] != '\0') {
            votes[candidate(b->ranks[b->at])]++;
            total++;
        }
    }
    return total;
}

static int winner(int total)
{
    for (int c = 0; c < CANDIDATES; c++)
        if (votes[c] * 2 > total)
            return c;
    return -1;
}

static int weakest(void)
{
    int worst = -1;
    for (int c = 0; c < CANDIDATES; c++)
        if (running[c] && !out[c] && (worst < 0 || votes[c] <= votes[worst]))
            worst = c;
    return worst;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc && i <= 100; i++) {
        for (const char *s = argv[i]; *s != '\0'; s++) {
            if (candidate(*s) < 0 || candidate(*s) >= CANDIDATES) {
                printf("ballot %d: no candidate %c\n", i, *s);
                return 1;
            }
            running[candidate(*s)] = 1;
        }
        ballots[nballots++].ranks = argv[i];
    }
    for (int round = 1; round <= CANDIDATES; round++) {
        int total = count_round();
        if (total == 0)
            break;
        printf("round %d:", round);
        for (int c = 0; c < CANDIDATES; c++)
            if (running[c] && !out[c])
                printf(" %c %d", 'A' + c, votes[c]);
        printf(" of %d\n", total);
        int won = winner(total);
        if (won >= 0) {
            printf("%c wins\n", 'A' + won);
            return 0;
        }
        int worst = weakest();
        out[worst] = 1;
        printf("%c is out\n", 'A' + worst);
    }
    printf("nobody wins\n");
    return 1;
}
