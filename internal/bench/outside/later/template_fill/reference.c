#include <stdio.h>
#include <string.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

char name[50][100], value[50][260];
int n, total;

const char *get(const char *key, const char *instead)
{
	int i;
	for (i = 0; i < n; i++)
		if (!strcmp(name[i], key))
			return value[i];
	return instead;
}

void say(const char *s)
{
	total += printf("%s", s);
}

int main(void)
{
	char line[256], key[260], instead[260], one[2] = "";
	char *p;

	while (fgets(line, 256, stdin)) {
		size_t len = strspn(line, LETTERS);
		line[strcspn(line, "\n")] = 0;
		if (len && line[len] == '=') {
			int i;
			line[len] = 0;
			for (i = 0; i < n && strcmp(name[i], line); i++)
				;
			n += i == n;
			strcpy(name[i], line);
			strcpy(value[i], line + len + 1);
			continue;
		}
		for (p = line; *p;) {
			strcpy(instead, "?");
			if (p[0] == '$' && p[1] == '{') {
				char *close = strchr(p, '}');
				*close = 0;
				if (sscanf(p + 2, "%[^:]:%[^\n]", key, instead) == 1 && strchr(p + 2, ':'))
					*instead = 0;
				say(get(key, instead));
				p = close + 1;
			} else if (p[0] == '$' && p[1] != '$') {
				len = strspn(p + 1, LETTERS);
				memcpy(key, p + 1, len);
				key[len] = 0;
				say(get(key, instead));
				p += len + 1;
			} else {
				one[0] = *p;
				say(one);
				p += *p == '$' ? 2 : 1;
			}
		}
		puts("");
	}
	printf("%d characters\n", total);
	return 0;
}
