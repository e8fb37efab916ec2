#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAXLEVEL 6

typedef struct SkipNode {
	char *word;
	int count;
	struct SkipNode *forward[MAXLEVEL];
} SkipNode;

typedef struct {
	SkipNode *header;
	int level;		/* levels in use, at least 1 */
} SkipList;

static unsigned coin = 20;

static SkipNode *new_node(const char *word)
{
	SkipNode *n = calloc(1, sizeof(SkipNode));
	n->word = malloc(strlen(word) + 1);
	strcpy(n->word, word);
	n->count = 1;
	return n;
}

static int random_level(void)
{
	int level = 1;
	coin = coin * 1103515245u + 12345u;
	while (level < MAXLEVEL && (coin >> (15 + level)) & 1)
		level++;
	return level;
}

static void insert(SkipList *l, const char *word)
{
	SkipNode *update[MAXLEVEL], *x = l->header;
	int i, level;

	for (i = l->level - 1; i >= 0; i--) {
		while (x->forward[i] && strcmp(x->forward[i]->word, word) < 0)
			x = x->forward[i];
		update[i] = x;
	}
	x = x->forward[0];
	if (x && strcmp(x->word, word) == 0) {
		x->count++;
		return;
	}
	level = random_level();
	for (i = l->level; i < level; i++)
		update[i] = l->header;
	if (level > l->level)
		l->level = level;
	x = new_node(word);
	for (i = 0; i < level; i++) {
		x->forward[i] = update[i]->forward[i];
		update[i]->forward[i] = x;
	}
}

static int delete(SkipList *l, const char *word)
{
	SkipNode *update[MAXLEVEL], *x = l->header;
	int i;

	for (i = l->level - 1; i >= 0; i--) {
		while (x->forward[i] && strcmp(x->forward[i]->word, word) < 0)
			x = x->forward[i];
		update[i] = x;
	}
	x = x->forward[0];
	if (x == NULL || strcmp(x->word, word) != 0)
		return 0;
	update[0]->forward[0] = x->forward[0];
	free(x->word);
	free(x);
	while (l->level > 1 && l->header->forward[l->level - 1] == NULL)
		l->level--;
	return 1;
}

int main(int argc, char **argv)
{
	SkipList list = { calloc(1, sizeof(SkipNode)), 1 };
	SkipNode *x, *next;
	int i;

	for (i = 1; i < argc; i++) {
		if (argv[i][0] == '-')
			printf("%s %s\n", argv[i] + 1, delete(&list, argv[i] + 1) ? "deleted" : "missing");
		else
			insert(&list, argv[i]);
	}
	for (x = list.header->forward[0]; x; x = x->forward[0])
		printf("%s:%d ", x->word, x->count);
	printf("\n");
	for (x = list.header; x; x = next) {
		next = x->forward[0];
		free(x->word);
		free(x);
	}
	return 0;
}
