#include <stdio.h>
#include <string.h>

/* every piece is one number: its price; a queue of prices for each name */

struct Queue { char name[16]; int price[3000]; int head, tail; };

struct Queue queues[20];
int used = 0;

struct Queue *lookup(char *name)
{
    struct Queue *q = queues;
    while (q < queues + used && strcmp(q->name, name) != 0)
        q++;
    if (q == queues + used) {
        used++;
        strcpy(q->name, name);
        q->head = q->tail = 0;
    }
    return q;
}

int main()
{
    char line[100], name[16];
    int n, cents, k;

    while (fgets(line, sizeof line, stdin) != NULL)
    {
        if (sscanf(line, "in %15s %d %d", name, &n, &cents) == 3)
        {
            struct Queue *q = lookup(name);
            while (n-- > 0)
                q->price[q->tail++] = cents;
        }
        else if (sscanf(line, "out %15s %d", name, &n) == 2)
        {
            struct Queue *q = lookup(name);
            int there = q->tail - q->head, sum = 0;
            if (there < n)
            {
                printf("%s: only %d\n", name, there);
                continue;
            }
            for (k = 0; k < n; k++)
                sum += q->price[q->head++];
            printf("%s: %d for %.2f\n", name, n, sum / 100.0);
        }
        else if (sscanf(line, "mean %15s", name) == 1)
        {
            struct Queue *q = lookup(name);
            long sum = 0;
            for (k = q->head; k < q->tail; k++)
                sum += q->price[k];
            if (q->head == q->tail)
                printf("%s: none\n", name);
            else
                printf("%s: %.3f\n", name, sum / 100.0 / (q->tail - q->head));
        }
        else
            return 1;
    }
    for (k = 0; k < used; k++)
        printf("%-8s %5d\n", queues[k].name, queues[k].tail - queues[k].head);
    return 0;
}
