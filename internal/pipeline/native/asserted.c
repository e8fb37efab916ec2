#undef main
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long gulo_held, gulo_wanted; /* assertions that have to hold; below 0: they are counted */

void gulo_holds(int yes, int line)
{
    if (yes) {
        gulo_held++;
        return;
    }
    if (gulo_wanted >= 0)
        abort();
    printf("\n%ld unmet %d\n", gulo_held, line);
    gulo_wanted = 0;
    exit(0);
}

static void gulo_ended(void)
{
    if (gulo_wanted < 0)
        printf("\n%ld met 0\n", gulo_held);
    else if (gulo_held < gulo_wanted)
        abort();
}

/* run ARG...: the program's own main; hold N ARG...: N assertions have to hold, whatever is printed. */
int main(int argc, char **argv)
{
    gulo_held = gulo_wanted = 0;
    if (argc > 1 && strcmp(argv[1], "run") == 0) {
        argv[1] = argv[0];
        return gulo_whole(argc - 1, argv + 1);
    }
    if (argc < 3)
        return 99;
    gulo_wanted = atol(argv[2]);
    atexit(gulo_ended);
    argv[2] = argv[0];
    return gulo_whole(argc - 2, argv + 2);
}
