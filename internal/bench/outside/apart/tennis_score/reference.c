#include <stdio.h>

/* index 0 is A, 1 is B; the state of a game is kept by name */

static int games[2], deuce_count, points;

static int read_point(int argc, char **argv)
{
    static int word = 1, at = 0;
    while (word < argc && argv[word][at] == 0) {
        word++;
        at = 0;
    }
    if (word >= argc)
        return -1;
    points++;
    return argv[word][at++] == 'A' ? 0 : 1;
}

/* both return who wins, or -1 when the points are used up */
static int game(int argc, char **argv)
{
    int score[2] = {0, 0};      /* 0 1 2 3 as usual, 4 is the advantage */
    static const char *call[] = {"0", "15", "30", "40"};
    for (;;) {
        int w = read_point(argc, argv);
        if (w < 0) {
            if (score[0] == 4 || score[1] == 4)
                printf("advantage %c\n", score[0] == 4 ? 'A' : 'B');
            else if (score[0] == 3 && score[1] == 3)
                printf("deuce\n");
            else
                printf("%s-%s\n", call[score[0]], call[score[1]]);
            return -1;
        }
        int l = 1 - w;
        if (score[w] == 4 || (score[w] == 3 && score[l] < 3))
            return w;
        if (score[l] == 4)
            score[l] = 3;
        else
            score[w]++;
        if (score[w] == 3 && score[l] == 3)
            deuce_count++;
    }
}

static int tiebreak(int argc, char **argv)
{
    int s[2] = {0, 0};
    for (;;) {
        int w = read_point(argc, argv);
        if (w < 0) {
            printf("%d-%d in the tie-break\n", s[0], s[1]);
            return -1;
        }
        if (++s[w] >= 7 && s[w] >= s[1 - w] + 2)
            return w;
    }
}

int main(int argc, char **argv)
{
    for (;;) {
        int last = games[0] == 6 && games[1] == 6;
        int w = last ? tiebreak(argc, argv) : game(argc, argv);
        if (w < 0)
            break;
        games[w]++;
        printf("games %d:%d\n", games[0], games[1]);
        if (last || (games[w] >= 6 && games[w] >= games[1 - w] + 2)) {
            printf("%c wins %d:%d\n", 'A' + w, games[0], games[1]);
            break;
        }
    }
    printf("%d points, %d times deuce\n", points, deuce_count);
    return 0;
}
