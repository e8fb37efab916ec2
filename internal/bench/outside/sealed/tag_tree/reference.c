#include <stdio.h>
#include <string.h>

static char out[4000], open_[40][16];
static int depth;

static int document(char *s)
{
	int n = 0;

	depth = 0;
	out[0] = 0;
	while (*s) {
		size_t k = strcspn(s, "[");
		if (k) {
			n += sprintf(out + n, "%*s\"%.*s\"\n", 2 * depth, "", (int)k, s);
			s += k;
			continue;
		}
		k = strcspn(s, "]");
		if (!s[k])
			return 0;
		s[k] = 0;
		if (s[1] == '/') {
			if (!depth || strcmp(open_[depth - 1], s + 2))
				return 0;
			depth--;
		} else {
			int closed = s[k - 1] == '/';
			if (closed)
				s[k - 1] = 0;
			n += sprintf(out + n, "%*s%.15s\n", 2 * depth, "", s + 1);
			if (!closed)
				strcpy(open_[depth++], s + 1);
		}
		s += k + 1;
	}
	return depth == 0;
}

int main(int argc, char **argv)
{
	int i, status = 0;

	for (i = 1; i < argc; i++)
		if (document(argv[i])) {
			fputs(out, stdout);
		} else {
			puts("not well-formed");
			status = 1;
		}
	return status;
}
