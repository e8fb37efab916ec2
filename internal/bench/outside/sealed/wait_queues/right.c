#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Processes on a ready queue or asleep until a tick; the queues are intrusive rings. */

struct link {
	struct link *prev, *next;
};

struct proc {
	char name[8];
	int wake;
	int ran;
	struct link queue;
};

#define proc_of(l) ((struct proc *)((char *)(l) - offsetof(struct proc, queue)))

static struct link ready = { &ready, &ready };
static struct link asleep = { &asleep, &asleep };
static int now;

static void add_tail(struct link *head, struct link *l)
{
	l->prev = head->prev;
	l->next = head;
	head->prev->next = l;
	head->prev = l;
}

static void unlink_it(struct link *l)
{
	l->prev->next = l->next;
	l->next->prev = l->prev;
	l->prev = l->next = l;
}

static struct proc *find(struct link *head, const char *name)
{
	struct link *l;

	for (l = head->next; l != head; l = l->next)
		if (strcmp(proc_of(l)->name, name) == 0)
			return proc_of(l);
	return NULL;
}

static void spawn(const char *name)
{
	struct proc *p = calloc(1, sizeof *p);

	strncpy(p->name, name, sizeof p->name - 1);
	add_tail(&ready, &p->queue);
}

static void wake_up(void)
{
	struct link *l, *next;

	for (l = asleep.next; l != &asleep; l = next) {
		next = l->next;
		if (proc_of(l)->wake <= now) {
			unlink_it(l);
			add_tail(&ready, l);
		}
	}
}

static void tick(void)
{
	now++;
	wake_up();
	if (ready.next != &ready) {
		struct link *l = ready.next;

		proc_of(l)->ran++;
		unlink_it(l);
		add_tail(&ready, l);
	}
}

static void sleep_for(const char *name, int ticks)
{
	struct proc *p = find(&ready, name);

	if (p == NULL)
		return;
	p->wake = now + ticks;
	unlink_it(&p->queue);
	add_tail(&asleep, &p->queue);
}

static void show(struct link *head, const char *title)
{
	struct link *l;

	printf("%s:", title);
	for (l = head->next; l != head; l = l->next)
		printf(" %s/%d", proc_of(l)->name, proc_of(l)->ran);
	printf("\n");
}

/* +NAME a new process, NAME=TICKS sleeps, . a tick */
int main(int argc, char **argv)
{
	struct link *l;
	int i;

	for (i = 1; i < argc; i++) {
		char *eq = strchr(argv[i], '=');

		if (argv[i][0] == '+')
			spawn(argv[i] + 1);
		else if (argv[i][0] == '.')
			tick();
		else if (eq != NULL) {
			*eq = '\0';
			sleep_for(argv[i], atoi(eq + 1));
		}
	}
	show(&ready, "ready");
	show(&asleep, "asleep");
	while ((l = ready.next) != &ready || (l = asleep.next) != &asleep) {
		unlink_it(l);
		free(proc_of(l));
	}
	return 0;
}
