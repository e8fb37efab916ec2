#include <stdio.h>

/* By recursion: inside() reads up to the bracket that closes what was opened at `from`. */

static char text[256];
static int at, most;
static int wrong;
static const char *reason;

static void inside(int from, char end, int depth)
{
	if (depth > most)
		most = depth;
	while (!wrong) {
		char c = text[at];

		if (c == 0 || c == '\n') {
			if (end) {
				wrong = from + 1;
				reason = "is never closed";
			}
			return;
		}
		at++;
		switch (c) {
		case '"':
			while (text[at] && text[at] != '\n' && text[at] != '"')
				at++;
			if (text[at] == '"')
				at++;
			break;
		case '(':
			inside(at - 1, ')', depth + 1);
			break;
		case '[':
			inside(at - 1, ']', depth + 1);
			break;
		case '{':
			inside(at - 1, '}', depth + 1);
			break;
		case ')': case ']': case '}':
			if (c == end)
				return;
			wrong = at;
			reason = end ? "does not fit" : "nothing is open";
		}
	}
}

int main(void)
{
	int lines = 0, faults = 0;

	while (fgets(text, 256, stdin)) {
		at = most = wrong = 0;
		lines++;
		inside(0, 0, 0);
		if (wrong) {
			faults++;
			printf("%d: column %d: %c %s\n", lines, wrong, text[wrong - 1], reason);
		} else
			printf("%d: fine, depth %d\n", lines, most);
	}
	printf("%d of %d lines are bad\n", faults, lines);
	return faults ? 1 : 0;
}
