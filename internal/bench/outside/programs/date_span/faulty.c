/* days between two dates, and the date some days later */
#include <stdio.h>
#include <stdlib.h>

struct date { int y, m, d; };

static int leap(int y) {
  return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
}

static int month_length(int y, int m) {
  switch (m) {
  case 2: return leap(y) ? 29 : 28;
  case 4: case 6: case 9: case 11: return 30;
  default: return 31;
  }
}

static int before(struct date a, struct date b) {
  return a.y < b.y || a.m < b.m || a.d < b.d;
}

static struct date tomorrow(struct date t) {
  if (t.d < month_length(t.y, t.m)) {
    t.d++;
    return t;
  }
  t.d = 1;
  if (t.m < 12) {
    t.m++;
  } else {
    t.m = 1;
    t.y++;
  }
  return t;
}

static int span(struct date a, struct date b) {
  int days = 0;
  if (before(b, a)) return -span(b, a);
  while (before(a, b) && days < 100000) {
    a = tomorrow(a);
    days++;
  }
  return days;
}

static int read_date(const char *s, struct date *t) {
  return sscanf(s, "%d-%d-%d", &t->y, &t->m, &t->d) == 3 && t->y > 1600 && t->y < 2500 &&
         t->m >= 1 && t->m <= 12 && t->d >= 1 && t->d <= month_length(t->y, t->m);
}

int main(int argc, char **argv) {
  struct date a, b;
  if (argc < 3 || !read_date(argv[1], &a)) {
    printf("usage: span YEAR-MONTH-DAY (YEAR-MONTH-DAY | +DAYS)\n");
    return 2;
  }
  if (argv[2][0] == '+') {
    int n = atoi(argv[2] + 1);
    while (n-- > 0 && a.y < 2500) a = tomorrow(a);
    printf("%04d-%02d-%02d\n", a.y, a.m, a.d);
  } else if (read_date(argv[2], &b)) {
    printf("%d days\n", span(a, b));
  } else {
    printf("bad date %s\n", argv[2]);
    return 2;
  }
  return 0;
}
