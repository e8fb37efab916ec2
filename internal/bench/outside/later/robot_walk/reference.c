#include <stdio.h>
#include <string.h>
#include <ctype.h>

/* The program is unfolded first; the direction is a vector that is turned. */

struct text { char s[5000]; int n; };

static int unfold(const char *p, int i, struct text *out)
{
  while (p[i] && p[i] != ']') {
    int count = 0, any = 0;
    while (isdigit((unsigned char)p[i])) {
      count = 10 * count + p[i++] - '0';
      any = 1;
    }
    if (!any)
      count = 1;
    if (p[i] == '[') {
      struct text inner = {"", 0};
      i = unfold(p, i + 1, &inner);
      if (p[i])
        i++;
      for (; count > 0; count--)
        for (int k = 0; k < inner.n; k++)
          out->s[out->n++] = inner.s[k];
    } else if (p[i]) {
      for (; count > 0; count--)
        out->s[out->n++] = p[i];
      i++;
    }
  }
  return i;
}

int main(int argc, char **argv)
{
  char board[6][7];
  int x = 2, y = 2, vx = 0, vy = 1, steps = 0, bumps = 0, t;
  for (t = 0; t < 6; t++)
    strcpy(board[t], "......");
  for (int a = 1; a < argc; a++) {
    struct text all = {"", 0};
    unfold(argv[a], 0, &all);
    for (int k = 0; k < all.n; k++)
      if (all.s[k] == 'L') {
        t = vx, vx = -vy, vy = t;
      } else if (all.s[k] == 'R') {
        t = vx, vx = vy, vy = -t;
      } else if (all.s[k] == 'D') {
        board[5 - y][x] = '*';
      } else if (all.s[k] == 'F') {
        if (x + vx >= 0 && x + vx < 6 && y + vy >= 0 && y + vy < 6) {
          x += vx;
          y += vy;
          steps++;
        } else {
          bumps++;
        }
      }
    printf("%d,%d %s, %d steps", x, y, vy > 0 ? "north" : vy < 0 ? "south" : vx > 0 ? "east" : "west", steps);
    if (bumps)
      printf(", %d bumps", bumps);
    printf("\n");
  }
  board[5 - y][x] = 'R';
  for (t = 0; t < 6; t++)
    puts(board[t]);
  return 0;
}
