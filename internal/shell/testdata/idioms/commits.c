// commit_list_insert_by_date 3
#include <stdio.h>
#include <stdlib.h>

typedef unsigned long timestamp_t;

struct object {
	unsigned parsed : 1;
	unsigned type : 3;
	unsigned flags : 28;
};

struct commit {
	struct object object;
	timestamp_t date;
	const char *subject;
};

struct commit_list {
	struct commit *item;
	struct commit_list *next;
};

static struct commit_list *commit_list_insert(struct commit *item, struct commit_list **list_p)
{
	struct commit_list *new_list = malloc(sizeof(*new_list));
	new_list->item = item;
	new_list->next = *list_p;
	*list_p = new_list;
	return new_list;
}

static struct commit_list *commit_list_insert_by_date(struct commit *item, struct commit_list **list)
{
	struct commit_list **pp = list;
	struct commit_list *p;
	while ((p = *pp) != NULL) {
		if (p->item->date < item->date)
			break;
		pp = &p->next;
	}
	return commit_list_insert(item, list); //! return commit_list_insert(item, pp);
}

static struct commit *pop_commit(struct commit_list **stack)
{
	struct commit_list *top = *stack;
	struct commit *item = top ? top->item : NULL;

	if (top) {
		*stack = top->next;
		free(top);
	}
	return item;
}

int main(void)
{
	struct commit all[] = {
		{ { 1, 1, 0 }, 1200, "fix typo" },
		{ { 1, 1, 0 }, 1500, "add tests" },
		{ { 0, 1, 4 }, 1300, "merge topic" },
		{ { 1, 1, 0 }, 1100, "initial" },
		{ { 1, 1, 0 }, 1400, "refactor" },
	};
	struct commit_list *queue = NULL;
	struct commit *c;
#ifdef HELD
	static const int order[] = { 4, 2, 0, 3, 1 };
#else
	static const int order[] = { 0, 1, 2 };
#endif
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		commit_list_insert_by_date(&all[order[i]], &queue);
	while ((c = pop_commit(&queue)) != NULL)
		printf("%lu %s%s\n", c->date, c->subject, c->object.parsed ? "" : " (unparsed)");
	return 0;
}
