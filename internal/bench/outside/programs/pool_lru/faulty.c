#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* least recently used cache; links are indices into one table, -1 is none */

#define NIL (-1)
#define MAXCAP 8

static int key[MAXCAP], val[MAXCAP], newer[MAXCAP], older[MAXCAP];
static int newest, oldest, used, cap;

static void unlink_slot(int s)
{
	if (newer[s] != NIL)
		older[newer[s]] = older[s];
	else
		newest = older[s];
	if (older[s] != NIL)
		newer[older[s]] = newer[s];
	else
		oldest = older[s];
}

static void push_newest(int s)
{
	newer[s] = NIL;
	older[s] = newest;
	if (newest != NIL)
		newer[newest] = s;
	newest = s;
	if (oldest == NIL)
		oldest = s;
}

static int slot_of(int k)
{
	int s;
	for (s = newest; s != NIL; s = older[s])
		if (key[s] == k)
			break;
	return s;
}

static int lookup(int k, int *v)
{
	int s = slot_of(k);
	if (s == NIL)
		return 0;
	unlink_slot(s);
	push_newest(s);
	*v = val[s];
	return 1;
}

static void store(int k, int v)
{
	int s = slot_of(k);
	if (s != NIL)
		unlink_slot(s);
	else if (used < cap)
		s = used++;
	else {
		s = oldest;
		unlink_slot(s);
	}
	key[s] = k;
	val[s] = v;
	push_newest(s);
}

int main(int argc, char **argv)
{
	int i, hits = 0, misses = 0;
	if (argc < 2 || (cap = atoi(argv[1])) < 1 || cap > MAXCAP) {
		printf("usage: lru CAP (KEY | KEY=VALUE)...\n");
		return 2;
	}
	newest = oldest = NIL;
	for (i = 2; i < argc; i++) {
		int v = 0;
		char *eq = strchr(argv[i], '=');
		if (eq)
			store(atoi(argv[i]), atoi(eq + 1));
		else if (lookup(atoi(argv[i]), &v)) {
			printf("%s -> %d\n", argv[i], v);
			hits++;
		} else
			misses++;
	}
	printf("%d hits, %d misses\nkept:", hits, misses);
	for (i = newest; i != NIL; i = older[i])
		printf(" %d", key[i]);
	printf("\n");
	return 0;
}
