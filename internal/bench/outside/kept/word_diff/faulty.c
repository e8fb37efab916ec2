#include <stdio.h>
#include <string.h>

// Which words were taken out of a sentence and which put in: OLD WORDS / NEW WORDS
// (the two are divided by a slash). Longest common subsequence by a table.

#define MAXWORDS 32

static int common[MAXWORDS + 1][MAXWORDS + 1];

// common[i][j]: the longest common part of a from i on and of b from j on
static void fill(char **a, int na, char **b, int nb) {
  for (int i = na; i >= 0; i--) {
    for (int j = nb; j >= 0; j--) {
      if (i == na || j == nb) {
        common[i][j] = 0;
      } else if (strcmp(a[i], b[j]) == 0) {
        common[i][j] = 1 + common[i + 1][j + 1];
      } else {
        int skip_a = common[i + 1][j], skip_b = common[i][j + 1];
        common[i][j] = skip_a < skip_b ? skip_a : skip_b;
      }
    }
  }
}

static int print_words(char sign, char **words, int from, int to) {
  if (from == to)
    return 0;
  printf("%c[", sign);
  for (int i = from; i < to; i++)
    printf("%s%s", i > from ? " " : "", words[i]);
  printf("] ");
  return to - from;
}

static void walk(char **a, int na, char **b, int nb) {
  int i = 0, j = 0, out = 0, in = 0;
  while (i < na || j < nb) {
    int i0 = i, j0 = j;
    while (i < na && common[i + 1][j] == common[i][j])
      i++;
    while (j < nb && common[i][j + 1] == common[i][j])
      j++;
    out += print_words('-', a, i0, i);
    in += print_words('+', b, j0, j);
    if (i < na && j < nb) {
      printf("%s ", a[i]);
      i++;
      j++;
    }
  }
  printf("\n%d out, %d in, %d kept\n", out, in, na - out);
}

int main(int argc, char **argv) {
  int slash = 1;

  while (slash < argc && strcmp(argv[slash], "/") != 0)
    slash++;
  if (slash == argc) {
    printf("no slash\n");
    return 1;
  }
  char **a = argv + 1, **b = argv + slash + 1;
  int na = slash - 1, nb = argc - slash - 1;
  if (na > MAXWORDS || nb > MAXWORDS) {
    printf("too many words\n");
    return 1;
  }
  fill(a, na, b, nb);
  walk(a, na, b, nb);
  return 0;
}
