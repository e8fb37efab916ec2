#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Stock by lots: what came in first goes out first, and costs what it cost.
 *
 *   in ITEM COUNT PRICE     a lot comes in, PRICE cents each
 *   out ITEM COUNT          prints what the goods cost
 *   mean ITEM               mean price of what is there, in euros
 */

typedef struct lot lot_t;
struct lot {
	int	count;
	int	price;
	lot_t	*next;
};

typedef struct {
	char	name[16];
	lot_t	*first;
	lot_t	*last;
	int	total;
} item_t;

#define MAXITEMS 20

static item_t items[MAXITEMS];
static int nitems;

static item_t *get_item(const char *name)
{
	int i;

	for (i = 0; i < nitems; i++)
		if (!strcmp(items[i].name, name))
			return &items[i];
	if (nitems == MAXITEMS)
		return NULL;
	strcpy(items[nitems].name, name);
	return &items[nitems++];
}

static void lot_in(item_t *it, int count, int price)
{
	lot_t *l = malloc(sizeof(lot_t));

	l->count = count;
	l->price = price;
	l->next = NULL;
	if (it->first == NULL)
		it->first = l;
	else
		it->last->next = l;
	it->last = l;
	it->total += count;
}

/* the cost of count pieces, or -1 if there are not so many */
static long lots_out(item_t *it, int count)
{
	long cost = 0;

	if (count > it->total)
		return -1;
	it->total -= count;
	while (count > 0) {
		lot_t *l = it->first;
		int n = l->count < count ? l->count : count;

		cost += (long)l->count * l->price;
		count -= n;
		l->count -= n;
		if (l->count == 0) {
			it->first = l->next;
			free(l);
		}
	}
	return cost;
}

static double mean_price(const item_t *it)
{
	const lot_t *l;
	long sum = 0;

	for (l = it->first; l; l = l->next)
		sum += (long)l->count * l->price;
	return sum / it->total / 100.0;
}

int main(void)
{
	char cmd[8], name[16];
	int i, count, price;

	while (scanf("%7s %15s", cmd, name) == 2) {
		item_t *it = get_item(name);

		if (!it)
			return 1;
		if (!strcmp(cmd, "in") && scanf("%d %d", &count, &price) == 2) {
			lot_in(it, count, price);
		} else if (!strcmp(cmd, "out") && scanf("%d", &count) == 1) {
			long cost = lots_out(it, count);
			if (cost < 0)
				printf("%s: only %d\n", name, it->total);
			else
				printf("%s: %d for %ld.%02ld\n", name, count, cost / 100, cost % 100);
		} else if (!strcmp(cmd, "mean")) {
			if (it->total == 0)
				printf("%s: none\n", name);
			else
				printf("%s: %.3f\n", name, mean_price(it));
		} else {
			return 1;
		}
	}
	for (i = 0; i < nitems; i++) {
		printf("%-8s %5d\n", items[i].name, items[i].total);
		while (items[i].first) {
			lot_t *l = items[i].first;
			items[i].first = l->next;
			free(l);
		}
	}
	return 0;
}
