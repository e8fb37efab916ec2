#include <stdio.h>
#include <stdlib.h>

/* bowling: the pins of each ball as arguments, a whole game; prints the sheet */

#define FRAMES 10

int balls[21];
int nballs;

int is_strike(int ball) { return balls[ball] == 10; }
int is_spare(int ball) { return balls[ball] + balls[ball + 1] == 10; }

void symbol(int pins, int before)
{
	if (pins == 10 && before != 0)
		putchar('X');
	else if (before >= 0 && pins + before == 10)
		putchar('/');
	else if (pins == 0)
		putchar('-');
	else
		printf("%d", pins);
}

void show_frame(int ball, int count)
{
	int i, before = -1;
	for (i = 0; i < count; i++) {
		int pins = balls[ball + i];
		symbol(pins, before);
		before = before == -1 && pins < 10 ? pins : -1;
	}
}

int main(int argc, char *argv[])
{
	int frame, ball = 0, score = 0, strikes = 0, spares = 0, open = 0;

	for (nballs = 0; nballs < argc - 1 && nballs < 21; nballs++)
		balls[nballs] = atoi(argv[nballs + 1]);

	for (frame = 1; frame <= FRAMES; frame++) {
		int used = 2;
		if (ball >= nballs) {
			printf("the game is not over\n");
			return 1;
		}
		if (is_strike(ball)) {
			score += 10 + balls[ball + 1] + balls[ball + 2];
			strikes++;
			used = 1;
		} else if (is_spare(ball)) {
			score += 10 + balls[ball + 1];
			spares++;
		} else {
			score += balls[ball] + balls[ball + 1];
			open++;
		}
		printf("%2d: ", frame);
		if (frame == FRAMES)
			show_frame(ball, nballs - ball);
		else
			show_frame(ball, used);
		printf(" %d\n", score);
		ball += used;
	}
	printf("%d strikes, %d spares, %d open\n", strikes, spares, open);
	if (score == 300)
		printf("perfect\n");
	return 0;
}
