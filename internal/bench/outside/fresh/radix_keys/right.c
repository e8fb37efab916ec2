#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A radix tree: an edge carries a piece of text, children of a node differ in their first letter. */

typedef struct Node {
    char *label;
    int isKey;
    struct Node *child;
    struct Node *sibling;
} Node;

static Node *newNode(const char *text, size_t len)
{
    Node *n = calloc(1, sizeof(Node));
    n->label = malloc(len + 1);
    memcpy(n->label, text, len);
    n->label[len] = '\0';
    return n;
}

static size_t common(const char *a, const char *b)
{
    size_t i = 0;
    while (a[i] && a[i] == b[i])
        i++;
    return i;
}

/* cuts the label of n after len letters; the rest moves to a child of its own */
static void split(Node *n, size_t len)
{
    Node *rest = newNode(n->label + len, strlen(n->label) - len);
    rest->isKey = n->isKey;
    rest->child = n->child;
    n->child = rest;
    n->isKey = 0;
    n->label[len] = '\0';
}

static void insert(Node *root, const char *key)
{
    Node *n = root;

    while (*key) {
        Node *c = n->child;
        size_t len;

        while (c && c->label[0] != *key)
            c = c->sibling;
        if (c == NULL) {
            c = newNode(key, strlen(key));
            c->sibling = n->child;
            n->child = c;
            c->isKey = 1;
            return;
        }
        len = common(c->label, key);
        if (len < strlen(c->label))
            split(c, len);
        key += len;
        n = c;
    }
    n->isKey = 1;
}

static int contains(const Node *n, const char *key)
{
    while (*key) {
        size_t len;

        n = n->child;
        while (n && n->label[0] != *key)
            n = n->sibling;
        if (n == NULL)
            return 0;
        len = strlen(n->label);
        if (strncmp(n->label, key, len) != 0)
            return 0;
        key += len;
    }
    return n->isKey;
}

static int countKeys(const Node *n)
{
    int sum = 0;
    for (; n; n = n->sibling)
        sum += n->isKey + countKeys(n->child);
    return sum;
}

static void release(Node *n)
{
    while (n) {
        Node *next = n->sibling;
        release(n->child);
        free(n->label);
        free(n);
        n = next;
    }
}

/* words are put in, ?word asks */
int main(int argc, char **argv)
{
    Node *root = newNode("", 0);
    int i;

    for (i = 1; i < argc; i++) {
        if (argv[i][0] == '?')
            printf("%s %s\n", argv[i] + 1, contains(root, argv[i] + 1) ? "yes" : "no");
        else
            insert(root, argv[i]);
    }
    printf("%d keys\n", countKeys(root));
    release(root);
    return 0;
}
