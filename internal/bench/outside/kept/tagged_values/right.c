#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>

/* A small stack of values that are numbers, words or pairs.
 * 12 pushes a number, abc a word; . makes a pair of the two on top; + adds, ~ reverses a word
 * or swaps a pair, dup doubles, drop takes off. At the end the stack is printed. */

typedef struct value value;

struct value {
	enum { NUMBER, WORD, PAIR } tag;
	union {
		int number;
		char *word;
		struct { value *left, *right; } pair;
	} u;
};

static value *stack[64];
static int height;

static value *make_value(int tag)
{
	value *v = malloc(sizeof *v);
	v->tag = tag;
	return v;
}

static value *make_word(const char *s)
{
	value *v = make_value(WORD);
	v->u.word = malloc(strlen(s) + 1);
	strcpy(v->u.word, s);
	return v;
}

static value *copy(const value *v)
{
	value *c;

	if (v->tag == WORD)
		return make_word(v->u.word);
	c = make_value(v->tag);
	if (v->tag == NUMBER) {
		c->u.number = v->u.number;
	} else {
		c->u.pair.left = copy(v->u.pair.left);
		c->u.pair.right = copy(v->u.pair.right);
	}
	return c;
}

static void release(value *v)
{
	if (v->tag == WORD) {
		free(v->u.word);
	} else if (v->tag == PAIR) {
		release(v->u.pair.left);
		release(v->u.pair.right);
	}
	free(v);
}

static void print(const value *v)
{
	if (v->tag == NUMBER) {
		printf("%d", v->u.number);
	} else if (v->tag == WORD) {
		printf("%s", v->u.word);
	} else {
		printf("(");
		print(v->u.pair.left);
		printf(" ");
		print(v->u.pair.right);
		printf(")");
	}
}

static void turn(value *v)
{
	if (v->tag == NUMBER) {
		v->u.number = -v->u.number;
	} else if (v->tag == WORD) {
		char *a = v->u.word, *b = a + strlen(a) - 1;
		for (; a < b; a++, b--) {
			char t = *a;
			*a = *b;
			*b = t;
		}
	} else {
		value *t = v->u.pair.left;
		v->u.pair.left = v->u.pair.right;
		v->u.pair.right = t;
		turn(v->u.pair.left);
		turn(v->u.pair.right);
	}
}

int main(int argc, char **argv)
{
	int i, needed, bad = 0;

	for (i = 1; i < argc && height < 60 && !bad; i++) {
		const char *s = argv[i];
		needed = !strcmp(s, ".") || !strcmp(s, "+") ? 2 : !strcmp(s, "~") || !strcmp(s, "dup") || !strcmp(s, "drop");
		if (height < needed) {
			printf("%s: too few\n", s);
			bad = 1;
		} else if (isdigit((unsigned char)*s)) {
			stack[height] = make_value(NUMBER);
			stack[height++]->u.number = atoi(s);
		} else if (*s == '.') {
			value *p = make_value(PAIR);
			p->u.pair.right = stack[--height];
			p->u.pair.left = stack[--height];
			stack[height++] = p;
		} else if (*s == '+') {
			value *b = stack[height - 1], *a = stack[height - 2];
			if (a->tag != NUMBER || b->tag != NUMBER) {
				printf("+: no numbers\n");
				bad = 1;
			} else {
				a->u.number += b->u.number;
				release(stack[--height]);
			}
		} else if (*s == '~') {
			turn(stack[height - 1]);
		} else if (!strcmp(s, "dup")) {
			stack[height] = copy(stack[height - 1]);
			height++;
		} else if (!strcmp(s, "drop")) {
			release(stack[--height]);
		} else {
			stack[height++] = make_word(s);
		}
	}
	printf("%d:", height);
	for (i = 0; i < height; i++) {
		printf(" ");
		print(stack[i]);
	}
	printf("\n");
	while (height > 0)
		release(stack[--height]);
	return bad;
}
