#include <stdio.h>
#include <string.h>

/* All games are kept. A team's figures are counted from them whenever they are needed, and
   the table is printed by looking for the next best team. */

static struct game { char team[2][16]; int goals[2]; } game[200];
static int games;

static struct figures { int w, d, l, f, a, pts; } fig;

static void figures(const char *team)
{
	memset(&fig, 0, sizeof fig);
	for (int k = 0; k < games; k++)
		for (int side = 0; side < 2; side++) {
			struct game *g = &game[k];
			if (strcmp(g->team[side], team))
				continue;
			int mine = g->goals[side], other = g->goals[!side];
			fig.f += mine;
			fig.a += other;
			if (mine == other)
				fig.d++;
			else if (mine > other)
				fig.w++;
			else
				fig.l++;
		}
	fig.pts = fig.w * 3 + fig.d;
}

int main(void)
{
	const char *name[64];
	char shown[64] = {0};
	int n = 0;
	struct game *g = game;
	while (scanf("%15s%15s%d:%d", g->team[0], g->team[1], &g->goals[0], &g->goals[1]) == 4) {
		if (!strcmp(g->team[0], g->team[1])) {
			printf("%s against itself\n", g->team[0]);
			continue;
		}
		for (int side = 0; side < 2; side++) {
			int k = 0;
			while (k < n && strcmp(name[k], g->team[side]))
				k++;
			if (k == n)
				name[n++] = g->team[side];
		}
		g++;
		games++;
	}
	printf("   %8s P W D L Goals Pts\n", "");
	int place = 0;
	struct figures last = {-1, 0, 0, 0, 0, -1};
	for (int i = 1; i <= n; i++) {
		int best = -1;
		long key, top = 0;
		for (int k = 0; k < n; k++) {
			if (shown[k])
				continue;
			figures(name[k]);
			key = fig.pts * 1000000L + (fig.f - fig.a) * 1000L + fig.f;
			if (best < 0 || key > top || (key == top && strcmp(name[k], name[best]) < 0)) {
				best = k;
				top = key;
			}
		}
		shown[best] = 1;
		figures(name[best]);
		if (fig.pts != last.pts || fig.f != last.f || fig.a != last.a)
			place = i;
		last = fig;
		printf("%2d %-8s %d %d %d %d %2d:%-2d %3d\n", place, name[best], fig.w + fig.d + fig.l, fig.w, fig.d, fig.l, fig.f, fig.a, fig.pts);
	}
	return 0;
}
