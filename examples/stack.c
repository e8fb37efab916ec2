#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stack {
    int *data;
    int size, room;
};

static void push(struct stack *s, int x)
{
    if (s->size > s->room) {
        s->room = 2 * s->room + 2;
        s->data = realloc(s->data, s->room * sizeof *s->data);
    }
    s->data[s->size++] = x;
}

static int pop(struct stack *s)
{
    return s->size > 0 ? s->data[--s->size] : -1;
}

int main(int argc, char **argv)
{
    struct stack s = { malloc(2 * sizeof(int)), 0, 2 };
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "pop") == 0)
            printf("%d\n", pop(&s));
        else
            push(&s, atoi(argv[i]));
    }
    printf("%d left\n", s.size);
    free(s.data);
    return 0;
}
