#include <stdio.h>
#include <stdlib.h>

/* requests are the bits of a word; where to go next follows from masks */

unsigned calls;
int at, dir = 1, ticks;
char doing = 'i'; /* i, u, d, o */

void decide(void)
{
	unsigned here = 1u << at;
	unsigned below = calls & (here - 1);
	unsigned above = calls & ~(here - 1) & ~here;

	if (calls & here)
		doing = 'o';
	else if (above && (dir > 0 || !below))
		doing = 'u';
	else if (below)
		doing = 'd';
	else
		doing = 'i';
}

void step(void)
{
	ticks++;
	if (doing == 'u' || doing == 'd') {
		dir = doing == 'u' ? 1 : -1;
		at += dir;
	}
	if (doing == 'o')
		calls &= ~(1u << at);
	decide();
	printf("%d %s\n", at, doing == 'u' ? "up" : doing == 'd' ? "down" : doing == 'o' ? "open" : "idle");
}

int main(int argc, char *argv[])
{
	int k = 0;
	while (++k < argc) {
		char c = *argv[k];
		if (argv[k][1] || !(c == '.' || (c >= '0' && c <= '9'))) {
			printf("what is %s\n", argv[k]);
			exit(1);
		}
		if (c == '.')
			step();
		else
			calls |= 1u << (c - '0');
	}
	step();
	while (doing != 'i' && ticks < 100)
		step();
	printf("%d ticks, ends on %d\n", ticks, at);
	return 0;
}
