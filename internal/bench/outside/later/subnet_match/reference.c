#include <stdio.h>
#include <string.h>
#include <stdlib.h>

/* networks as strings of 0 and 1, compared with strncmp */

struct row { char bits[40]; char text[30]; char name[20]; };
static struct row rows[100];
static int n;

static int to_bits(const char *s, char *bits)
{
  int part[4], i, k;
  if (sscanf(s, "%d.%d.%d.%d", part, part + 1, part + 2, part + 3) < 4)
    return 0;
  for (i = 0; i < 4; i++) {
    if (part[i] < 0 || part[i] > 255)
      return 0;
    for (k = 7; k >= 0; k--)
      *bits++ = '0' + part[i] / (1 << k) % 2;
  }
  *bits = 0;
  return 1;
}

static int find(const char *bits)
{
  int i;
  for (i = 0; i < n && strcmp(rows[i].bits, bits); i++)
    ;
  return i;
}

int main(void)
{
  char line[100], what[10], where[40], name[20], bits[40];
  int i, k;
  while (fgets(line, 100, stdin)) {
    char *slash;
    if (sscanf(line, "%9s %39s %19s", what, where, name) < 2)
      break;
    slash = strchr(where, '/');
    if (!strcmp(what, "to")) {
      int best = -1;
      if (!to_bits(where, bits)) {
        printf("bad address %s\n", where);
        continue;
      }
      for (i = 0; i < n; i++)
        if (!strncmp(rows[i].bits, bits, strlen(rows[i].bits)))
          if (best < 0 || strlen(rows[best].bits) < strlen(rows[i].bits))
            best = i;
      printf("%s -> %s\n", where, best < 0 ? "nowhere" : rows[best].name);
      continue;
    }
    if (!slash || atoi(slash + 1) > 32 || atoi(slash + 1) < 0 || !to_bits(where, bits)) {
      puts("bad net");
      continue;
    }
    bits[atoi(slash + 1)] = 0;
    i = find(bits);
    if (!strcmp(what, "route")) {
      if (i == n)
        n++;
      strcpy(rows[i].bits, bits);
      strcpy(rows[i].name, name);
    } else if (i == n) {
      puts("no such route");
    } else {
      for (n--; i < n; i++)
        rows[i] = rows[i + 1];
    }
  }
  for (i = 0; i < n; i++) {
    int part[4] = {0};
    for (k = 0; rows[i].bits[k]; k++)
      part[k / 8] += (rows[i].bits[k] - '0') << (7 - k % 8);
    printf("%d.%d.%d.%d/%d %s\n", part[0], part[1], part[2], part[3], k, rows[i].name);
  }
  return 0;
}
