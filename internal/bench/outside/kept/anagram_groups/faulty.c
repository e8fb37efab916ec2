#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words with the same letters, together. A hash table on the sorted letters. */

#define BUCKETS 16

typedef struct word_s {
  char *text;
  struct word_s *next;
} word_t;

typedef struct group_s {
  char *key;
  int size;
  word_t *words;
  struct group_s *chain;        /* in the bucket */
  struct group_s *later;        /* in order of the first word */
} group_t;

static group_t *table[BUCKETS];
static group_t *groups, **groups_end = &groups;

static char *dup_string (const char *s)
{
  return strcpy (malloc (strlen (s) + 1), s);
}

static int by_letter (const void *a, const void *b)
{
  return *(const char *) a - *(const char *) b;
}

static char *key_of (const char *text)
{
  char *key = dup_string (text);
  char *p;

  for (p = key; *p; p++)
    *p = tolower ((unsigned char) *p);
  qsort (key, strlen (key), 1, by_letter);
  return key;
}

static unsigned hash (const char *s)
{
  unsigned h = 0;

  while (*s)
    h = 31 * h + (unsigned char) *s++;
  return h % BUCKETS;
}

static group_t *group_of (const char *text)
{
  char *key = key_of (text);
  unsigned h = hash (key);
  group_t *g;

  for (g = table[h]; g != NULL; g = g->chain)
    if (g->key == key)
      {
        free (key);
        return g;
      }
  g = calloc (1, sizeof *g);
  g->key = key;
  g->chain = table[h];
  table[h] = g;
  *groups_end = g;
  groups_end = &g->later;
  return g;
}

static void add_word (const char *text)
{
  group_t *g = group_of (text);
  word_t **p = &g->words, *w;

  while (*p != NULL && strcmp ((*p)->text, text) < 0)
    p = &(*p)->next;
  if (*p != NULL && strcmp ((*p)->text, text) == 0)
    return;
  w = malloc (sizeof *w);
  w->text = dup_string (text);
  w->next = *p;
  *p = w;
  g->size++;
}

int main (void)
{
  char text[40];
  int count = 0, largest = 0;

  while (scanf ("%39s", text) == 1)
    add_word (text);
  while (groups != NULL)
    {
      group_t *g = groups;

      printf ("%d", g->size);
      while (g->words != NULL)
        {
          word_t *w = g->words;
          printf (" %s", w->text);
          g->words = w->next;
          free (w->text);
          free (w);
        }
      printf ("\n");
      count++;
      if (g->size > largest)
        largest = g->size;
      groups = g->later;
      free (g->key);
      free (g);
    }
  printf ("%d groups, the largest has %d\n", count, largest);
  return 0;
}
