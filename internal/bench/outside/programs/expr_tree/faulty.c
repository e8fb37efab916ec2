/* expression of digits, + - * and parentheses -> tree -> value */
#include <stdio.h>
#include <stdlib.h>

typedef struct node {
    char op;               /* 'n' for a number */
    int value;
    struct node *l, *r;
} node;

static const char *in;

static node *sum(void);

static node *mk(char op, int value, node *l, node *r) {
    node *n = malloc(sizeof *n);
    n->op = op;
    n->value = value;
    n->l = l;
    n->r = r;
    return n;
}

static node *factor(void) {
    if (*in == '(') {
        in++;
        node *n = sum();
        if (*in == ')')
            in++;
        return n;
    }
    int v = 0;
    while (*in >= '0' && *in <= '9')
        v = v * 10 + (*in++ - '0');
    return mk('n', v, NULL, NULL);
}

static node *product(void) {
    node *n = factor();
    while (*in == '*') {
        in++;
        n = mk('*', 0, n, factor());
    }
    return n;
}

static node *sum(void) {
    node *n = product();
    while (*in == '+' || *in == '-') {
        char op = *in++;
        n = mk(op, 0, n, sum());
    }
    return n;
}

static long eval(const node *n) {
    switch (n->op) {
    case '+': return eval(n->l) + eval(n->r);
    case '-': return eval(n->l) - eval(n->r);
    case '*': return eval(n->l) * eval(n->r);
    }
    return n->value;
}

static int height(const node *n) {
    if (!n) return 0;
    int a = height(n->l), b = height(n->r);
    return 1 + (a > b ? a : b);
}

static void prefix(const node *n) {
    if (n->op == 'n') {
        printf("%d", n->value);
        return;
    }
    printf("(%c ", n->op);
    prefix(n->l);
    printf(" ");
    prefix(n->r);
    printf(")");
}

static void drop(node *n) {
    if (!n) return;
    drop(n->l);
    drop(n->r);
    free(n);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        in = argv[i];
        node *n = sum();
        prefix(n);
        if (*in)
            printf(" and then %s", in);
        printf(" = %ld, height %d\n", eval(n), height(n));
        drop(n);
    }
    return 0;
}
