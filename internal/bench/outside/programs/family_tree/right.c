#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct person {
  char name[16];
  struct person *parent;
  struct person *child;     /* eldest */
  struct person *sibling;   /* next younger */
} person;

static person *born(const char *name) {
  person *p = calloc(1, sizeof *p);
  strncpy(p->name, name, 15);
  return p;
}

static person *search(person *p, const char *name) {
  if (p == NULL) return NULL;
  if (strcmp(p->name, name) == 0) return p;
  person *q = search(p->child, name);
  if (q) return q;
  return search(p->sibling, name);
}

static void adopt(person *parent, person *kid) {
  kid->parent = parent;
  if (!parent->child) {
    parent->child = kid;
    return;
  }
  person *c = parent->child;
  while (c->sibling) c = c->sibling;
  c->sibling = kid;
}

static int generations(const person *p) {
  int most = 0;
  for (const person *c = p->child; c; c = c->sibling) {
    int g = generations(c);
    if (g > most) most = g;
  }
  return most + 1;
}

static int descendants(const person *p) {
  int n = 0;
  for (const person *c = p->child; c; c = c->sibling)
    n += 1 + descendants(c);
  return n;
}

static void print(const person *p, int depth) {
  for (; p; p = p->sibling) {
    printf("%*s%s (%d)\n", 2 * depth, "", p->name, descendants(p));
    print(p->child, depth + 1);
  }
}

static void bury(person *p) {
  while (p) {
    person *s = p->sibling;
    bury(p->child);
    free(p);
    p = s;
  }
}

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  person *root = born(argv[1]);
  for (int i = 2; i + 1 < argc; i += 2) {
    person *p = search(root, argv[i]);
    if (!p) {
      printf("who is %s?\n", argv[i]);
      continue;
    }
    if (search(root, argv[i + 1])) {
      printf("%s is there already\n", argv[i + 1]);
      continue;
    }
    adopt(p, born(argv[i + 1]));
  }
  print(root, 0);
  printf("%d generations\n", generations(root));
  bury(root);
  return 0;
}
