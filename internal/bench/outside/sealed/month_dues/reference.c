#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names = "dwmy";

static int length(int year, int month)
{
	if (month == 2)
		return year % 400 == 0 || (year % 100 && year % 4 == 0) ? 29 : 28;
	return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

int main(int argc, char **argv)
{
	int y, m, d, step, n, k;
	char u;

	if (argc != 4)
		return puts("usage: dues DATE EVERY COUNT"), 2;
	if (sscanf(argv[1], "%d-%d-%d", &y, &m, &d) < 3 || y < 1 || m < 1 || m > 12 || d < 1 ||
	    d > length(y, m) || sscanf(argv[2], "%d%c", &step, &u) < 2 || step < 1 || !strchr(names, u))
		return puts("bad input"), 1;
	n = atoi(argv[3]);
	for (k = 0; k < n; k++) {
		int yy = y, mm = m, dd = d, more = k * step;

		if (u == 'm' || u == 'y') {
			for (more *= u == 'y' ? 12 : 1; more > 0; more--)
				if (mm++ == 12) {
					mm = 1;
					yy++;
				}
			if (dd > length(yy, mm))
				dd = length(yy, mm);
		}
		for (more *= u == 'w' ? 7 : 1; more > 0; more--)
			if (dd++ == length(yy, mm)) {
				dd = 1;
				if (mm++ == 12) {
					mm = 1;
					yy++;
				}
			}
		printf("%04d-%02d-%02d\n", yy, mm, dd);
	}
	return 0;
}
