#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct p { char name[8]; int wake, ran, order; } ps[40];
static int n, clock_, seq;

static struct p *next_of(int sleeping, int after)
{
	struct p *best = NULL;
	for (int i = 0; i < n; i++)
		if ((ps[i].wake >= 0) == sleeping && ps[i].order > after && (!best || ps[i].order < best->order))
			best = &ps[i];
	return best;
}

int main(int argc, char **argv)
{
	struct p *q;

	for (int i = 1; i < argc; i++) {
		char *s = argv[i];
		if (*s == '+') {
			strncpy(ps[n].name, s + 1, 7);
			ps[n].wake = -1;
			ps[n++].order = ++seq;
		} else if (*s == '.') {
			int last = 0;
			clock_++;
			int limit = seq;
			while ((q = next_of(1, last)) && q->order <= limit) {
				last = q->order;
				if (q->wake <= clock_) {
					q->wake = -1;
					q->order = ++seq;
				}
			}
			if ((q = next_of(0, 0))) {
				q->ran++;
				q->order = ++seq;
			}
		} else if (strchr(s, '=')) {
			char *name = strtok(s, "=");
			int t = atoi(strtok(NULL, "="));
			for (int last = 0; (q = next_of(0, last)); last = q->order)
				if (!strcmp(q->name, name)) {
					q->wake = clock_ + t;
					q->order = ++seq;
					break;
				}
		}
	}
	for (int k = 0; k < 2; k++) {
		printf(k ? "asleep:" : "ready:");
		for (int last = 0; (q = next_of(k, last)); last = q->order)
			printf(" %s/%d", q->name, q->ran);
		puts("");
	}
	return 0;
}
