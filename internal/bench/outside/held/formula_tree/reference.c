#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* two stacks, of operators and of operands; an operand is its text, its depth, its value
   and the operator that was used last in it */

struct operand {
    char text[400];
    int depth;
    long value;
    char last;
} stack[50];
char ops[100];
int operands, waiting;

int strength(char op) { return op == '*' ? 2 : op == '(' ? 0 : 1; }

void reduce(void)
{
    char op = ops[--waiting], left[400], right[400];
    struct operand *b = &stack[--operands], *a = &stack[operands - 1];
    int pa = 0, pb = 0;
    if (op == '*') {
        pa = a->last == '+' || a->last == '-';
        pb = b->last != 0;
    } else if (op == '-') {
        pb = b->last == '+' || b->last == '-';
    }
    strcpy(left, a->text);
    strcpy(right, b->text);
    snprintf(a->text, sizeof a->text, "%s%.150s%s%c%s%.150s%s", pa ? "(" : "", left, pa ? ")" : "", op, pb ? "(" : "", right, pb ? ")" : "");
    if (b->depth > a->depth)
        a->depth = b->depth;
    a->depth++;
    a->value = op == '+' ? a->value + b->value : op == '-' ? a->value - b->value : a->value * b->value;
    a->last = op;
}

int main(int argc, char *argv[])
{
    char line[256];
    long x = argc > 1 ? atol(argv[1]) : 1, y = argc > 2 ? atol(argv[2]) : 2;
    while (fgets(line, 256, stdin)) {
        operands = waiting = 0;
        for (char *s = line; *s && *s != '\n'; s++) {
            if (*s == ' ')
                continue;
            if (*s == '(') {
                ops[waiting++] = '(';
            } else if (*s == ')') {
                while (ops[waiting - 1] != '(')
                    reduce();
                waiting--;
            } else if (strchr("+-*", *s)) {
                while (waiting && strength(ops[waiting - 1]) >= strength(*s))
                    reduce();
                ops[waiting++] = *s;
            } else {
                struct operand *o = &stack[operands++];
                o->depth = 1;
                o->last = 0;
                if (*s == 'x' || *s == 'y') {
                    o->value = *s == 'x' ? x : y;
                    sprintf(o->text, "%c", *s);
                } else {
                    o->value = strtol(s, &s, 10);
                    sprintf(o->text, "%ld", o->value);
                    s--;
                }
            }
        }
        while (waiting)
            reduce();
        printf("%s [%d] = %ld\n", stack[0].text, stack[0].depth, stack[0].value);
    }
    return 0;
}
