#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shape;

struct shape_ops {
	const char *name;
	long (*area)(const struct shape *s);
	long (*outline)(const struct shape *s);
	void (*scale)(struct shape *s, int k);
};

struct shape {
	const struct shape_ops *ops;
	int a, b;
};

static long rect_area(const struct shape *s)
{
	return (long) s->a * s->b;
}

static long rect_outline(const struct shape *s)
{
	return 2L * (s->a + s->b);
}

static void rect_scale(struct shape *s, int k)
{
	s->a *= k;
	s->b *= k;
}

static long square_area(const struct shape *s)
{
	return (long) s->a * s->a;
}

static long square_outline(const struct shape *s)
{
	return 4L * s->a;
}

static void square_scale(struct shape *s, int k)
{
	s->a *= k;
}

static const struct shape_ops rect_ops = { "rect", rect_area, rect_outline, rect_scale };
static const struct shape_ops square_ops = { "square", square_area, square_outline, square_scale };

static struct shape *parse(const char *text)
{
	int a, b;
	struct shape *s;
	if (sscanf(text, "r%dx%d", &a, &b) == 2) {
		s = malloc(sizeof *s);
		s->ops = &rect_ops;
		s->a = a;
		s->b = b;
		return s;
	}
	if (sscanf(text, "q%d", &a) == 1) {
		s = malloc(sizeof *s);
		s->ops = &square_ops;
		s->a = a;
		s->b = 0;
		return s;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	long area = 0;
	struct shape *s[20];
	int n = 0, i, k;

	for (i = 1; i < argc && n < 20; i++) {
		if (sscanf(argv[i], "*%d", &k) == 1) {
			if (n > 0)
				s[n - 1]->ops->scale(s[n - 1], k);
		} else if ((s[n] = parse(argv[i])) != NULL)
			n++;
		else
			printf("what is %s?\n", argv[i]);
	}
	for (i = 0; i < n; i++) {
		printf("%s: area %ld, outline %ld\n", s[i]->ops->name, s[i]->ops->area(s[i]), s[i]->ops->outline(s[i]));
		area += s[i]->ops->area(s[i]);
		free(s[i]);
	}
	printf("all: %ld\n", area);
	return 0;
}
