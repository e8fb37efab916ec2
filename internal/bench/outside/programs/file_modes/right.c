/* rwxr-x--- and octal modes, and changes such as g+w,o-rx */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned int mode;

static int shift_of(char who) {
  switch (who) {
  case 'u': return 6;
  case 'g': return 3;
  case 'o': return 0;
  }
  return -1;
}

static mode bits_of(const char *s) {
  mode b = 0;
  for (; *s && *s != ','; s++) {
    if (*s == 'r') b |= 4;
    else if (*s == 'w') b |= 2;
    else if (*s == 'x') b |= 1;
  }
  return b;
}

static int change(mode *m, const char *spec) {
  while (spec && *spec) {
    int shift = shift_of(spec[0]);
    if (shift < 0 || !spec[1]) return 0;
    mode b = bits_of(spec + 2) << shift;
    switch (spec[1]) {
    case '+': *m |= b; break;
    case '-': *m &= ~b; break;
    case '=': *m = (*m & ~(7u << shift)) | b; break;
    default: return 0;
    }
    spec = strchr(spec, ',');
    if (spec) spec++;
  }
  return 1;
}

static void show(mode m) {
  const char *letters = "rwxrwxrwx";
  for (int i = 0; i < 9; i++)
    putchar(m & 1u << (8 - i) ? letters[i] : '-');
  printf(" %03o\n", m);
}

int main(int argc, char **argv) {
  mode m = 0644;
  show(m);
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] >= '0' && argv[i][0] <= '7') m = strtol(argv[i], NULL, 8) & 0777;
    else if (!change(&m, argv[i])) {
      printf("bad change %s\n", argv[i]);
      return 1;
    }
    show(m);
  }
  return 0;
}
