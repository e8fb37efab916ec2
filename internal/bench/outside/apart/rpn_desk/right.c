#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>

/* rpn_desk: a calculator for fractions.  Arguments in postfix: 1/2 3 + 2 x
   Operators: + - x : (divide) and the words dup, swap, drop, neg.  The stack that is left is
   printed, lowest first. */

typedef struct { long num, den; } frac;

#define DEPTH 32

static frac stack[DEPTH];
static int sp;

static long gcd(long a, long b)
{
    if (a < 0)
        a = -a;
    while (b) {
        long r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static void push(long num, long den)
{
    if (den < 0) {
        num = -num;
        den = -den;
    }
    long g = gcd(num, den);
    if (sp < DEPTH) {
        stack[sp].num = num / g;
        stack[sp].den = den / g;
        sp++;
    }
}

static int error(const char *what, const char *word)
{
    printf("%s at %s\n", what, word);
    return 1;
}

static int binary(char op, const char *word)
{
    if (sp < 2)
        return error("too few", word);
    frac b = stack[--sp], a = stack[--sp];
    switch (op) {
    case '+':
        push(a.num * b.den + b.num * a.den, a.den * b.den);
        break;
    case '-':
        push(a.num * b.den - b.num * a.den, a.den * b.den);
        break;
    case 'x':
        push(a.num * b.num, a.den * b.den);
        break;
    case ':':
        if (b.num == 0)
            return error("division by zero", word);
        push(a.num * b.den, a.den * b.num);
        break;
    case 's':
        push(b.num, b.den);
        push(a.num, a.den);
        break;
    }
    return 0;
}

static int word(const char *w)
{
    if (isdigit((unsigned char)w[0]) || (w[0] == '-' && isdigit((unsigned char)w[1]))) {
        char *end;
        long num = strtol(w, &end, 10), den = 1;
        if (*end == '/')
            den = strtol(end + 1, &end, 10);
        if (*end != '\0' || den == 0)
            return error("bad number", w);
        push(num, den);
        return 0;
    }
    if (strcmp(w, "swap") == 0 || (strlen(w) == 1 && strchr("+-x:", w[0]) != NULL))
        return binary(w[0], w);
    if (sp == 0)
        return error("too few", w);
    frac *top = &stack[sp - 1];
    if (strcmp(w, "dup") == 0)
        push(top->num, top->den);
    else if (strcmp(w, "drop") == 0)
        sp--;
    else if (strcmp(w, "neg") == 0)
        top->num = -top->num;
    else
        return error("what", w);
    return 0;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (word(argv[i]) != 0)
            return 1;
    for (int i = 0; i < sp; i++) {
        printf("%ld", stack[i].num);
        if (stack[i].den != 1)
            printf("/%ld", stack[i].den);
        printf(i + 1 < sp ? "  " : "\n");
    }
    return 0;
}
