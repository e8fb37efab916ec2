// strtab_resize 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned int lu_hash;

typedef struct TString {
  struct TString *hnext;
  lu_hash hash;
  unsigned short len;
  char contents[1];
} TString;

typedef struct stringtable {
  TString **hash;
  int nuse;
  int size;
} stringtable;

#define lmod(h, n)   ((int)((h) & ((n) - 1)))
#define newvector(n, t)  ((t *)calloc((n), sizeof(t)))
#define sizestring(l)  (sizeof(TString) + (l))

static void strtab_resize (stringtable *tb, int newsize) {
  TString **newhash = newvector(newsize, TString *);
  int i;
  for (i = 0; i < tb->size; i++) {
    TString *p = tb->hash[i];
    while (p) {  /* each string of the chain */
      TString *next = p->hnext;
      int h1 = lmod(p->hash, tb->size); //! int h1 = lmod(p->hash, newsize);
      p->hnext = newhash[h1];
      newhash[h1] = p;
      p = next;
    }
  }
  free(tb->hash);
  tb->size = newsize;
  tb->hash = newhash;
}

static TString *strtab_new (stringtable *tb, const char *s, size_t l) {
  lu_hash h = (lu_hash)l;
  TString *ts;
  size_t i;
  for (i = 0; i < l; i++)
    h ^= (h << 5) + (h >> 2) + (unsigned char)s[i];
  if (tb->size > 0)
    for (ts = tb->hash[lmod(h, tb->size)]; ts; ts = ts->hnext)
      if (ts->len == l && memcmp(ts->contents, s, l) == 0)
        return ts;
  if (tb->nuse >= tb->size)
    strtab_resize(tb, tb->size ? tb->size * 2 : 2);
  ts = malloc(sizestring(l));
  ts->hash = h;
  ts->len = (unsigned short)l;
  memcpy(ts->contents, s, l);
  ts->contents[l] = '\0';
  ts->hnext = tb->hash[lmod(h, tb->size)];
  tb->hash[lmod(h, tb->size)] = ts;
  tb->nuse++;
  return ts;
}

int main (void) {
#ifdef HELD
  static const char *const words[] = {"if", "do", "for", "while", "and", "or", "not", "end", "then", "else", "nil"};
#else
  static const char *const words[] = {"and", "or", "end", "do"};
#endif
  stringtable tb = {0};
  int i, n = (int)(sizeof(words) / sizeof(words[0]));
  TString *p;
  tb.hash = newvector(2, TString *);
  tb.size = 2;
  for (i = 0; i < n; i++)
    strtab_new(&tb, words[i], strlen(words[i]));
  for (i = 0; i < tb.size; i++) {
    int seen = 0;
    printf("%d:", i);
    for (p = tb.hash[i]; p && seen < 20; p = p->hnext, seen++)
      printf(" %s", p->contents);
    printf("\n");
  }
  return 0;
}
