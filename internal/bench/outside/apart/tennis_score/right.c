#include <stdio.h>
#include <string.h>

/* Tennis, one set.  The argument is a text of A and B, who won each point; a server is
   not kept track of.  At six games all a tie-break to seven is played. */

static const char *names[] = {"0", "15", "30", "40"};

struct match {
    int points_a, points_b;
    int games_a, games_b;
    int deuces;
    char winner;
};

static int in_tiebreak(const struct match *m)
{
    return m->games_a == 6 && m->games_b == 6;
}

static void set_over(struct match *m)
{
    int a = m->games_a, b = m->games_b;
    if ((a >= 6 && a - b >= 2) || a == 7)
        m->winner = 'A';
    else if ((b >= 6 && b - a >= 2) || b == 7)
        m->winner = 'B';
}

static void game_over(struct match *m)
{
    int need = in_tiebreak(m) ? 7 : 4;
    if (m->points_a >= need && m->points_a - m->points_b >= 2)
        m->games_a++;
    else if (m->points_b >= need && m->points_b - m->points_a >= 2)
        m->games_b++;
    else
        return;
    m->points_a = 0;
    m->points_b = 0;
    printf("games %d:%d\n", m->games_a, m->games_b);
    set_over(m);
}

static void point(struct match *m, char who)
{
    if (who == 'A')
        m->points_a++;
    else
        m->points_b++;
    if (!in_tiebreak(m) && m->points_a >= 3 && m->points_a == m->points_b)
        m->deuces++;
    game_over(m);
}

static void print_points(const struct match *m)
{
    int a = m->points_a, b = m->points_b;
    if (in_tiebreak(m))
        printf("%d-%d in the tie-break", a, b);
    else if (a >= 3 && b >= 3) {
        if (a == b)
            printf("deuce");
        else
            printf("advantage %c", a > b ? 'A' : 'B');
    } else
        printf("%s-%s", names[a], names[b]);
    printf("\n");
}

int main(int argc, char **argv)
{
    struct match m = {0, 0, 0, 0, 0, 0};
    int played = 0;

    for (int i = 1; i < argc; i++)
        for (const char *p = argv[i]; *p != '\0' && !m.winner; p++) {
            point(&m, *p);
            played++;
        }
    if (m.winner)
        printf("%c wins %d:%d\n", m.winner, m.games_a, m.games_b);
    else
        print_points(&m);
    printf("%d points, %d times deuce\n", played, m.deuces);
    return 0;
}
