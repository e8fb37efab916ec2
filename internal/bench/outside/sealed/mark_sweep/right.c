#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A small heap of pairs with mark and sweep. Roots are 26 variables a..z. */

typedef struct Obj {
	int id;
	int marked;
	struct Obj *car, *cdr;
	struct Obj *all;	/* the list of all objects */
} Obj;

static Obj *everything;
static Obj *roots[26];
static int counter;

static Obj *cons(Obj *car, Obj *cdr)
{
	Obj *o = malloc(sizeof(Obj));

	o->id = ++counter;
	o->marked = 0;
	o->car = car;
	o->cdr = cdr;
	o->all = everything;
	everything = o;
	return o;
}

static void mark(Obj *o)
{
	while (o && !o->marked) {
		o->marked = 1;
		mark(o->car);
		o = o->cdr;
	}
}

static int sweep(void)
{
	Obj **p = &everything;
	int freed = 0;

	while (*p) {
		Obj *o = *p;

		if (o->marked) {
			o->marked = 0;
			p = &o->all;
		} else {
			*p = o->all;
			free(o);
			freed++;
		}
	}
	return freed;
}

static int collect(void)
{
	int i;

	for (i = 0; i < 26; i++)
		mark(roots[i]);
	return sweep();
}

static Obj **variable(char c)
{
	return c >= 'a' && c <= 'z' ? &roots[c - 'a'] : NULL;
}

static void show(void)
{
	Obj *o;

	for (o = everything; o; o = o->all)
		printf("%d(%d,%d) ", o->id, o->car ? o->car->id : 0, o->cdr ? o->cdr->id : 0);
	printf("\n");
}

/* x=yz is x = cons(y, z), x=y copies, x= drops, '.' is no variable; gc collects, show prints */
int main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		char *s = argv[i];

		if (strcmp(s, "gc") == 0)
			printf("freed %d\n", collect());
		else if (strcmp(s, "show") == 0)
			show();
		else if (variable(s[0]) && s[1] == '=') {
			Obj **y = s[2] ? variable(s[2]) : NULL;
			Obj **z = s[2] && s[3] ? variable(s[3]) : NULL;

			if (s[2] && s[3])
				*variable(s[0]) = cons(y ? *y : NULL, z ? *z : NULL);
			else
				*variable(s[0]) = y ? *y : NULL;
		}
	}
	memset(roots, 0, sizeof roots);
	collect();
	return 0;
}
