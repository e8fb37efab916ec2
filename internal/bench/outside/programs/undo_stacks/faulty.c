/* a counter with undo and redo */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct step {
  int before, after;
  struct step *next;
} step;

static step *done, *undone;
static int value;

static void push(step **s, step *x) {
  x->next = *s;
  *s = x;
}

static step *pop(step **s) {
  step *x = *s;
  *s = x->next;
  return x;
}

static void drop(step **s) {
  while (*s) free(pop(s));
}

static void set(int v) {
  step *x = malloc(sizeof *x);
  x->before = value;
  x->after = v;
  push(&done, x);
  value = v;
}

static int undo(void) {
  if (!done) return 0;
  step *x = pop(&done);
  value = x->before;
  push(&undone, x);
  return 1;
}

static int redo(void) {
  if (!undone) return 0;
  step *x = pop(&undone);
  value = x->before;
  push(&done, x);
  return 1;
}

static int length(const step *s) {
  int n = 0;
  for (; s; s = s->next) n++;
  return n;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    const char *a = argv[i];
    if (strcmp(a, "u") == 0) {
      if (!undo()) printf("nothing to undo\n");
    } else if (strcmp(a, "r") == 0) {
      if (!redo()) printf("nothing to redo\n");
    } else if (a[0] == '+') {
      set(value + atoi(a + 1));
    } else {
      set(atoi(a));
    }
    printf("%s -> %d (%d back, %d forth)\n", a, value, length(done), length(undone));
  }
  drop(&done);
  drop(&undone);
  return 0;
}
