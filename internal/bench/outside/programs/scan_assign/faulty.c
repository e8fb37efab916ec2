/* evaluates lines such as  a = 3 + b * 2  with one-letter variables */
#include <ctype.h>
#include <stdio.h>

static const char *p;
static int vars[26];
static int known[26];
static const char *problem;

static int expr(void);

static void blanks(void) {
  while (*p == ' ' || *p == '\t') p++;
}

static int atom(void) {
  blanks();
  if (isdigit((unsigned char) *p)) {
    int v = 0;
    while (isdigit((unsigned char) *p)) {
      v = v * 10 + *p - '0';
      p++;
    }
    return v;
  }
  if (islower((unsigned char) *p)) {
    int i = *p - 'a';
    p++;
    if (!known[i]) problem = "unknown variable";
    return vars[i];
  }
  if (*p == '-') {
    p++;
    return -atom();
  }
  if (*p == '(') {
    p++;
    int v = expr();
    blanks();
    if (*p == ')') p++;
    else problem = "no )";
    return v;
  }
  problem = "value expected";
  return 0;
}

static int term(void) {
  int v = atom();
  for (;;) {
    blanks();
    if (*p == '*') {
      p++;
      v *= atom();
    } else if (*p == '%') {
      p++;
      int w = atom();
      if (w == 0) problem = "modulo zero";
      else v %= w;
    } else {
      return v;
    }
    v %= 10000;
  }
}

static int expr(void) {
  int v = term();
  blanks();
  if (*p == '+' || *p == '-') {
    char op = *p++;
    int w = term();
    v = op == '+' ? v + w : v - w;
    blanks();
  }
  return v;
}

static void line(const char *s) {
  p = s;
  problem = NULL;
  blanks();
  int target = islower((unsigned char) *p) ? *p - 'a' : -1;
  if (target >= 0) p++;
  blanks();
  if (target < 0 || *p != '=') {
    printf("? %s", s);
    return;
  }
  p++;
  int v = expr();
  if (!problem && *p != '\n' && *p != '\0') problem = "junk at the end";
  if (problem) {
    printf("%s\n", problem);
    return;
  }
  vars[target] = v;
  known[target] = 1;
  printf("%c = %d\n", target + 'a', v);
}

int main(void) {
  char buf[80];
  while (fgets(buf, sizeof buf, stdin)) line(buf);
  return 0;
}
