#include <stdio.h>
#include <string.h>

/* all orders in one array as they came; the best is looked for each time */

typedef struct { char side; int id, left, price, shown; } Order;

static Order all[300];
static int n;

/* the best open order of a side, the older of equal ones; -1 if there is none */
static int best(char side)
{
	int i, b = -1;
	for (i = 0; i < n; i++) {
		if (all[i].side != side || all[i].left == 0 || all[i].shown)
			continue;
		if (b < 0 || (side == 'b' ? all[i].price > all[b].price : all[i].price < all[b].price))
			b = i;
	}
	return b;
}

static void list(const char *title)
{
	int b;
	printf("%s:", title);
	while ((b = best(*title)) >= 0) {
		all[b].shown = 1;
		printf(" #%d %dx%d", all[b].id, all[b].left, all[b].price);
	}
	printf("\n");
}

int main(void)
{
	char line[100], w[10];
	int id, count, price, i;
	long sum = 0;

	while (fgets(line, 100, stdin)) {
		int k = sscanf(line, "%9s %d %d %d", w, &id, &count, &price);
		if (k < 2)
			break;
		if (*w == 'c') {
			int found = -1;
			for (i = n - 1; i >= 0; i--)
				if (all[i].id == id && all[i].left && (found < 0 || all[i].side == 'b'))
					found = i;
			if (found < 0)
				printf("no order %d\n", id);
			else
				all[found].left = 0;
			continue;
		}
		if (k < 4 || count <= 0)
			return 1;
		char other = *w == 'b' ? 's' : 'b';
		while (count > 0 && (i = best(other)) >= 0) {
			Order *o = &all[i];
			int m = count;
			if (other == 's' ? price < o->price : price > o->price)
				break;
			if (o->left < m)
				m = o->left;
			printf("%d and %d trade %d at %d\n", id, o->id, m, o->price);
			sum += (long)m * o->price;
			o->left -= m;
			count -= m;
		}
		Order fresh = { *w, id, count, price, 0 };
		all[n++] = fresh;
	}
	list("buy");
	list("sell");
	printf("turnover %ld\n", sum);
	return 0;
}
