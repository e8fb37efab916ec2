#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* boxes are lists of parcels that hang on a list of boxes; one rule gives every fit a mark */

typedef struct parcel { int weight; struct parcel *next; } Parcel;
typedef struct box { int free; Parcel *first, **end; struct box *next; } Box;

static Box *head;

static int mark(char how, int room)
{
  return how == 'b' ? -room : how == 'w' ? room : 0;
}

int main(int argc, char **argv)
{
  int w[64], n = 0, i, k, size = argc < 3 ? 0 : atoi(argv[2]), number = 0, waste = 0;
  if (size < 1 || argc > 50) {
    puts("usage: method size parcels");
    return 2;
  }
  for (i = 3; i < argc; i++) {
    int x = atoi(argv[i]);
    if (x > 0 && x <= size) {
      k = n++;
      if (isupper((unsigned char)*argv[1]))
        for (; k > 0 && w[k - 1] < x; k--)
          w[k] = w[k - 1];
      w[k] = x;
    } else
      printf("%d fits nowhere\n", x);
  }
  for (i = 0; i < n; i++) {
    Box *b, *take = NULL, **last = &head;
    Parcel *p = calloc(1, sizeof *p);
    char how = tolower((unsigned char)*argv[1]);
    for (b = head; b; last = &b->next, b = b->next)
      if (b->free >= w[i] && (!take || mark(how, b->free) > mark(how, take->free)))
        take = b;
    if (!take) {
      take = *last = calloc(1, sizeof *take);
      take->free = size;
      take->end = &take->first;
    }
    p->weight = w[i];
    take->free -= w[i];
    *take->end = p;
    take->end = &p->next;
  }
  while (head) {
    Box *b = head;
    printf("box %d:", ++number);
    while (b->first) {
      Parcel *p = b->first;
      printf(" %d", p->weight);
      b->first = p->next;
      free(p);
    }
    printf(" (%d left)\n", b->free);
    waste += b->free;
    head = b->next;
    free(b);
  }
  printf("%d boxes, %d wasted\n", number, waste);
  return 0;
}
