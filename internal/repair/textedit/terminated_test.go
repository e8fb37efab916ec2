package textedit_test

import "testing"

// TestTerminated: characters are copied, and the text is not ended behind them; a semicolon ends a
// condition in a loop without braces; a pointer to the wrong link.
func TestTerminated(t *testing.T) {
	const words = `int main(int argc, char **argv)
{
    char word[20] = "", all[60] = "";
    int n = 0;
    for (char *p = argv[1]; *p; p += strcspn(p, "-"), p += *p == '-') {
        int len = (int)strcspn(p, "-");
        memcpy(word, p, len);
        word[len] = '\0';
        printf("<%s>", word);
    }
    for (char *p = argv[1]; *p; p++)
        if (*p != '-')
            all[n++] = *p;
    printf("%s\n", all);
    return 0;
}
`
	const tree = `struct node { int v; struct node *left, *right; };
static struct node *root;
static void add(int v)
{
    struct node **at = &root;
    while (*at)
        at = v < (*at)->v ? &(*at)->left : &(*at)->right;
    *at = calloc(1, sizeof **at);
    (*at)->v = v;
}
static void print(struct node *n)
{
    if (n) {
        print(n->left);
        printf("%d ", n->v);
        print(n->right);
    }
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        add(atoi(argv[i]));
    print(root);
    printf("\n");
    return 0;
}
`
	repairs(t, []mistake{
		{"not ended", words, "        word[len] = '\\0';\n", "", "abc-d|a-b|long-er-x|xyz-qq", "four-two-o|aa-b-ccc"},
		{"the other link", tree, "&(*at)->left : &(*at)->right", "&(*at)->left : &(*at)->left", "2 1 3|1 2|3 1 2|5", "4 2 6 1 3 5 7|9 8 7"},
		{"trim", "int main(int argc, char **argv)\n{\n" + `    char s[50];
    int n;
    strcpy(s, argv[1]);
    n = strlen(s);
    while (n > 0 && s[n - 1] == '.')
        n--;
    s[n] = '\0';
    printf("<%s>\n", s);
    return 0;
}
`, "    s[n] = '\\0';\n", "", "a.|abc|x..|....", "p.q..|z."},
	})
}
