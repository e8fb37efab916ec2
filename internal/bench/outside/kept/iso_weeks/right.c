#include <stdio.h>
#include <stdlib.h>

/* ISO week numbers: week 1 is that with the first Thursday of the year; weeks begin on Monday.
   Arguments are dates, YYYY-MM-DD, or weeks, YYYY-Wn, which give the Monday of that week. */

struct date {
	int year, month, day;
};

static int leap(int y)
{
	return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
}

static int days_in(int y, int m)
{
	switch (m) {
	case 4: case 6: case 9: case 11:
		return 30;
	case 2:
		return leap(y) ? 29 : 28;
	default:
		return 31;
	}
}

/* 1 for the first of January */
static int day_of_year(struct date d)
{
	int m, n = d.day;

	for (m = 1; m < d.month; m++)
		n += days_in(d.year, m);
	return n;
}

/* 1 Monday to 7 Sunday, for a day of a year */
static int weekday(int year, int n)
{
	int y = year - 1;

	return (y * 365 + y / 4 - y / 100 + y / 400 + n - 1) % 7 + 1;
}

static int weeks_in(int year)
{
	int first = weekday(year, 1);

	return first == 4 || (first == 3 && leap(year)) ? 53 : 52;
}

static void print_week(struct date d)
{
	int n = day_of_year(d), year = d.year;
	int wd = weekday(year, n);
	int week = (n - wd + 10) / 7;

	if (week < 1) {
		year--;
		week = weeks_in(year);
	} else if (week > weeks_in(year)) {
		year++;
		week = 1;
	}
	printf("%04d-%02d-%02d is %d-W%02d-%d\n", d.year, d.month, d.day, year, week, wd);
}

static void print_monday(int year, int week)
{
	int n = 7 * (week - 1) + 1 + 3 - (weekday(year, 4) - 1);
	struct date d = { year, 1, n };

	if (d.day < 1) {
		d.year--;
		d.month = 12;
		d.day += 31;
	}
	while (d.day > days_in(d.year, d.month)) {
		d.day -= days_in(d.year, d.month);
		d.month++;
	}
	printf("%d-W%02d begins on %04d-%02d-%02d\n", year, week, d.year, d.month, d.day);
}

int main(int argc, char **argv)
{
	int i, year, week;
	struct date d;

	for (i = 1; i < argc; i++) {
		if (sscanf(argv[i], "%d-W%d", &year, &week) == 2) {
			if (week < 1 || week > weeks_in(year))
				printf("%d has %d weeks\n", year, weeks_in(year));
			else
				print_monday(year, week);
		} else if (sscanf(argv[i], "%d-%d-%d", &d.year, &d.month, &d.day) == 3
		    && d.month >= 1 && d.month <= 12 && d.day >= 1 && d.day <= days_in(d.year, d.month)) {
			print_week(d);
		} else {
			printf("no date: %s\n", argv[i]);
		}
	}
	return 0;
}
