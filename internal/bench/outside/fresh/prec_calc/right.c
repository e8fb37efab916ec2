#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shunting yard: prints the expression in postfix form and its value. */

#define DEPTH 64

static char ops[DEPTH];
static int nops;
static long vals[DEPTH];
static int nvals;
static int failed;

static int prec(char op)
{
    switch (op) {
    case '+': case '-': return 1;
    case '*': case '/': case '%': return 2;
    case '~': return 3;         /* unary minus */
    case '^': return 4;
    default: return 0;
    }
}

static int right_assoc(char op)
{
    return op == '^' || op == '~';
}

static long power(long base, long exp)
{
    long r = 1;
    while (exp-- > 0)
        r *= base;
    return r;
}

static void reduce(void)
{
    char op = ops[--nops];
    long a, b;

    printf("%c ", op);
    if (op == '~') {
        if (nvals < 1) { failed = 1; return; }
        vals[nvals - 1] = -vals[nvals - 1];
        return;
    }
    if (nvals < 2) { failed = 1; return; }
    b = vals[--nvals];
    a = vals[nvals - 1];
    switch (op) {
    case '+': a += b; break;
    case '-': a -= b; break;
    case '*': a *= b; break;
    case '^': a = power(a, b); break;
    default:
        if (b == 0) { failed = 1; return; }
        a = op == '/' ? a / b : a % b;
    }
    vals[nvals - 1] = a;
}

static void operator(char op)
{
    while (nops > 0 && (prec(ops[nops - 1]) > prec(op)
                        || (prec(ops[nops - 1]) == prec(op) && !right_assoc(op))))
        reduce();
    ops[nops++] = op;
}

static int calculate(const char *s)
{
    int operand = 1;            /* an operand is expected */

    nops = nvals = failed = 0;
    for (; *s && !failed; s++) {
        if (isdigit((unsigned char)*s)) {
            char *end;
            vals[nvals++] = strtol(s, &end, 10);
            printf("%ld ", vals[nvals - 1]);
            s = end - 1;
            operand = 0;
        } else if (*s == '(') {
            ops[nops++] = '(';
            operand = 1;
        } else if (*s == ')') {
            while (nops > 0 && ops[nops - 1] != '(')
                reduce();
            if (nops == 0)
                return 0;
            nops--;
            operand = 0;
        } else if (*s == '-' && operand) {
            operator('~');
        } else if (prec(*s)) {
            operator(*s);
            operand = 1;
        } else {
            return 0;
        }
    }
    while (nops > 0 && !failed) {
        if (ops[nops - 1] == '(')
            return 0;
        reduce();
    }
    return !failed && nvals == 1;
}

int main(int argc, char **argv)
{
    int i, bad = 0;

    for (i = 1; i < argc; i++)
        if (calculate(argv[i]))
            printf("= %ld\n", vals[0]);
        else {
            printf("error\n");
            bad = 1;
        }
    return bad;
}
