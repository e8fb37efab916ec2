#include <stdio.h>
#include <string.h>
#include <stdlib.h>

/* Groups of characters in a list sorted by weight; joining two groups puts a digit in front
   of the codes of all of their members. */

typedef struct Group {
  int total;
  int order;
  char members[128];
  struct Group *next;
} Group;

Group *groups;
char code[128][80];
int how_many[128];
int made;

void put_in(Group *g)
{
  Group **p = &groups;
  g->order = made++;
  while (*p && (*p)->total <= g->total)
    p = &(*p)->next;
  g->next = *p;
  *p = g;
}

void before(const char *members, char digit)
{
  for (; *members; members++) {
    char *c = code[(int)*members];
    memmove(c + 1, c, strlen(c) + 1);
    c[0] = digit;
  }
}

int main(int argc, char **argv)
{
  int i, all = 0, bits = 0;
  for (i = 1; i < argc; i++) {
    char *s;
    if (i > 1) how_many[32]++;
    for (s = argv[i]; *s; s++) how_many[(int)*s]++;
  }
  for (i = 0; i < 128; i++)
    if (how_many[i]) {
      Group *g = calloc(1, sizeof(Group));
      g->total = how_many[i];
      g->members[0] = i;
      put_in(g);
    }
  if (!groups) {
    puts("no text");
    return 1;
  }
  if (!groups->next)
    before(groups->members, '0');
  while (groups->next) {
    Group *a = groups, *b = a->next;
    groups = b->next;
    before(a->members, '0');
    before(b->members, '1');
    a->total += b->total;
    strcat(a->members, b->members);
    put_in(a);
    free(b);
  }
  for (i = 0; i < 128; i++)
    if (how_many[i]) {
      printf("'%c' %3d %s\n", i, how_many[i], code[i]);
      bits += strlen(code[i]) * how_many[i];
      all += how_many[i];
    }
  printf("%d bits in place of %d\n", bits, all * 8);
  free(groups);
  return 0;
}
