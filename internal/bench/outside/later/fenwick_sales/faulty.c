#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sales per day, days 1 to N, in a Fenwick tree.
     add DAY AMOUNT | sum FROM TO | reach AMOUNT (the first day on which the sales since day 1
     are that much) | top */

typedef struct
{
  int days;
  long *tree;
} Sales;

static Sales *new_sales (int days)
{
  Sales *s = malloc (sizeof *s);

  s->days = days;
  s->tree = calloc (days + 1, sizeof (long));
  return s;
}

static void add (Sales *s, int day, long amount)
{
  int i;

  for (i = day; i < s->days; i += i & -i)
    s->tree[i] += amount;
}

static long until (const Sales *s, int day)
{
  long sum = 0;

  for (; day > 0; day -= day & -day)
    sum += s->tree[day];
  return sum;
}

static long between (const Sales *s, int from, int to)
{
  if (from > to)
    return 0;
  return until (s, to) - until (s, from);
}

static int reach (const Sales *s, long amount)
{
  int lo = 1, hi = s->days;

  if (until (s, hi) < amount)
    return 0;
  while (lo < hi)
    {
      int mid = (lo + hi) / 2;
      if (until (s, mid) >= amount)
        hi = mid;
      else
        lo = mid + 1;
    }
  return lo;
}

int main (void)
{
  char cmd[16];
  int days, a, b, d;
  Sales *s;

  if (scanf ("%d", &days) != 1 || days < 1)
    {
      printf ("how many days?\n");
      return 1;
    }
  s = new_sales (days);
  while (scanf ("%15s", cmd) == 1)
    {
      if (!strcmp (cmd, "add") && scanf ("%d %d", &a, &b) == 2)
        {
          if (a < 1 || a > days)
            printf ("no day %d\n", a);
          else
            add (s, a, b);
        }
      else if (!strcmp (cmd, "sum") && scanf ("%d %d", &a, &b) == 2)
        {
          if (a < 1 || b > days)
            printf ("no such days\n");
          else
            printf ("%d to %d: %ld\n", a, b, between (s, a, b));
        }
      else if (!strcmp (cmd, "reach") && scanf ("%d", &a) == 1)
        {
          d = reach (s, a);
          if (d > 0)
            printf ("%d on day %d\n", a, d);
          else
            printf ("%d: not yet\n", a);
        }
      else if (!strcmp (cmd, "top"))
        {
          for (a = d = 1; d <= days; d++)
            if (between (s, d, d) > between (s, a, a))
              a = d;
          printf ("top: day %d with %ld\n", a, between (s, a, a));
        }
      else
        break;
    }
  printf ("all: %ld\n", until (s, days));
  free (s->tree);
  free (s);
  return 0;
}
