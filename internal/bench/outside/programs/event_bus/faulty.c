/* subscribers are called back in the order of their subscription */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Sub Sub;
typedef void (*Callback)(Sub *self, int value);

struct Sub {
  int id;
  Callback call;
  int state;
  int left;          /* calls until it unsubscribes itself; -1: never */
  Sub *next;
};

static Sub *subs;

static void sum(Sub *s, int value) { s->state += value; }
static void biggest(Sub *s, int value) { if (value > s->state) s->state = value; }
static void count(Sub *s, int value) { (void) value; s->state++; }

static void subscribe(int id, Callback call, int left) {
  Sub *s = malloc(sizeof *s), **end = &subs;
  s->id = id;
  s->call = call;
  s->state = 0;
  s->left = left;
  s->next = NULL;
  while (*end) end = &(*end)->next;
  *end = s;
}

static void finish(Sub *s) {
  printf("subscriber %d ends with %d\n", s->id, s->state);
  free(s);
}

static void publish(int value) {
  Sub **link = &subs;
  while (*link) {
    Sub *s = *link;
    s->call(s, value);
    if (s->left > 0 && --s->left == 0) {
      *link = s->next;
      finish(s);
      if (*link == NULL)
        break;
    }
    link = &(*link)->next;
  }
}

int main(void) {
  char op[8];
  int n, ids = 0;
  while (scanf("%7s %d", op, &n) == 2) {
    if (strcmp(op, "sum") == 0) subscribe(++ids, sum, n);
    else if (strcmp(op, "max") == 0) subscribe(++ids, biggest, n);
    else if (strcmp(op, "count") == 0) subscribe(++ids, count, n);
    else publish(n);
  }
  while (subs) {
    Sub *s = subs;
    subs = s->next;
    printf("at the end: ");
    finish(s);
  }
  return 0;
}
