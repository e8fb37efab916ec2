#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WEEK (7 * 24 * 60)

static void show(const char *what, int t)
{
	t = ((t % WEEK) + WEEK) % WEEK;
	printf("%s %.3s %02d:%02d\n", what, "MonTueWedThuFriSatSun" + 3 * (t / 1440), t % 1440 / 60, t % 60);
}

static int zone(const char *s)
{
	int v = atoi(s);

	if (strlen(s) <= 3)
		v *= 100;
	return v / 100 * 60 + v % 100;
}

int main(int argc, char **argv)
{
	const char *days = "MonTueWedThuFriSatSun", *at;
	int h, m, t;

	if (argc != 6)
		return puts("usage: board DAY HH:MM ZONE MINUTES ZONE"), 2;
	at = strstr(days, argv[1]);
	if (!at || sscanf(argv[2], "%d:%d", &h, &m) < 2 || h > 23 || h < 0 || m < 0 || m > 59) {
		puts("bad time");
		return 1;
	}
	t = (int)(at - days) / 3 * 1440 + h * 60 + m;
	show("dep", t);
	t -= zone(argv[3]);
	show("utc", t);
	show("arr", t + atoi(argv[4]) + zone(argv[5]));
	return 0;
}
