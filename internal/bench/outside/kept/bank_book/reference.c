#include <stdio.h>
#include <string.h>

/* One journal for all; what an account has is added up when it is asked for. */

#define LINES 400

static struct { int who, sum; } journal[LINES];
static int written;
static char people[50][16];
static int npeople;

static int who_is(const char *s)
{
  for (int i = 0; i < npeople; i++)
    if (!strcmp(people[i], s))
      return i;
  return -1;
}

static int has(int who)
{
  int sum = 0;
  for (int i = 0; i < written; i++)
    if (journal[i].who == who)
      sum += journal[i].sum;
  return sum;
}

static void write_down(int who, int sum)
{
  journal[written].who = who;
  journal[written++].sum = sum;
}

int main(void)
{
  char line[100], w[16], x[16], y[16];

  while (fgets(line, 100, stdin)) {
    int n = 0, i;
    y[0] = 0;
    if (sscanf(line, "move %15s %15s %d", x, y, &n) == 3)
      strcpy(w, "move");
    else if (sscanf(line, "%15s %15s %d", w, x, &n) < 2)
      break;
    int from = who_is(x), to = who_is(y);
    if (w[0] == 'o' && from < 0) {
      strcpy(people[npeople], x);
      if (n)
        write_down(npeople, n);
      npeople++;
    } else if (w[0] == 'o') {
      printf("%s is there already\n", x);
    } else if (from < 0 || (w[0] == 'm' && to < 0)) {
      puts("no account");
    } else if (!strcmp(w, "put")) {
      write_down(from, n);
    } else if (!strcmp(w, "print")) {
      int count = 0, sum = 0;
      for (i = 0; i < written; i++)
        count += journal[i].who == from;
      printf("%s: %d in %d entries\n", x, has(from), count);
      for (i = 0; i < written; i++)
        if (journal[i].who == from)
          printf("  %+6d %6d\n", journal[i].sum, sum += journal[i].sum);
    } else if (has(from) < n) {
      printf("%s has only %d\n", x, has(from));
    } else {
      write_down(from, -n);
      if (w[0] == 'm')
        write_down(to, n);
    }
  }
  return 0;
}
