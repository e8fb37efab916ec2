/* leader board: names ordered by points, best first */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LEVEL 5

typedef struct Entry {
  char name[16];
  int points;
  int level;
  struct Entry *forward[MAX_LEVEL];
} Entry;

typedef struct {
  Entry *head;
  int level;
  int size;
} Board;

static int coin;

static int pick_level(void) {
  int level = 1, c = ++coin;
  while (c % 2 == 0 && level < MAX_LEVEL) {
    level++;
    c /= 2;
  }
  return level;
}

static int better(const Entry *a, int points, const char *name) {
  if (a->points != points)
    return a->points > points;
  return strcmp(a->name, name) < 0;
}

static Board *board_new(void) {
  Board *b = malloc(sizeof(Board));
  b->head = calloc(1, sizeof(Entry));
  b->level = 1;
  b->size = 0;
  return b;
}

static void board_add(Board *b, const char *name, int points) {
  Entry *update[MAX_LEVEL];
  Entry *x = b->head;
  for (int i = b->level - 1; i >= 0; i--) {
    while (x->forward[i] && better(x->forward[i], points, name))
      x = x->forward[i];
    update[i] = x;
  }
  int level = pick_level();
  if (level > b->level) {
    for (int i = b->level; i < level; i++)
      update[i] = b->head;
    b->level = level;
  }
  Entry *e = calloc(1, sizeof(Entry));
  strncpy(e->name, name, sizeof e->name - 1);
  e->points = points;
  e->level = level;
  for (int i = 0; i < level; i++) {
    e->forward[i] = update[i]->forward[i];
    update[i]->forward[i] = e;
  }
  b->size++;
}

static int board_drop(Board *b, const char *name, int points) {
  Entry *update[MAX_LEVEL];
  Entry *x = b->head;
  for (int i = b->level - 1; i >= 0; i--) {
    while (x->forward[i] && better(x->forward[i], points, name))
      x = x->forward[i];
    update[i] = x;
  }
  x = x->forward[0];
  if (!x || x->points != points || strcmp(x->name, name) != 0)
    return 0;
  for (int i = 0; i < x->level; i++)
    update[i]->forward[i] = x->forward[i];
  free(x);
  b->size--;
  return 1;
}

int main(int argc, char **argv) {
  Board *b = board_new();
  for (int i = 1; i < argc; i++) {
    char name[16];
    int points;
    if (sscanf(argv[i], "%15[a-z]=%d", name, &points) == 2)
      board_add(b, name, points);
    else if (sscanf(argv[i], "-%15[a-z]=%d", name, &points) == 2)
      printf("%s %s\n", board_drop(b, name, points) ? "dropped" : "no", name);
  }
  printf("%d on the board, %d levels\n", b->size, b->level);
  for (int l = b->level - 1; l >= 0; l--) {
    for (Entry *e = b->head->forward[l]; e; e = e->forward[l])
      printf("%s(%d) ", e->name, e->points);
    printf("\n");
  }
  while (b->head->forward[0])
    board_drop(b, b->head->forward[0]->name, b->head->forward[0]->points);
  free(b->head);
  free(b);
  return 0;
}
