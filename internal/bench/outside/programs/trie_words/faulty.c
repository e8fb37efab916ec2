#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NCHILD 26

typedef struct trie {
	struct trie *child[NCHILD];
	int is_word;
	int passing;	/* words that go through this node */
} trie;

static trie *new_trie(void)
{
	return calloc(1, sizeof(trie));
}

static int contains(trie *t, const char *s)
{
	for (; *s; s++) {
		t = t->child[*s - 'a'];
		if (t == NULL)
			return 0;
	}
	return t->is_word;
}

static void add(trie *t, const char *s)
{
	t->passing++;
	for (; *s; s++) {
		int c = *s - 'a';
		if (t->child[c] == NULL)
			t->child[c] = new_trie();
		t = t->child[c];
		t->passing++;
	}
	t->is_word = 1;
}

static int starting_with(trie *t, const char *prefix)
{
	while (*prefix) {
		t = t->child[*prefix++ - 'a'];
		if (t == NULL)
			return 0;
	}
	return t->passing;
}

static void print_words(const trie *t, char *buf, int depth)
{
	if (t->is_word) {
		buf[depth] = '\0';
		printf("  %s\n", buf);
	}
	for (int i = 0; i < NCHILD; i++) {
		if (t->child[i] != NULL) {
			buf[depth] = 'a' + i;
			print_words(t->child[i], buf, depth + 1);
		}
	}
}

static void destroy(trie *t)
{
	if (t == NULL)
		return;
	for (int i = 0; i < NCHILD; i++)
		destroy(t->child[i]);
	free(t);
}

int main(int argc, char **argv)
{
	trie *root = new_trie();
	char buf[64];
	for (int i = 1; i < argc; i++) {
		if (strlen(argv[i]) > 20)
			continue;
		if (argv[i][0] == '=')
			printf("%s %s\n", argv[i] + 1, contains(root, argv[i] + 1) ? "yes" : "no");
		else if (argv[i][0] == '.')
			printf("%d words with %s\n", starting_with(root, argv[i] + 1), argv[i] + 1);
		else
			add(root, argv[i]);
	}
	print_words(root, buf, 0);
	destroy(root);
	return 0;
}
