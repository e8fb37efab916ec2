#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct contact {
	char name[12];
	int number;
	struct contact *left, *right;
} contact;

static contact *insert(contact *t, const char *name, int number)
{
	int cmp;
	if (t == NULL) {
		t = calloc(1, sizeof *t);
		strncpy(t->name, name, sizeof t->name - 1);
		t->number = number;
		return t;
	}
	cmp = strcmp(name, t->name);
	if (cmp < 0)
		t->left = insert(t->left, name, number);
	else if (cmp > 0)
		t->right = insert(t->right, name, number);
	else
		t->number = number;
	return t;
}

static contact *detach_min(contact *t, contact **min)
{
	if (t->left == NULL) {
		*min = t;
		return t->right;
	}
	t->left = detach_min(t->left, min);
	return t;
}

static contact *erase(contact *t, const char *name)
{
	int cmp;
	contact *min;
	if (t == NULL)
		return NULL;
	cmp = strcmp(name, t->name);
	if (cmp < 0) {
		t->left = erase(t->left, name);
		return t;
	}
	if (cmp > 0) {
		t->right = erase(t->right, name);
		return t;
	}
	if (t->left == NULL) {
		contact *r = t->right;
		free(t);
		return r;
	}
	if (t->right == NULL) {
		contact *l = t->left;
		free(t);
		return l;
	}
	contact *rest = detach_min(t->right, &min);
	min->right = t->right;
	min->left = t->left;
	free(t);
	return rest;
}

static int size(const contact *t)
{
	return t == NULL ? 0 : 1 + size(t->left) + size(t->right);
}

static void print(const contact *t, int depth)
{
	if (t == NULL || depth > 20)
		return;
	print(t->left, depth + 1);
	printf("%*s%s %d\n", depth, "", t->name, t->number);
	print(t->right, depth + 1);
}

static void burn(contact *t)
{
	if (t == NULL)
		return;
	burn(t->left);
	burn(t->right);
	free(t);
}

int main(void)
{
	contact *root = NULL;
	char op, name[12];
	int number;

	while (scanf(" %c %11s", &op, name) == 2) {
		if (op == '+' && scanf("%d", &number) == 1)
			root = insert(root, name, number);
		else if (op == '-')
			root = erase(root, name);
	}
	print(root, 0);
	printf("%d contacts\n", size(root));
	burn(root);
	return 0;
}
