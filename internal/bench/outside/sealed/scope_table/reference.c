#include <stdio.h>
#include <string.h>

struct entry { char name[32]; int value, level; };
static struct entry stack[200];
static int top, level;

static int find(const char *name)
{
	int i = top - 1;
	while (i >= 0 && strcmp(stack[i].name, name))
		i--;
	return i;
}

int main(void)
{
	char w[32], name[32];
	int v, i;

	while (scanf("%31s", w) == 1) {
		switch (w[0]) {
		case '{':
			level++;
			break;
		case '}':
			if (level == 0) {
				puts("unbalanced");
				break;
			}
			while (top > 0 && stack[top - 1].level == level)
				top--;
			level--;
			break;
		case 'g':
			scanf("%31s", name);
			i = find(name);
			if (i < 0)
				printf("%s: undeclared\n", name);
			else
				printf("%s = %d (%d)\n", name, stack[i].value, stack[i].level);
			break;
		case 'l':
		case 's':
			scanf("%31s%d", name, &v);
			i = find(name);
			if (w[0] == 's') {
				if (i < 0)
					printf("%s: undeclared\n", name);
				else
					stack[i].value = v;
			} else if (i >= 0 && stack[i].level == level) {
				printf("%s: redeclared\n", name);
			} else {
				strcpy(stack[top].name, name);
				stack[top].value = v;
				stack[top++].level = level;
			}
		}
	}
	return 0;
}
