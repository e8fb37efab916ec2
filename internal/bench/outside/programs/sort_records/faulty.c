#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	char team[10];
	int played, points, scored, conceded;
} Row;

static Row rows[8];
static int nrows;

static Row *row_of(const char *team)
{
	for (int i = 0; i < nrows; i++)
		if (strcmp(rows[i].team, team) == 0)
			return &rows[i];
	if (nrows == 8)
		return NULL;
	strncpy(rows[nrows].team, team, 9);
	return &rows[nrows++];
}

static void result(Row *a, Row *b, int ga, int gb)
{
	a->played++;
	b->played++;
	a->scored += ga;
	a->conceded += gb;
	b->scored += gb;
	b->conceded += ga;
	if (ga > gb)
		a->points += 3;
	else if (ga < gb)
		b->points += 3;
	else {
		a->points++;
		b->points++;
	}
}

static int compare(const void *x, const void *y)
{
	const Row *a = x, *b = y;
	int da = a->scored - a->conceded;
	int db = b->scored - b->conceded;
	if (a->points != b->points)
		return b->points - a->points;
	if (da != db)
		return da - db;
	if (a->scored != b->scored)
		return b->scored - a->scored;
	return strcmp(a->team, b->team);
}

static int ahead(const Row *a, const Row *b)
{
	return compare(a, b) < 0;
}

static void sort(void)
{
	for (int i = 1; i < nrows; i++) {
		Row r = rows[i];
		int j;
		for (j = i; j > 0 && ahead(&r, &rows[j - 1]); j--)
			rows[j] = rows[j - 1];
		rows[j] = r;
	}
}

int main(void)
{
	char home[10], away[10];
	int h, a;
	while (scanf(" %9[a-z]-%9[a-z] %d:%d", home, away, &h, &a) == 4) {
		Row *x = row_of(home), *y = row_of(away);
		if (x && y && x != y)
			result(x, y, h, a);
	}
	sort();
	for (int i = 0; i < nrows; i++)
		printf("%d. %s %d %d:%d %d\n", i + 1, rows[i].team, rows[i].played, rows[i].scored, rows[i].conceded, rows[i].points);
	return 0;
}
