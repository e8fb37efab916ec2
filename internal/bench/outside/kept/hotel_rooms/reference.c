#include <stdio.h>
#include <string.h>
#include <stdlib.h>

/* a calendar: who is where in each night; equal neighbours are told apart by the number of the booking */

static int plan[3][400];
static char names[200][16];
static int start[200], stop[200];

int main(void)
{
	char line[80], who[16];
	int booked = 0, a, b, room, d;

	while (fgets(line, sizeof line, stdin)) {
		if (sscanf(line, "cancel %15s", who) == 1) {
			int gone = 0;
			for (a = 1; a <= booked; a++) {
				if (strcmp(names[a], who))
					continue;
				gone++;
				names[a][0] = 0;
				for (room = 0; room < 3; room++)
					for (d = 0; d < 400; d++)
						if (plan[room][d] == a)
							plan[room][d] = 0;
			}
			printf("%s: %d cancelled\n", who, gone);
		} else if (sscanf(line, "%d %d %15s", &a, &b, who) == 3) {
			int found = -1;
			if (b <= a) {
				printf("%s: no nights\n", who);
				continue;
			}
			for (room = 2; room >= 0; room--) {
				int taken = 0;
				for (d = a; d < b; d++)
					taken += plan[room][d] != 0;
				if (!taken)
					found = room;
			}
			if (found < 0) {
				printf("%s: all taken\n", who);
				continue;
			}
			booked++;
			strcpy(names[booked], who);
			start[booked] = a;
			stop[booked] = b;
			for (d = a; d < b; d++)
				plan[found][d] = booked;
			printf("%s: room %d\n", who, found + 1);
		} else
			break;
	}
	for (room = 0; room < 3; room++) {
		int nights = 0, last = 0;
		printf("room %d:", room + 1);
		for (d = 0; d < 400; d++) {
			int k = plan[room][d];
			if (k && k != last)
				printf(" %s %d-%d", names[k], start[k], stop[k]);
			last = k;
			nights += k != 0;
		}
		printf(" (%d nights)\n", nights);
	}
	return 0;
}
