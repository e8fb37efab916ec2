#include <stdio.h>
#include <stdlib.h>

/* A queue of pages in the order in which the clock's hand meets them. A page that has been
   used goes to the back of the queue and loses its mark. */

typedef struct entry {
	int page, frame, mark, changed;
	struct entry *behind;
} entry;

static entry *front, *back;
static int in_use, misses, saved;

static void append(entry *e)
{
	e->behind = NULL;
	if (front)
		back->behind = e;
	else
		front = e;
	back = e;
}

static entry *shift(void)
{
	entry *e = front;
	front = e->behind;
	return e;
}

int main(int argc, char **argv)
{
	int frames = argc > 1 ? atoi(argv[1]) : 0, i;

	if (frames < 1) {
		puts("how many frames?");
		return 2;
	}
	for (i = 2; i < argc; i++) {
		char *s = argv[i];
		int w = s[0] == 'w' ? 1 : 0, page = atoi(w ? s + 1 : s);
		entry *e = front;

		while (e && e->page != page)
			e = e->behind;
		if (e) {
			printf("%d: hit in %d\n", page, e->frame);
		} else if (in_use < frames) {
			e = calloc(1, sizeof *e);
			e->frame = in_use++;
			misses++;
			append(e);
			printf("%d: fault, frame %d\n", page, e->frame);
		} else {
			while (front->mark) {
				e = shift();
				e->mark = 0;
				append(e);
			}
			e = shift();
			append(e);
			misses++;
			saved += e->changed;
			printf("%d: fault, frame %d instead of %d%s\n", page, e->frame, e->page, e->changed ? ", written back" : "");
			e->changed = 0;
		}
		e->page = page;
		e->mark = 1;
		e->changed |= w;
	}
	printf("%d faults, %d written back\n", misses, saved);
	while (front)
		free(shift());
	return 0;
}
