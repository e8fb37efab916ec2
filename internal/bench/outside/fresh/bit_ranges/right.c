#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A bitmap of blocks, 32 to a word. */

#define BLOCKS 128
#define WORDS (BLOCKS / 32)

static uint32_t map[WORDS];

/* bits lo..hi of a word, both included */
static uint32_t mask(int lo, int hi)
{
	uint32_t upto = hi == 31 ? 0xffffffffu : (1u << (hi + 1)) - 1;

	return upto & ~((1u << lo) - 1);
}

static void mark(int first, int last, int used)
{
	int w;

	for (w = first / 32; w <= last / 32; w++) {
		int lo = w == first / 32 ? first % 32 : 0;
		int hi = w == last / 32 ? last % 32 : 31;

		if (used)
			map[w] |= mask(lo, hi);
		else
			map[w] &= ~mask(lo, hi);
	}
}

static int is_used(int block)
{
	return map[block / 32] >> (block % 32) & 1;
}

static int count(void)
{
	int w, n = 0;

	for (w = 0; w < WORDS; w++) {
		uint32_t x = map[w];

		for (; x; x &= x - 1)
			n++;
	}
	return n;
}

/* the first run of n free blocks, or -1 */
static int find_free(int n)
{
	int b, run = 0;

	for (b = 0; b < BLOCKS; b++) {
		if (b % 32 == 0 && map[b / 32] == 0xffffffffu) {
			run = 0;
			b += 31;
			continue;
		}
		run = is_used(b) ? 0 : run + 1;
		if (run == n)
			return b - n + 1;
	}
	return -1;
}

static void show(void)
{
	int w;

	for (w = 0; w < WORDS; w++)
		printf("%08x%c", (unsigned)map[w], w < WORDS - 1 ? ' ' : '\n');
}

/* +A-B marks, -A-B frees, ?N looks for N free blocks and takes them, # counts */
int main(int argc, char **argv)
{
	int i, a, b;

	for (i = 1; i < argc; i++) {
		const char *s = argv[i];

		if (*s == '#') {
			printf("%d\n", count());
		} else if (*s == '?') {
			b = atoi(s + 1);
			a = b > 0 ? find_free(b) : -1;
			printf("%d\n", a);
			if (a >= 0)
				mark(a, a + b - 1, 1);
		} else if (sscanf(s + 1, "%d-%d", &a, &b) == 2 && a >= 0 && a <= b && b < BLOCKS) {
			mark(a, b, *s == '+');
		} else {
			printf("bad: %s\n", s);
		}
	}
	show();
	return 0;
}
