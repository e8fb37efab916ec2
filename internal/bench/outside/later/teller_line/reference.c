#include <stdio.h>
#include <string.h>

/* the work of each counter is a table of minutes; a customer takes the first free ones */

static int occupied[4][2000];

static int first_free(int k)
{
	int t = 1999;
	while (t >= 0 && !occupied[k][t])
		t--;
	return t + 1;
}

int main(void)
{
	int n = 0, from, take, last = 0, people = 0, sum = 0, worst = 0, count[4] = {0}, closing = 0, t, k;
	char name[20], unlucky[20] = "";

	scanf("%d", &n);
	if (n < 1 || n > 4) {
		puts("1 to 4 counters");
		return 2;
	}
	while (scanf("%d %d %19s", &from, &take, name) == 3) {
		int at = 0, begin;
		if (from < last) {
			printf("%s comes too late\n", name);
			continue;
		}
		last = from;
		for (k = n - 1; k >= 0; k--)
			if (first_free(k) <= first_free(at))
				at = k;
		begin = first_free(at);
		if (begin < from)
			begin = from;
		for (t = begin; t < begin + take; t++)
			occupied[at][t] = 1;
		if (t > closing)
			closing = t;
		count[at]++;
		people++;
		sum += begin - from;
		printf("%3d %-8s counter %d, waited %d\n", begin, name, at + 1, begin - from);
		if (begin - from > worst) {
			worst = begin - from;
			strcpy(unlucky, name);
		}
	}
	for (k = 0; k < n; k++) {
		int busy = 0;
		for (t = 0; t < 2000; t++)
			busy += occupied[k][t];
		printf("counter %d: %d customers, %d%% busy\n", k + 1, count[k], closing ? busy * 100 / closing : 0);
	}
	if (people)
		printf("waited %.1f on average\n", sum / (double)people);
	if (worst)
		printf("%s waited longest, %d\n", unlucky, worst);
	return 0;
}
