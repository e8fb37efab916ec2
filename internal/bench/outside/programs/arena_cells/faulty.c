#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cells of equal size out of one slab. A free cell holds the link to the
 * next free cell; a used one holds a label and a number. */

#define CELLS 6

union cell {
	union cell *next_free;
	struct { char label[8]; int value; } item;
};

struct slab {
	union cell *mem;
	union cell *free_list;
	int in_use, peak;
};

static void slab_open(struct slab *s)
{
	s->mem = malloc(CELLS * sizeof *s->mem);
	for (int i = 0; i < CELLS; i++)
		s->mem[i].next_free = &s->mem[i + 1];
	s->free_list = s->mem;
	s->in_use = s->peak = 0;
}

static union cell *slab_get(struct slab *s)
{
	union cell *c = s->free_list;
	if (c == NULL)
		return NULL;
	s->free_list = c->next_free;
	s->in_use++;
	if (s->in_use > s->peak)
		s->peak = s->in_use;
	return c;
}

static void slab_put(struct slab *s, union cell *c)
{
	c->next_free = s->free_list;
	s->free_list = c;
}

int main(int argc, char **argv)
{
	struct slab s;
	union cell *held[CELLS + 1];
	int n = 0, i;

	slab_open(&s);
	for (i = 1; i < argc; i++) {
		if (strcmp(argv[i], "pop") == 0) {
			if (n > 0)
				slab_put(&s, held[--n]);
			continue;
		}
		union cell *c = n <= CELLS ? slab_get(&s) : NULL;
		if (c == NULL) {
			printf("%s: full\n", argv[i]);
			continue;
		}
		memset(c->item.label, 0, sizeof c->item.label);
		strncpy(c->item.label, argv[i], sizeof c->item.label - 1);
		c->item.value = i;
		held[n++] = c;
	}
	for (i = 0; i < n; i++)
		printf("%s#%d at %d\n", held[i]->item.label, held[i]->item.value, (int)(held[i] - s.mem));
	printf("%d in use, %d at most\n", s.in_use, s.peak);
	free(s.mem);
	return 0;
}
