/* in which order can the courses be taken? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX 12

struct Link { int course; struct Link *next; };

struct Course {
	char name[8];
	int needs;
	struct Link *opens;
};

static struct Course courses[MAX];
static int count;

static int idOf(const char *name)
{
	for (int i = 0; i < count; i++)
		if (strcmp(courses[i].name, name) == 0)
			return i;
	if (count == MAX)
		return -1;
	strncpy(courses[count].name, name, 7);
	return count++;
}

static void require(int later, int earlier)
{
	struct Link *l;
	courses[later].needs++;
	for (l = courses[earlier].opens; l; l = l->next)
		if (l->course == later)
			return;
	l = malloc(sizeof *l);
	l->course = later;
	l->next = courses[earlier].opens;
	courses[earlier].opens = l;
}

static int plan(int order[])
{
	int done = 0, taken[MAX] = {0};
	for (;;) {
		int i, pick = -1;
		for (i = 0; i < count; i++) {
			if (taken[i] || courses[i].needs > 0)
				continue;
			if (pick < 0 || strcmp(courses[pick].name, courses[i].name) < 0)
				pick = i;
		}
		if (pick < 0)
			return done;
		taken[pick] = 1;
		order[done++] = pick;
		for (struct Link *l = courses[pick].opens; l; l = l->next)
			courses[l->course].needs--;
	}
}

static void cleanUp(void)
{
	for (int i = 0; i < count; i++) {
		struct Link *l = courses[i].opens, *next;
		for (; l; l = next) {
			next = l->next;
			free(l);
		}
	}
}

int main(int argc, char *argv[])
{
	char a[8], b[8];
	int order[MAX];

	for (int i = 1; i < argc; i++) {
		if (sscanf(argv[i], "%7[a-z]>%7[a-z]", a, b) == 2) {
			int early = idOf(a), late = idOf(b);
			if (early >= 0 && late >= 0)
				require(late, early);
		} else if (sscanf(argv[i], "%7[a-z]", a) == 1)
			idOf(a);
	}
	int n = plan(order);
	for (int i = 0; i < n; i++)
		printf("%d. %s\n", i + 1, courses[order[i]].name);
	if (n < count)
		printf("%d courses wait for each other\n", count - n);
	cleanUp();
	return n < count;
}
