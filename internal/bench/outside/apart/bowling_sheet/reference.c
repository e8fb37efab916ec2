#include <stdio.h>
#include <stdlib.h>

/* Goes through the balls once; each ball counts once, and once more for every strike or
   spare that waits for it. */

typedef struct {
	int first, second, third;	/* -1: not thrown */
	int waits;			/* balls still to be added */
	int points;
	char kind;
} Frame;

static const char *mark(int pins)
{
	static const char *names[] = {"-", "1", "2", "3", "4", "5", "6", "7", "8", "9", "X"};
	return names[pins];
}

int main(int argc, char *argv[])
{
	Frame f[10];
	int now = 0, total = 0, kinds[128] = {0};

	for (int i = 0; i < 10; i++)
		f[i] = (Frame){-1, -1, -1, 0, 0, 'o'};
	for (int a = 1; a < argc; a++) {
		int pins = atoi(argv[a]);
		for (int i = 0; i <= now; i++)
			if (f[i].waits > 0) {
				f[i].points += pins;
				f[i].waits--;
			}
		Frame *g = &f[now];
		if (g->first < 0) {
			g->first = pins;
			g->points += pins;
			if (pins == 10) {
				g->kind = 's';
				g->waits = 2;
				if (now < 9)
					now++;
			}
		} else if (g->second < 0) {
			g->second = pins;
			if (g->kind == 's')
				continue;
			g->points += pins;
			if (g->first + pins == 10) {
				g->kind = '/';
				g->waits = 1;
			}
			if (now < 9)
				now++;
		} else {
			g->third = pins;
		}
	}
	if (f[9].first < 0) {
		int n = 1;
		for (int i = 0; i < 9 && f[i].first >= 0; i++) {
			total += f[i].points;
			printf("%2d: %s", n++, mark(f[i].first));
			if (f[i].first < 10)
				printf("%s", f[i].kind == '/' ? "/" : mark(f[i].second));
			printf(" %d\n", total);
		}
		puts("the game is not over");
		return 1;
	}
	for (int i = 0; i < 10; i++) {
		total += f[i].points;
		kinds[(int)f[i].kind]++;
		printf("%2d: %s", i + 1, mark(f[i].first));
		if (f[i].second >= 0)
			printf("%s", f[i].kind == '/' ? "/" : mark(f[i].second));
		if (f[i].third >= 0)
			printf("%s", f[i].kind == 's' && f[i].second < 10 && f[i].second + f[i].third == 10 ? "/" : mark(f[i].third));
		printf(" %d\n", total);
	}
	printf("%d strikes, %d spares, %d open\n", kinds['s'], kinds['/'], kinds['o']);
	if (total == 300)
		puts("perfect");
	return 0;
}
