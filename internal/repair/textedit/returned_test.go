package textedit_test

import "testing"

// TestTakenBack: a queen that was tried is taken off the board again.
func TestTakenBack(t *testing.T) {
	const text = `static int n, taken[8], up[16], down[16], found;
static void mark(int r, int c, int on)
{
    taken[c] = on;
    up[r + c] = on;
    down[r - c + 8] = on;
}
static void place(int r)
{
    if (r == n) {
        found++;
        return;
    }
    for (int c = 0; c < n; c++)
        if (!taken[c] && !up[r + c] && !down[r - c + 8]) {
            mark(r, c, 1);
            place(r + 1);
            mark(r, c, 0);
        }
}
int main(int argc, char **argv)
{
    n = atoi(argv[1]);
    place(0);
    printf("%d\n", found);
    return 0;
}
`
	const sums = `static int part[10], n, found;
static void sum(int i, int left)
{
    if (left == 0) {
        found++;
        return;
    }
    for (; i < n; i++)
        if (part[i] <= left) {
            left -= part[i];
            sum(i + 1, left);
            left += part[i];
        }
}
int main(int argc, char **argv)
{
    for (int i = 2; i < argc; i++)
        part[n++] = atoi(argv[i]);
    sum(0, atoi(argv[1]));
    printf("%d\n", found);
    return 0;
}
`
	repairs(t, []mistake{
		{"a call", text, "            mark(r, c, 0);\n", "", "4|1|5", "6|3|2"},
		{"a sum", sums, "            left += part[i];\n", "", "6 1 2 3 4|3 2 2 1 1|7 7|8 3 5 1 2", "9 1 2 3 4 5|10 5 5 5"},
	})
}

// TestCounted: a function that calls itself counts what it was called with.
func TestCounted(t *testing.T) {
	const text = `struct node { int key; struct node *left, *right; };
static struct node *insert(struct node *t, int key)
{
    if (t == NULL) {
        t = calloc(1, sizeof *t);
        t->key = key;
    } else if (key < t->key) {
        t->left = insert(t->left, key);
    } else if (key > t->key) {
        t->right = insert(t->right, key);
    }
    return t;
}
static int max(int a, int b)
{
    return a > b ? a : b;
}
static int height(const struct node *t)
{
    return t == NULL ? 0 : max(height(t->left), height(t->right)) + 1;
}
static int nodes(const struct node *t)
{
    if (t == NULL)
        return 0;
    return nodes(t->left) + nodes(t->right) + 1;
}
static int depth(const struct node *t, int key)
{
    if (t == NULL || t->key == key)
        return 0;
    if (key < t->key)
        return depth(t->left, key) + 1;
    return depth(t->right, key) + 1;
}
static int levels(const struct node *t)
{
    int l, r;
    if (t == NULL)
        return 0;
    l = levels(t->left);
    r = levels(t->right);
    return (l > r ? l : r) + 1;
}
int main(int argc, char **argv)
{
    struct node *t = NULL;
    for (int i = 1; i < argc; i++)
        t = insert(t, atoi(argv[i]));
    printf("%d %d %d %d\n", height(t), nodes(t), levels(t), argc > 1 ? depth(t, atoi(argv[argc - 1])) : 0);
    return 0;
}
`
	given, held := "5|2 1 3|4 2 6 1 3 5 7|1 2 3 4|9 5 7 6", "5 3 8 1|10 20 15 17|3 2 1|50 20 70 10 30 25 27"
	repairs(t, []mistake{
		{"the larger of two", text, "max(height(t->left), height(t->right)) + 1", "max(height(t->left), height(t->right))", given, held},
		{"a sum", text, "nodes(t->left) + nodes(t->right) + 1", "nodes(t->left) + nodes(t->right)", given, held},
		{"one way", text, "depth(t->left, key) + 1", "depth(t->left, key)", given, held},
		{"a condition", text, "(l > r ? l : r) + 1", "l > r ? l : r", given, held},
	})
}
