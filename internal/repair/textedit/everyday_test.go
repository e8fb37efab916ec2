package textedit_test

import "testing"

// TestEveryday: what programs of numbers and texts say every day, and as often forget.
func TestEveryday(t *testing.T) {
	const args = "int main(int argc, char **argv)\n{\n"
	repairs(t, []mistake{
		{"alternate", args + `    int sum = 0, sign = 1;
    for (int i = 1; i < argc; i++) {
        sum += sign * atoi(argv[i]);
        sign = -sign;
    }
    printf("%d\n", sum);
    return 0;
}
`, "        sign = -sign;\n", "", "1|1 2|5 6 7", "3 4 5 6|1 1"},
		{"midnight", args + `    int from = atoi(argv[1]) * 60 + atoi(argv[2]), to = atoi(argv[3]) * 60 + atoi(argv[4]);
    int d = to - from;
    if (d < 0)
        d += 24 * 60;
    printf("%d\n", d);
    return 0;
}
`, "    if (d < 0)\n        d += 24 * 60;\n", "", "1 0 2 30|23 0 1 0|10 10 10 10|12 0 11 59", "22 30 0 15|3 3 3 2"},
		{"free list", `struct node { int v; struct node *next; };
static struct node cell[6], *spare, *list;
static struct node *take(void)
{
    struct node *n = spare;
    if (n)
        spare = n->next;
    return n;
}
static void drop(void)
{
    struct node *n = list;
    if (!n)
        return;
    list = n->next;
    n->next = spare;
    spare = n;
}
int main(int argc, char **argv)
{
    for (int i = 0; i < 6; i++) {
        cell[i].next = spare;
        spare = &cell[i];
    }
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-') {
            drop();
            continue;
        }
        struct node *n = take();
        if (!n) {
            printf("full ");
            continue;
        }
        n->v = atoi(argv[i]);
        n->next = list;
        list = n;
    }
    for (; list; list = list->next)
        printf("%d ", list->v);
    return 0;
}
`, "    n->next = spare;\n    spare = n;\n}\nint main", "}\nint main", "1 2 3|1 - 2 - 3 - 4 - 5 - 6 - 7|1 2 3 - - 4 5 6 7 8", "1 2 - 3 4 - 5 6 - 7 8 - 9|1 2 3 4 5 6 7 - 8"},
		{"trim", args + `    char s[50];
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
