#include <stdio.h>
#include <string.h>

/* The jobs are in an array in the order of their turns: the one in front goes to the end. */

#define MAX 64

typedef struct { char who[8]; int rest; } Job;

static Job queue[MAX];
static int waiting, t;

static Job take(int at)
{
    Job j = queue[at];
    waiting--;
    memmove(&queue[at], &queue[at + 1], (waiting - at) * sizeof(Job));
    return j;
}

static void step(void)
{
    Job j = take(0);
    int used = 0;
    while (used < 4 && j.rest > 0) {
        used++;
        j.rest--;
    }
    t += used;
    printf("%3d %-7s %d\n", t, j.who, j.rest);
    if (j.rest)
        queue[waiting++] = j;
}

int main(void)
{
    char line[80];

    while (fgets(line, sizeof line, stdin)) {
        Job j;
        int n, i;
        if (sscanf(line, "job %7s %d", j.who, &j.rest) == 2) {
            queue[waiting++] = j;
        } else if (sscanf(line, "turns %d", &n) == 1) {
            for (i = 0; i < n && waiting; i++)
                step();
        } else if (sscanf(line, "cancel %7s", j.who) == 1) {
            /* the circle is searched from the job that would be next */
            for (i = 0; i < waiting && strcmp(queue[i].who, j.who); i++)
                ;
            if (i == waiting)
                printf("no %s\n", j.who);
            else {
                take(i);
                printf("%s cancelled\n", j.who);
            }
        } else {
            printf("bad line\n");
            return 1;
        }
    }
    while (waiting)
        step();
    printf("all done at %d\n", t);
    return 0;
}
