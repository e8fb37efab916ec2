package textedit_test

import "testing"

// TestTies: another member decides where two records agree in the first.
func TestTies(t *testing.T) {
	repairs(t, []mistake{
		{"tie", `struct p { char name[10]; int n; };
static int cmp(const void *x, const void *y)
{
    const struct p *a = x, *b = y;
    if (a->n != b->n)
        return b->n - a->n;
    return strcmp(a->name, b->name);
}
int main(int argc, char **argv)
{
    struct p all[10];
    int n = 0;
    for (int i = 1; i + 1 < argc; i += 2, n++) {
        strcpy(all[n].name, argv[i]);
        all[n].n = atoi(argv[i + 1]);
    }
    qsort(all, n, sizeof all[0], cmp);
    for (int i = 0; i < n; i++)
        printf("%s ", all[i].name);
    printf("\n");
    return 0;
}
`, "    if (a->n != b->n)\n        return b->n - a->n;\n    return strcmp(a->name, b->name);", "    return b->n - a->n;", "b 1 a 1|c 2 b 3|d 1 c 1 b 1 a 1|x 5 y 5 a 1", "q 3 p 3 r 4|z 1 y 1 x 2"},
	})
}

// TestLess: the same in a condition.
func TestLess(t *testing.T) {
	const text = `struct team { int points, goals; char name[8]; };
int main(int argc, char **argv)
{
    struct team t[8];
    int n = 0;
    for (int i = 1; i + 2 < argc; i += 3, n++) {
        strcpy(t[n].name, argv[i]);
        t[n].points = atoi(argv[i + 1]);
        t[n].goals = atoi(argv[i + 2]);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j + 1 < n; j++)
            if (t[j].points < t[j + 1].points || (t[j].points == t[j + 1].points && t[j].goals < t[j + 1].goals)) {
                struct team x = t[j];
                t[j] = t[j + 1];
                t[j + 1] = x;
            }
    for (int i = 0; i < n; i++)
        printf("%s ", t[i].name);
    printf("\n");
    return 0;
}
`
	repairs(t, []mistake{
		{"a table", text, "t[j].points < t[j + 1].points || (t[j].points == t[j + 1].points && t[j].goals < t[j + 1].goals)", "t[j].points < t[j + 1].points", "a 3 1 b 3 5|a 1 1 b 2 0|x 4 4 y 4 6 z 4 5", "a 0 0 b 0 1 c 1 0|p 2 9 q 3 1 r 2 11"},
	})
}
