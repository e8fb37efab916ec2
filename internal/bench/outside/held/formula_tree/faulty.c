#include <stdio.h>
#include <stdlib.h>
#include <ctype.h>

/* Reads formulas with + - * and parentheses, whole numbers and the letters x and y; prints
 * each without needless parentheses, its height, and its value for the x and y given as
 * arguments. */

typedef struct node {
    char op;                /* '+', '-', '*', 'n' number, 'x', 'y' */
    int value;
    struct node *left, *right;
} node;

static const char *text;
static int var_x, var_y;

static node *make(char op, int value, node *left, node *right)
{
    node *n = malloc(sizeof *n);
    n->op = op;
    n->value = value;
    n->left = left;
    n->right = right;
    return n;
}

static char peek(void)
{
    while (*text == ' ')
        text++;
    return *text;
}

static node *sum(void);

static node *factor(void)
{
    char c = peek();
    if (c == '(') {
        text++;
        node *n = sum();
        if (peek() == ')')
            text++;
        return n;
    }
    if (c == 'x' || c == 'y') {
        text++;
        return make(c, 0, NULL, NULL);
    }
    int v = 0;
    while (isdigit((unsigned char)*text))
        v = 10 * v + (*text++ - '0');
    return make('n', v, NULL, NULL);
}

static node *product(void)
{
    node *n = factor();
    while (peek() == '*') {
        text++;
        n = make('*', 0, n, factor());
    }
    return n;
}

static node *sum(void)
{
    node *n = product();
    if (peek() == '+' || peek() == '-') {
        char op = *text++;
        n = make(op, 0, n, sum());
    }
    return n;
}

static long eval(const node *n)
{
    switch (n->op) {
    case '+': return eval(n->left) + eval(n->right);
    case '-': return eval(n->right) - eval(n->left);
    case '*': return eval(n->left) * eval(n->right);
    case 'x': return var_x;
    case 'y': return var_y;
    }
    return n->value;
}

static int height(const node *n)
{
    if (n == NULL)
        return 0;
    int l = height(n->left), r = height(n->right);
    return 1 + (l > r ? l : r);
}

static int is_sum(const node *n)
{
    return n->op == '+' || n->op == '-';
}

static void print(const node *n, int parens)
{
    if (parens)
        putchar('(');
    if (n->op == 'n') {
        printf("%d", n->value);
    } else if (n->left == NULL) {
        putchar(n->op);
    } else {
        int times = n->op == '*';
        print(n->left, times && is_sum(n->left));
        putchar(n->op);
        print(n->right, is_sum(n->right) ? n->op != '+' : times && n->right->op == '*');
    }
    if (parens)
        putchar(')');
}

static void drop(node *n)
{
    if (n) {
        drop(n->left);
        drop(n->right);
        free(n);
    }
}

int main(int argc, char **argv)
{
    char line[200];
    var_x = argc > 1 ? atoi(argv[1]) : 1;
    var_y = argc > 2 ? atoi(argv[2]) : 2;
    while (fgets(line, sizeof line, stdin)) {
        text = line;
        node *n = sum();
        print(n, 0);
        printf(" [%d] = %ld\n", height(n), eval(n));
        drop(n);
    }
    return 0;
}
