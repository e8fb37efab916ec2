package textedit_test

import "testing"

// TestBeside: what stands beside what is there.
func TestBeside(t *testing.T) {
	const tree = `struct tree { int v; struct tree *left, *right; };
static struct tree *insert(struct tree *t, int v)
{
    if (!t) {
        t = calloc(1, sizeof *t);
        t->v = v;
    } else if (v < t->v)
        t->left = insert(t->left, v);
    else if (v > t->v)
        t->right = insert(t->right, v);
    return t;
}
static void show(struct tree *t)
{
    if (t) {
        show(t->left);
        printf("%d ", t->v);
        show(t->right);
    }
}
`
	repairs(t, []mistake{
		{"leaves", tree + `static int leaves(struct tree *t)
{
    if (!t)
        return 0;
    if (!t->left && !t->right)
        return 1;
    return leaves(t->left) + leaves(t->right);
}
int main(int argc, char **argv)
{
    struct tree *t = NULL;
    for (int i = 1; i < argc; i++)
        t = insert(t, atoi(argv[i]));
    printf("%d\n", leaves(t));
    return 0;
}
`, "    if (!t->left && !t->right)\n        return 1;\n", "", "1|1 2 3|3 2 1|2 1 3", "4 2 6 5 7 8|1 3 2"},
		{"both ways", `static int edges[10][10], degree[10];
static void link(int a, int b)
{
    edges[a][degree[a]++] = b;
}
int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        int a = atoi(argv[i]), b = atoi(argv[i + 1]);
        link(a, b);
        link(b, a);
    }
    for (int v = 0; v < 10; v++)
        if (degree[v]) {
            printf("%d:", v);
            for (int k = 0; k < degree[v]; k++)
                printf(" %d", edges[v][k]);
            printf("\n");
        }
    return 0;
}
`, "        link(b, a);\n", "", "0 1|0 1 1 2|3 4 3 5", "9 8 8 7|1 2 3 4"},
		{"builder", `struct buf { char s[100]; int len; };
static void put(struct buf *b, const char *t)
{
    int n = strlen(t);
    memcpy(b->s + b->len, t, n + 1);
    b->len += n;
}
int main(int argc, char **argv)
{
    struct buf b = {"", 0};
    for (int i = 1; i < argc; i++)
        put(&b, argv[i]);
    printf("%s %d\n", b.s, b.len);
    return 0;
}
`, "    b->len += n;\n", "", "a|a b|ab cd e", "xyz w|p"},
	})
}
