#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes a key of each version that sorts as text. */

struct v { char key[200]; const char *text; int pre; };

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct v *)a)->key, ((const struct v *)b)->key);
}

static int key(const char *s, struct v *v)
{
	int x[3], used = 0, n;
	char part[24], *k = v->key;

	if (strspn(s, "0123456789.") < 1 || *s < '0' || *s > '9')
		return 0;
	if (sscanf(s, "%d.%d.%d%n", &x[0], &x[1], &x[2], &used) < 3 || (s[used] && s[used] != '-'))
		return 0;
	if (strchr(s, '+') || strstr(s, ". "))
		return 0;
	v->text = s;
	v->pre = s[used] == '-';
	k += sprintf(k, "%08d%08d%08d", x[0], x[1], x[2]);
	s += used;
	if (!v->pre)
		return strcpy(k, "~"), 1;
	if (!*++s)
		return 0;
	while (sscanf(s, "%23[^.]%n", part, &n) == 1) {
		if (strspn(part, "0123456789") == strlen(part))
			k += sprintf(k, "\"0%08d\"", atoi(part));
		else
			k += sprintf(k, "\"1%s!", part);
		s += n;
		if (*s == '.')
			s++;
	}
	return 1;
}

int main(int argc, char **argv)
{
	struct v all[40];
	int n = 0, i;

	for (i = 1; i < argc; i++)
		if (key(argv[i], &all[n]))
			n++;
		else
			printf("not a version: %s\n", argv[i]);
	qsort(all, n, sizeof all[0], by_key);
	for (i = 0; i < n; i++)
		printf("%s%s", i ? " < " : "", all[i].text);
	if (n)
		puts("");
	if (n && all[n - 1].pre)
		puts("latest is a preview");
	return 0;
}
