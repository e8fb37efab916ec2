#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAXTEAMS 16

typedef struct {
	char name[16];
	int played, won, drawn, lost;
	int scored, conceded;
} Team;

static Team teams[MAXTEAMS];
static int count;

static Team *get(const char *name)
{
	for (Team *t = teams; t < teams + count; t++)
		if (strcmp(t->name, name) == 0)
			return t;
	if (count == MAXTEAMS)
		exit(1);
	strcpy(teams[count].name, name);
	return &teams[count++];
}

static int points(const Team *t)
{
	return 3 * t->won + t->drawn;
}

/* more points, then better difference, then more goals, then the name */
static int compare(const void *x, const void *y)
{
	const Team *a = x, *b = y;
	int d = points(b) - points(a);
	if (d == 0)
		d = (b->scored - b->conceded) - (a->scored - a->conceded);
	if (d == 0)
		d = b->scored - a->scored;
	if (d == 0)
		d = strcmp(a->name, b->name);
	return d;
}

static void result(const char *home, const char *away, int h, int g)
{
	Team *a = get(home), *b = get(away);
	a->played++;
	b->played++;
	a->scored += h;
	a->conceded += g;
	b->scored += g;
	b->conceded += g;
	if (h > g) {
		a->won++;
		b->lost++;
	} else if (h < g) {
		b->won++;
		a->lost++;
	} else {
		a->drawn++;
		b->drawn++;
	}
}

int main(void)
{
	char home[16], away[16];
	int h, g;

	/* lines like: Reds Blues 2:1 */
	while (scanf("%15s %15s %d:%d", home, away, &h, &g) == 4) {
		if (strcmp(home, away) == 0) {
			printf("%s against itself\n", home);
			continue;
		}
		result(home, away, h, g);
	}
	qsort(teams, count, sizeof(Team), compare);
	printf("   %-8s P W D L Goals Pts\n", "");
	int rank = 0;
	for (int i = 0; i < count; i++) {
		Team *t = &teams[i];
		int same = i > 0 && points(t) == points(t - 1) && t->scored == t[-1].scored && t->conceded == t[-1].conceded;
		if (!same)
			rank = i + 1;
		printf("%2d %-8s %d %d %d %d %2d:%-2d %3d\n", rank, t->name, t->played, t->won, t->drawn, t->lost, t->scored, t->conceded, points(t));
	}
	return 0;
}
