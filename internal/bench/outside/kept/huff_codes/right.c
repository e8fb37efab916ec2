#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Huffman's code for the words on the command line (joined by blanks).
 * Ties: the node that was made first goes first. Prints the code of each character, then
 * how many bits the text takes. */

#define MAXNODES 512

struct node {
    int weight;
    int ch;             /* -1 for an inner node */
    int left, right;    /* indexes, -1 for none */
    int used;           /* has a parent */
};

static struct node nodes[MAXNODES];
static int nnodes;
static char codes[256][64];

static int make_node(int weight, int ch, int left, int right)
{
    struct node *n = &nodes[nnodes];
    n->weight = weight;
    n->ch = ch;
    n->left = left;
    n->right = right;
    n->used = 0;
    return nnodes++;
}

/* the lightest node without a parent, or -1 */
static int lightest(void)
{
    int best = -1;
    for (int i = 0; i < nnodes; i++) {
        if (nodes[i].used)
            continue;
        if (best < 0 || nodes[i].weight < nodes[best].weight)
            best = i;
    }
    if (best >= 0)
        nodes[best].used = 1;
    return best;
}

static int build(void)
{
    for (;;) {
        int a = lightest();
        int b = lightest();
        if (b < 0)
            return a;
        make_node(nodes[a].weight + nodes[b].weight, -1, a, b);
    }
}

static void assign(int n, char *prefix, int depth)
{
    if (nodes[n].ch >= 0) {
        prefix[depth] = '\0';
        strcpy(codes[nodes[n].ch], depth == 0 ? "0" : prefix);
        return;
    }
    prefix[depth] = '0';
    assign(nodes[n].left, prefix, depth + 1);
    prefix[depth] = '1';
    assign(nodes[n].right, prefix, depth + 1);
}

int main(int argc, char **argv)
{
    int count[256] = {0};
    char prefix[64];
    int bits = 0, letters = 0;

    for (int i = 1; i < argc; i++) {
        for (char *s = argv[i]; *s; s++)
            count[(unsigned char)*s]++;
        if (i > 1)
            count[' ']++;
    }
    for (int c = 0; c < 256; c++)
        if (count[c] > 0)
            make_node(count[c], c, -1, -1);
    if (nnodes == 0) {
        printf("no text\n");
        return 1;
    }
    assign(build(), prefix, 0);
    for (int c = 0; c < 256; c++)
        if (count[c] > 0) {
            printf("'%c' %3d %s\n", c, count[c], codes[c]);
            bits += count[c] * (int)strlen(codes[c]);
            letters += count[c];
        }
    printf("%d bits in place of %d\n", bits, 8 * letters);
    return 0;
}
