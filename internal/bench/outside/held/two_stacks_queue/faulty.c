#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A waiting room.  The queue is made of two stacks: patients come onto one, and when the
 * other one is empty all are turned over onto it.
 *
 *   come NAME MINUTES    arrives; so long the treatment takes
 *   call                 the next one goes in
 *   who                  everybody in the order in which they will be called
 */

struct patient {
    char name[16];
    int minutes;
    struct patient *below;
};

struct queue {
    struct patient *in, *out;
    int length;
};

static struct patient *pop(struct patient **stack)
{
    struct patient *p = *stack;
    *stack = p->below;
    p->below = NULL;
    return p;
}

static void push(struct patient **stack, struct patient *p)
{
    p->below = *stack;
    *stack = p;
}

static void come(struct queue *q, const char *name, int minutes)
{
    struct patient *p = malloc(sizeof *p);
    strcpy(p->name, name);
    p->minutes = minutes;
    push(&q->in, p);
    q->length++;
}

static struct patient *call(struct queue *q)
{
    if (q->length == 0)
        return NULL;
    while (q->in != NULL)
        push(&q->out, pop(&q->in));
    q->length--;
    return pop(&q->out);
}

/* the stack of arrivals has to be read from below */
static int who_in(const struct patient *p, int wait)
{
    if (p == NULL)
        return wait;
    wait = who_in(p->below, wait);
    printf(" %s(%d)", p->name, wait);
    return wait + p->minutes;
}

static void who(const struct queue *q)
{
    int wait = 0;
    printf("%d:", q->length);
    for (const struct patient *p = q->out; p != NULL; p = p->below) {
        printf(" %s(%d)", p->name, wait);
        wait += p->minutes;
    }
    wait = who_in(q->in, wait);
    printf(" = %d\n", wait);
}

int main(void)
{
    struct queue q = {NULL, NULL, 0};
    struct patient *p;
    char cmd[8], name[16];
    int minutes, worked = 0;

    while (scanf("%7s", cmd) == 1) {
        if (strcmp(cmd, "come") == 0) {
            if (scanf("%15s %d", name, &minutes) != 2)
                break;
            come(&q, name, minutes);
        } else if (strcmp(cmd, "who") == 0) {
            who(&q);
        } else if ((p = call(&q)) == NULL) {
            printf("nobody waits\n");
        } else {
            printf("%s, please\n", p->name);
            worked += p->minutes;
            free(p);
        }
    }
    printf("%d minutes, %d left\n", worked, q.length);
    while ((p = call(&q)) != NULL)
        free(p);
    return 0;
}
