#include <stdio.h>
#include <stdlib.h>
#include <ctype.h>

struct cell { long v; struct cell *below; };

static struct cell *top;
static int depth;

static void push(long v)
{
    struct cell *c = malloc(sizeof *c);
    c->v = v;
    c->below = top;
    top = c;
    depth++;
}

static int pop(long *v)
{
    struct cell *c = top;
    if (!c)
        return 0;
    *v = c->v;
    top = c->below;
    depth--;
    free(c);
    return 1;
}

/* 0 ok, 1 too few operands, 2 division by zero, 3 unknown operator */
static int apply(char op)
{
    long a, b;
    if (depth < 2)
        return 1;
    pop(&b);
    pop(&a);
    switch (op) {
    case '+': push(a + b); break;
    case '-': push(a - b); break;
    case 'x': push(a * b % 1000000); break;
    case '/':
        if (b == 0)
            return 2;
        push(a / b);
        break;
    default:
        return 3;
    }
    return 0;
}

static int number(const char *s)
{
    if (*s == '-' && s[1])
        s++;
    for (; *s; s++)
        if (!isdigit((unsigned char) *s))
            return 0;
    return 1;
}

int main(int argc, char **argv)
{
    long v;
    int i, err = 0;
    for (i = 1; i < argc && !err; i++) {
        if (number(argv[i]))
            push(atol(argv[i]));
        else
            err = apply(argv[i][0]);
    }
    if (err)
        printf("error %d at %s\n", err, argv[i - 1]);
    else if (depth == 1)
        printf("%ld\n", top->v);
    else
        printf("%d values left\n", depth);
    while (pop(&v))
        ;
    return err;
}
