#include <ctype.h>
#include <stdio.h>
#include <string.h>

// Tokens of a small language: names, numbers (1, 0x1f, 2.5), strings, operators of one
// or two characters, and comments from # to the end of the line.

enum kind { NAME, NUMBER, STRING, OPERATOR, BAD, END };

static const char *const kind_names[] = { "name", "number", "string", "operator", "bad", "end" };

struct token {
  enum kind kind;
  const char *start;
  int length;
  int line;
};

struct lexer {
  const char *pos;
  int line;
};

static void skip_blanks(struct lexer *lx) {
  for (;;) {
    if (*lx->pos == '\n') {
      lx->line++;
      lx->pos++;
    } else if (isspace((unsigned char)*lx->pos)) {
      lx->pos++;
    } else if (*lx->pos == '#') {
      while (*lx->pos != '\0' && *lx->pos != '\n')
        lx->pos++;
    } else {
      return;
    }
  }
}

static int scan_number(const char *s) {
  int n = 0;
  if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
    n = 2;
    while (isxdigit((unsigned char)s[n]))
      n++;
    return n;
  }
  while (isdigit((unsigned char)s[n]))
    n++;
  if (s[n] == '.' && isdigit((unsigned char)s[n + 1])) {
    n++;
    while (isdigit((unsigned char)s[n]))
      n++;
  }
  return n;
}

static int scan_operator(const char *s) {
  static const char *const two[] = { "<=", ">=", "==", "!=", "&&", "||" };
  for (unsigned i = 0; i < sizeof two / sizeof two[0]; i++)
    if (strncmp(s, two[i], 2) == 0)
      return 2;
  return 1;
}

static struct token next_token(struct lexer *lx) {
  struct token t;
  skip_blanks(lx);
  t.start = lx->pos;
  t.line = lx->line;
  unsigned char c = *lx->pos;
  if (c == '\0') {
    t.kind = END;
    t.length = 0;
  } else if (isalpha(c) || c == '_') {
    t.kind = NAME;
    for (t.length = 1; isalnum((unsigned char)t.start[t.length]) || t.start[t.length] == '_'; t.length++)
      ;
  } else if (isdigit(c)) {
    t.kind = NUMBER;
    t.length = scan_number(t.start);
  } else if (c == '\'') {
    t.kind = STRING;
    for (t.length = 1; t.start[t.length] != '\'' && t.start[t.length] != '\n'; t.length++)
      if (t.start[t.length] == '\0')
        break;
    if (t.start[t.length] == '\'')
      t.length++;
    else
      t.kind = BAD;
  } else {
    t.kind = strchr("+-*/<>=!&|(),;", c) ? OPERATOR : BAD;
    t.length = t.kind == OPERATOR ? scan_operator(t.start) : 1;
  }
  lx->pos += t.length;
  return t;
}

int main(void) {
  static char text[4096];
  int count[END + 1] = { 0 };
  struct lexer lx;
  struct token t;

  text[fread(text, 1, sizeof text - 1, stdin)] = '\0';
  lx.pos = text;
  lx.line = 1;
  while ((t = next_token(&lx)).kind != END) {
    printf("%2d %-8s %.*s\n", t.line, kind_names[t.kind], t.length, t.start);
    count[t.kind]++;
  }
  for (int k = NAME; k < END; k++)
    if (count[k] > 0)
      printf("%s: %d\n", kind_names[k], count[k]);
  return count[BAD] > 0;
}
