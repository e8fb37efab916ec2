#include <stdio.h>
#include <string.h>
#include <stdbool.h>

/* no keys: two words are compared by how often they have each letter */

static char words[100][40];
static int n;

static bool same_letters(const char *a, const char *b)
{
	int diff[128] = {0};
	for (; *a; a++)
		diff[*a | 32]++;
	for (; *b; b++)
		diff[*b | 32]--;
	for (int i = 0; i < 128; i++)
		if (diff[i])
			return false;
	return true;
}

int main(void)
{
	bool printed[100] = {false};
	int groups = 0, most = 0;
	char w[40];

	while (scanf("%39s", w) == 1) {
		int i = 0;
		while (i < n && strcmp(words[i], w))
			i++;
		if (i == n)
			strcpy(words[n++], w);
	}
	for (int i = 0; i < n; i++) {
		int member[100], m = 0;
		if (printed[i])
			continue;
		for (int k = i; k < n; k++)
			if (same_letters(words[i], words[k])) {
				int at = m++;
				printed[k] = true;
				for (; at > 0 && strcmp(words[member[at - 1]], words[k]) > 0; at--)
					member[at] = member[at - 1];
				member[at] = k;
			}
		printf("%d", m);
		for (int k = 0; k < m; k++)
			printf(" %s", words[member[k]]);
		printf("\n");
		groups++;
		if (m > most)
			most = m;
	}
	printf("%d groups, the largest has %d\n", groups, most);
	return 0;
}
