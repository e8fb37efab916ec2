/* Builds a structure of so many nodes and walks in it: sizes SHAPE NODES. */
#include <stdlib.h>

struct node {
	int data;
	struct node *next, *prev;
};

struct tree {
	int key;
	struct tree *left, *right;
};

struct entry {
	int key;
	struct entry *next;
};

struct table {
	int size;
	struct entry **slots;
};

struct node *head;
struct tree *root;
struct table *table;

static void list(int n, int ring)
{
	struct node *last = NULL;
	for (int i = 0; i < n; i++) {
		struct node *x = malloc(sizeof *x);
		x->data = i;
		x->next = head;
		x->prev = NULL;
		if (head != NULL)
			head->prev = x;
		else
			last = x;
		head = x;
	}
	if (ring && head != NULL) {
		last->next = head;
		head->prev = last;
	}
}

static struct tree *grow(int low, int high)
{
	if (low > high)
		return NULL;
	struct tree *t = malloc(sizeof *t);
	t->key = low + (high - low) / 2;
	t->left = grow(low, t->key - 1);
	t->right = grow(t->key + 1, high);
	return t;
}

static void hash(int n)
{
	table = malloc(sizeof *table);
	table->size = n / 2 + 1;
	table->slots = calloc(table->size, sizeof *table->slots);
	for (int i = 0; i < n; i++) {
		struct entry *e = malloc(sizeof *e);
		unsigned at = i * 2654435761u % table->size;
		e->key = i;
		e->next = table->slots[at];
		table->slots[at] = e;
	}
}

static int walk(void)
{
	struct node *p = head;
	struct tree *t = root;
	int i = 0, sum = 0;
	for (;;) {
		if (p != NULL) {
			p->data = i;
			p = p->next;
		}
		if (t != NULL)
			t = i % 2 ? t->left : t->right;
		if (t == NULL)
			t = root;
		if (table != NULL && table->slots[i % table->size] != NULL)
			sum += table->slots[i % table->size]->key;
		i++;
		if (i == 100000000)
			break;
	}
	return sum;
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 10;
	switch (argc > 1 ? atoi(argv[1]) : 0) {
	case 0:
		list(n, 0);
		break;
	case 1:
		list(n, 1);
		break;
	case 2:
		root = grow(1, n);
		break;
	default:
		hash(n);
	}
	return walk() < 0;
}
