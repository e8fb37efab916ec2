#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* one byte for each number */

static char in[26][101];

static void show(int k)
{
  int n, total = 0, runs = 0;
  printf("%c = {", 'A' + k);
  for (n = 0; n < 100; n++) {
    if (!in[k][n])
      continue;
    total++;
    if (n == 0 || !in[k][n - 1])
      printf("%s%d", runs++ ? "," : "", n);
    else if (!in[k][n + 1])
      printf("-%d", n);
  }
  printf("} %d\n", total);
}

int main(int argc, char **argv)
{
  for (argv++; argc > 1; argc--, argv++) {
    char *s = *argv;
    int a = s[0] - 'A', b, n, part = 1;
    if (a < 0 || a > 25) {
      printf("no set %s\n", s);
      return 1;
    }
    if (!s[1]) {
      show(a);
    } else if (s[1] == '?') {
      n = atoi(s + 2);
      printf("%s: %s\n", s, n < 100 && in[a][n] ? "yes" : "no");
    } else if (s[1] == '=') {
      char copy[200], *item;
      memset(in[a], 0, 100);
      strcpy(copy, s + 2);
      for (item = strtok(copy, ","); item; item = strtok(NULL, ",")) {
        int from = 0, to;
        if (sscanf(item, "%d-%d", &from, &to) < 2)
          to = from;
        while (from <= to && from < 100)
          in[a][from++] = 1;
      }
    } else {
      b = s[2] - 'A';
      if (b < 0 || b > 25)
        return 1;
      for (n = 0; n < 100; n++) {
        int x = in[a][n], y = in[b][n];
        if (s[1] == '<')
          part &= !x || y;
        else
          in[25][n] = s[1] == '+' ? x || y : s[1] == '&' ? x && y : s[1] == '-' ? x && !y : x != y;
      }
      if (s[1] == '<')
        printf("%s: %s\n", s, part ? "yes" : "no");
      else
        show(25);
    }
  }
  return 0;
}
