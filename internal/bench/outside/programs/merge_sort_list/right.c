#include <stdio.h>
#include <stdlib.h>

typedef struct rec {
	int key;
	int seq;		/* position in the input */
	struct rec *next;
} rec;

static rec *merge(rec *a, rec *b)
{
	rec head, *tail = &head;
	while (a && b) {
		if (a->key <= b->key) {
			tail->next = a;
			a = a->next;
		} else {
			tail->next = b;
			b = b->next;
		}
		tail = tail->next;
	}
	tail->next = a ? a : b;
	return head.next;
}

static rec *sort(rec *list)
{
	rec *slow, *fast;
	if (!list || !list->next)
		return list;
	slow = list;
	fast = list->next;
	while (fast && fast->next) {
		slow = slow->next;
		fast = fast->next->next;
	}
	fast = slow->next;
	slow->next = NULL;
	return merge(sort(list), sort(fast));
}

static rec *read_list(int argc, char **argv)
{
	rec *first = NULL, **end = &first;
	for (int i = 1; i < argc; i++) {
		rec *r = malloc(sizeof *r);
		r->key = atoi(argv[i]);
		r->seq = i;
		r->next = NULL;
		*end = r;
		end = &r->next;
	}
	return first;
}

static int ascending(const rec *r)
{
	for (; r && r->next; r = r->next)
		if (r->key > r->next->key)
			return 0;
	return 1;
}

int main(int argc, char **argv)
{
	rec *list = sort(read_list(argc, argv));
	printf("%s:", ascending(list) ? "sorted" : "not sorted");
	while (list) {
		rec *next = list->next;
		printf(" %d#%d", list->key, list->seq);
		free(list);
		list = next;
	}
	printf("\n");
	return 0;
}
