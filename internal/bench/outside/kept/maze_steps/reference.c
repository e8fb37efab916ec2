#include <stdio.h>
#include <string.h>

/* distances are relaxed over the whole maze until nothing gets shorter */

int main(int argc, char **argv)
{
  enum { FAR = 9999 };
  int far[400], w, h = argc - 1, i, moved, at = -1, goal = -1;
  char all[400] = "";

  if (h < 1 || h > 16) {
    puts("give me rows");
    return 2;
  }
  w = strlen(argv[1]);
  for (i = 1; i <= h; i++) {
    if ((int)strlen(argv[i]) != w || w > 16) {
      printf("row %d is not like the first\n", i);
      return 2;
    }
    strcat(all, argv[i]);
  }
  if (strchr(all, 'S'))
    at = strchr(all, 'S') - all;
  if (strchr(all, 'E'))
    goal = strchr(all, 'E') - all;
  if (at < 0 || goal < 0) {
    puts("no start or no end");
    return 2;
  }
  for (i = 0; i < w * h; i++)
    far[i] = i == goal ? 0 : FAR;
  do {
    moved = 0;
    for (i = 0; i < w * h; i++) {
      int best = FAR;
      if (all[i] == '#')
        continue;
      if (i >= w && far[i - w] < best) best = far[i - w];
      if (i + w < w * h && far[i + w] < best) best = far[i + w];
      if (i % w > 0 && far[i - 1] < best) best = far[i - 1];
      if (i % w < w - 1 && far[i + 1] < best) best = far[i + 1];
      if (best + 1 < far[i]) {
        far[i] = best + 1;
        moved = 1;
      }
    }
  } while (moved);
  if (far[at] == FAR) {
    puts("no way");
    return 1;
  }
  printf("%d steps\n", far[at]);
  for (i = at; i != goal;) {
    int next = far[i] - 1;
    if (i >= w && far[i - w] == next) i -= w;
    else if (i % w < w - 1 && far[i + 1] == next) i++;
    else if (i + w < w * h && far[i + w] == next) i += w;
    else i--;
    if (all[i] == '.')
      all[i] = '*';
  }
  for (i = 0; i < h; i++)
    printf("%.*s\n", w, all + i * w);
  return 0;
}
