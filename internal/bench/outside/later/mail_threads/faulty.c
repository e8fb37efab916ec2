#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Messages and their replies. Input lines: ID PARENT TITLE (parent 0: a new thread).
// A reply may come before what it answers; it waits until that comes.

typedef struct Message {
  int id, parent;
  char title[24];
  struct Message *child;     // the first reply
  struct Message *sibling;   // the next reply to the same message
} Message;

static Message *top;         // the first thread
static Message *waiting;     // replies whose parent has not come yet

static Message *find(Message *m, int id) {
  if (m == NULL || m->id == id)
    return m;
  Message *found = find(m->child, id);
  return found;
}

static void append(Message **list, Message *m) {
  while (*list != NULL)
    list = &(*list)->sibling;
  *list = m;
}

static void place(Message *m) {
  Message *parent;

  if (m->parent == 0) {
    append(&top, m);
  } else if ((parent = find(top, m->parent)) != NULL) {
    append(&parent->child, m);
  } else {
    append(&waiting, m);
    return;
  }
  // now those that have waited for m
  Message **p = &waiting;
  while (*p != NULL) {
    if ((*p)->parent == m->id) {
      Message *w = *p;
      *p = w->sibling;
      w->sibling = NULL;
      place(w);
      p = &waiting;
    } else {
      p = &(*p)->sibling;
    }
  }
}

static int count(const Message *m) {
  return m == NULL ? 0 : 1 + count(m->child) + count(m->sibling);
}

static int depth(const Message *m) {
  int below, beside;

  if (m == NULL)
    return 0;
  below = 1 + depth(m->child);
  beside = depth(m->sibling);
  return below > beside ? below : beside;
}

static void print(const Message *m, int indent) {
  for (; m != NULL; m = m->sibling) {
    printf("%*s%d %s\n", indent, "", m->id, m->title);
    print(m->child, indent + 2);
  }
}

static void destroy(Message *m) {
  if (m == NULL)
    return;
  destroy(m->child);
  destroy(m->sibling);
  free(m);
}

int main(void) {
  int id, parent;
  char title[24];

  while (scanf("%d %d %23s", &id, &parent, title) == 3) {
    Message *m;
    if (id <= 0 || find(top, id) != NULL || find(waiting, id) != NULL) {
      printf("%d is no new number\n", id);
      continue;
    }
    m = calloc(1, sizeof *m);
    m->id = id;
    m->parent = parent;
    strcpy(m->title, title);
    place(m);
  }
  print(top, 0);
  printf("%d messages, %d deep, %d waiting\n", count(top), depth(top), count(waiting));
  destroy(top);
  destroy(waiting);
  return 0;
}
