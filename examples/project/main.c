#include <stdio.h>

#include "queue.h"

int main(int argc, char **argv)
{
    struct queue q = {NULL, NULL};
    for (int n = 1; n < argc; n++)
        put(&q, argv[n]);
    for (struct item *i = q.head; i != NULL; i = i->next)
        printf("%s\n", i->word);
    clear(&q);
    return 0;
}
