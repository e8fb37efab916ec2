#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Round robin: jobs in a circular list; `last' points at the job whose turn was last,
   so last->next is who comes now. */

struct job {
  struct job *next;
  char name[8];
  int left;
};

struct job *last = NULL;
int clock_now = 0;

void add_job(const char *name, int need)
{
  struct job *j = malloc(sizeof(struct job));
  strncpy(j->name, name, 7);
  j->name[7] = '\0';
  j->left = need;
  if (last == NULL) {
    j->next = j;
  } else {
    j->next = last->next;
    last->next = j;
  }
  last = j;
}

/* takes the job behind p out of the circle */
void remove_after(struct job *p)
{
  struct job *gone = p->next;

  if (gone == p) {
    last = NULL;
  } else {
    p->next = gone->next;
    if (gone == last)
      last = p;
  }
  free(gone);
}

void one_turn(int slice)
{
  struct job *j = last->next;
  int run = j->left < slice ? j->left : slice;

  clock_now += run;
  j->left -= run;
  printf("%3d %-7s %d\n", clock_now, j->name, j->left);
  if (j->left == 0)
    remove_after(last);
  else
    last = j;
}

void cancel(const char *name)
{
  struct job *p = last;

  if (last != NULL)
    do {
      if (strcmp(p->next->name, name) == 0) {
        remove_after(p);
        printf("%s cancelled\n", name);
        return;
      }
      p = p->next;
    } while (p != last);
  printf("no %s\n", name);
}

int main(void)
{
  char word[16], name[8];
  int n;

  while (scanf("%15s", word) == 1) {
    if (strcmp(word, "job") == 0 && scanf("%7s %d", name, &n) == 2) {
      add_job(name, n);
    } else if (strcmp(word, "cancel") == 0 && scanf("%7s", name) == 1) {
      cancel(name);
    } else if (strcmp(word, "turns") == 0 && scanf("%d", &n) == 1) {
      while (n-- > 0 && last != NULL)
        one_turn(4);
    } else {
      printf("bad line\n");
      return 1;
    }
  }
  while (last != NULL)
    one_turn(4);
  printf("all done at %d\n", clock_now);
  return 0;
}
