#include <stdio.h>
#include <stdlib.h>

/*
 * Sorting punched cards: a card has a number of up to four digits and a letter.
 * They go through the sorter once per digit, the last digit first; ten pockets, which are lists.
 * Cards are given as 123a on the command line.
 */

typedef struct card card;
struct card {
	int  number;
	char letter;
	card *next;
};

typedef struct {
	card *first, *last;
} pocket;

static pocket pockets[10];

static void drop(pocket *p, card *c)
{
	c->next = NULL;
	if (p->first == NULL)
		p->first = c;
	else
		p->last->next = c;
	p->last = c;
}

static card *collect(void)
{
	pocket all = { NULL, NULL };
	int d;

	for (d = 0; d < 10; d++) {
		if (pockets[d].first == NULL)
			continue;
		if (all.first == NULL)
			all.first = pockets[d].first;
		else
			all.last->next = pockets[d].first;
		all.last = pockets[d].last;
		pockets[d].first = NULL;
		pockets[d].last = NULL;
	}
	return all.first;
}

static card *pass(card *deck, int divisor)
{
	while (deck != NULL) {
		card *c = deck;
		deck = deck->next;
		drop(&pockets[c->number / divisor % 10], c);
	}
	return collect();
}

static void show(const char *title, const card *deck)
{
	printf("%s", title);
	for (; deck != NULL; deck = deck->next)
		printf(" %d%c", deck->number, deck->letter);
	printf("\n");
}

int main(int argc, char **argv)
{
	card *cards = calloc(argc, sizeof(card)), *deck = NULL;
	int i, divisor, largest = 0;
	char title[32];

	for (i = argc - 1; i > 0; i--) {
		card *c = &cards[i];
		if (sscanf(argv[i], "%4d%c", &c->number, &c->letter) != 2 || c->number < 0) {
			printf("bad card %s\n", argv[i]);
			free(cards);
			return 1;
		}
		if (c->number > largest)
			largest = c->number;
		c->next = deck;
		deck = c;
	}
	show("deck:", deck);
	for (divisor = 1; largest / divisor > 0; divisor *= 10) {
		deck = pass(deck, divisor);
		sprintf(title, "by %d:", divisor);
		show(title, deck);
	}
	free(cards);
	return 0;
}
