#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values are their texts: "12", "abc", "(a b)". */

static char s[64][600];
static int n;

/* turns the value at p and writes it to out; gives back what is behind it */
static const char *turned(const char *p, char *out)
{
  char a[600], b[600];
  size_t len;
  if (*p == '(') {
    p = turned(p + 1, a);
    p = turned(p + 1, b);
    sprintf(out, "(%s %s)", b, a);
    return p + 1;
  }
  len = strcspn(p, " )");
  if ((*p >= '0' && *p <= '9') || *p == '-') {
    sprintf(out, "%d", -atoi(p));
  } else {
    for (size_t i = 0; i < len; i++)
      out[i] = p[len - 1 - i];
    out[len] = 0;
  }
  return p + len;
}

static int number(const char *t)
{
  return strchr("-0123456789", *t) != NULL;
}

int main(int argc, char **argv)
{
  int i, error = 0;
  char t[600];
  for (i = 1; i < argc && n < 60; i++) {
    char *a = argv[i];
    int two = !strcmp(a, ".") || !strcmp(a, "+"), one = !strcmp(a, "~") || !strcmp(a, "dup") || !strcmp(a, "drop");
    if ((two && n < 2) || (one && n < 1)) {
      printf("%s: too few\n", a);
      error = 1;
      break;
    }
    if (!strcmp(a, "+")) {
      if (!number(s[n - 1]) || !number(s[n - 2])) {
        puts("+: no numbers");
        error = 1;
        break;
      }
      sprintf(t, "%d", atoi(s[n - 2]) + atoi(s[n - 1]));
      n -= 2;
    } else if (two) {
      snprintf(t, sizeof t, "(%.290s %.290s)", s[n - 2], s[n - 1]);
      n -= 2;
    } else if (!strcmp(a, "~")) {
      turned(s[--n], t);
    } else if (!strcmp(a, "dup")) {
      strcpy(t, s[n - 1]);
    } else if (one) {
      n--;
      continue;
    } else if (number(a)) {
      sprintf(t, "%d", atoi(a));
    } else {
      strcpy(t, a);
    }
    strcpy(s[n++], t);
  }
  printf("%d:", n);
  for (i = 0; i < n; i++)
    printf(" %s", s[i]);
  printf("\n");
  return error;
}
