package textedit_test

import (
	"testing"
)

// TestShapes puts a mistake into the shape of a statement and corrects it.
func TestShapes(t *testing.T) {
	const list = `struct node { int x; struct node *next; };
static struct node *all;
static void add(int x)
{
    struct node *n = malloc(sizeof *n);
    n->x = x;
    n->next = all;
    all = n;
}
static int pop(int x)
{
    struct node *p, *prev = NULL;
    for (p = all; p != NULL && p->x != x; p = p->next)
        prev = p;
    if (p == NULL)
        return 0;
    if (prev != NULL)
        prev->next = p->next;
    else
        all = p->next;
    free(p);
    return 1;
}
int main(int c, char **v)
{
    for (int i = 1; i < c; i++)
        if (atoi(v[i]) > 0)
            add(atoi(v[i]));
        else if (!pop(-atoi(v[i])))
            puts("none");
    for (struct node *p = all; p; p = p->next)
        printf("%d ", p->x);
    return 0;
}
`
	const tree = `struct node { int x; struct node *left, *right; };
static struct node *make(int x)
{
    struct node *n = malloc(sizeof *n);
    n->x = x;
    n->left = n->right = NULL;
    return n;
}
static struct node *insert(struct node *t, int x)
{
    if (t == NULL)
        return make(x);
    if (x < t->x)
        t->left = insert(t->left, x);
    else if (x > t->x)
        t->right = insert(t->right, x);
    return t;
}
static int depth(const struct node *t, int x)
{
    if (t == NULL)
        return -1;
    if (x == t->x)
        return 0;
    int d = depth(x < t->x ? t->left : t->right, x);
    return d < 0 ? d : d + 1;
}
static void unlink_least(struct node *t)
{
    struct node *up = t, *s = t->right;
    while (s->left) {
        up = s;
        s = s->left;
    }
    t->x = s->x;
    if (up == t)
        up->right = s->right;
    else
        up->left = s->right;
    free(s);
}
int main(int c, char **v)
{
    struct node *root = NULL;
    for (int i = 1; i < c; i++)
        root = insert(root, atoi(v[i]));
    if (root && root->right)
        unlink_least(root);
    for (int i = 0; i < 10; i++)
        printf("%d ", depth(root, i));
    return 0;
}
`
	repairs(t, []mistake{
		{"the other way through", "int main(int c, char **v)\n{\n    int best[11] = { 0 }, room = atoi(v[1]);\n    for (int i = 2; i + 1 < c; i += 2) {\n        int size = atoi(v[i]), worth = atoi(v[i + 1]);\n        for (int k = room; k >= size; k--)\n            if (best[k - size] + worth > best[k])\n                best[k] = best[k - size] + worth;\n    }\n    printf(\"%d\\n\", best[room]);\n    return 0;\n}\n",
			"k = room; k >= size; k--", "k = size; k <= room; k++", "10 3 4|10 5 6 5 7|4 1 1|9 2 3 4 4 3 1|2 3 3", "8 2 2 3 4|10 1 5 9 1"},
		{"a step that continue leaves out", "int main(int c, char **v)\n{\n    int k = 0;\n    for (char *s = v[1]; *s; s++) {\n        if (*s == ' ' || *s == '-')\n            continue;\n        putchar(*s + v[2][k % 2] - '0');\n        k++;\n    }\n    puts(\"\");\n    return 0;\n}\n",
			"s++) {\n        if (*s == ' ' || *s == '-')\n            continue;\n        putchar(*s + v[2][k % 2] - '0');\n        k++;\n", "s++, k++) {\n        if (*s == ' ' || *s == '-')\n            continue;\n        putchar(*s + v[2][k % 2] - '0');\n", "abc 12|a-b 12|a--b 13|x 30|a-b-c-d 50", "-a-b 10|q-rs-t 04"},
		{"what is returned is stored", tree, "        t->right = insert(t->right, x);", "        insert(t->right, x);", "5|5 7|5 3 7|1 2 3|4 2 6 5", "2 9 8|3 4 5 6"},
		{"what is returned is returned", "static int fact(int n, int so_far)\n{\n    if (n < 2)\n        return so_far;\n    return fact(n - 1, n * so_far);\n}\nint main(int c, char **v)\n{\n    printf(\"%d\\n\", fact(atoi(v[1]), 1));\n    return 0;\n}\n",
			"    return fact(n - 1, n * so_far);\n", "    fact(n - 1, n * so_far);\n    return -1;\n", "1|2|3|5", "4|7"},
		{"an else that is missing", list, "    else\n        all = p->next;\n", "", "1 2 3|1 2 -1|1 2 -2|4 -4 5|1 2 3 -3 -3", "7 8 -8 -7|1 -1 2 -2"},
		{"one link of two", tree, "    if (up == t)\n        up->right = s->right;\n    else\n        up->left = s->right;\n", "    up->left = s->right;\n", "5 3 8|5 3 8 7|5 3 8 9|1|4 2 6 5 7", "1 3 2|2 1 3 4 5"},
		{"braces that are missing", "int main(int c, char **v)\n{\n    int run = 0, most = 0;\n    for (char *s = v[1]; *s; s++) {\n        if (*s != 'a') {\n            run = 0;\n            continue;\n        }\n        if (++run > most)\n            most = run;\n    }\n    printf(\"%d\\n\", most);\n    return 0;\n}\n",
			" {\n            run = 0;\n            continue;\n        }\n", "\n            continue;\n", "a|aab|aba|abaa|b|aabaaab", "abab|baab"},
		{"one line of two", "static int both(int a, int b)\n{\n    int hi = (a & 15) << 4 | b >> 4;\n    int lo = (a & 15) << 4;\n    return b < 0 ? lo : hi;\n}\nint main(int c, char **v)\n{\n    printf(\"%d\\n\", both(atoi(v[1]), atoi(v[2])));\n    return 0;\n}\n",
			"lo = (a & 15) << 4;", "lo = a & 15;", "1 2|3 -1|17 -5|0 -1|200 33", "9 -9|31 -1"},
		{"around a ring", "static int slot[8], room, head, count;\nstatic int get(void)\n{\n    int x = slot[head];\n    head = (head + 1) % room;\n    count--;\n    return x;\n}\nint main(int c, char **v)\n{\n    room = atoi(v[1]);\n    for (int i = 2; i < c; i++)\n        if (v[i][0] == '-') {\n            if (count)\n                printf(\"%d \", get());\n        } else if (count < room) {\n            slot[(head + count) % room] = atoi(v[i]);\n            count++;\n        }\n    puts(\"\");\n    return 0;\n}\n",
			"head = (head + 1) % room;", "head++;", "2 1 - 2 -|2 1 2 - 3 - -|1 5 - 6 -|3 1 - 2 - 3 - 4 -|3 1 2 3 4", "2 1 2 - - 3 4 - - 5 -|3 1 2 3 - - 4 5 - - -"},
		{"a text that is constant", "static void twist(char *s, const char *key)\n{\n    while (*s) {\n        *s = 'a' + (*s - 'a' + key[0]) % 26;\n        s++;\n    }\n}\nint main(int c, char **v)\n{\n    twist(v[1], v[2]);\n    puts(v[1]);\n    return 0;\n}\n",
			"% 26", "% 25", "abc a|xyz b|q c", "mno z|zz a"},
	})
}
