package textedit_test

import "testing"

// TestArithmetic: what division and difference lose, and functions that are taken for each other.
func TestArithmetic(t *testing.T) {
	const args = "int main(int argc, char **argv)\n{\n"
	repairs(t, []mistake{
		{"percent", args + `    int a = atoi(argv[1]), b = atoi(argv[2]);
    printf("%d %%\n", 100 * a / b);
    return 0;
}
`, "100 * a / b", "a / b * 100", "1 2|3 3|1 3", "2 7|9 4"},
		{"fahrenheit", args + `    for (int i = 1; i < argc; i++)
        printf("%.1f ", 9.0 / 5 * atoi(argv[i]) + 32);
    return 0;
}
`, "9.0 / 5", "9 / 5", "1|0 100|37 -40", "20|25 30"},
		{"distance", args + `    int sum = 0;
    for (int i = 1; i + 1 < argc; i++)
        sum += abs(atoi(argv[i]) - atoi(argv[i + 1]));
    printf("%d\n", sum);
    return 0;
}
`, "abs(atoi(argv[i]) - atoi(argv[i + 1]))", "atoi(argv[i]) - atoi(argv[i + 1])", "1 2|5 3|1 5 2|4", "9 1 9|3 3"},
		{"append", args + `    char s[100] = "";
    for (int i = 1; i < argc; i++)
        strcat(s, argv[i]);
    printf("%s\n", s);
    return 0;
}
`, "strcat(s, argv[i])", "strcpy(s, argv[i])", "a|a b|x yy z", "pp q|r"},
		{"capital", args + `    for (int i = 1; i < argc; i++) {
        char *s = argv[i];
        *s = toupper(*s);
        printf("%s ", s);
    }
    return 0;
}
`, "        *s = toupper(*s);", "        toupper(*s);", "a|ab cd|X y", "hello|z1"},
		{"share of list", `struct n { int v; struct n *next; };
int main(int argc, char **argv)
{
    struct n *head = NULL, *tail = NULL;
    for (int i = 1; i < argc; i++) {
        struct n *x = malloc(sizeof *x);
        x->v = atoi(argv[i]);
        x->next = NULL;
        if (tail)
            tail->next = x;
        else
            head = x;
        tail = x;
    }
    int sum = 0;
    for (struct n *p = head; p; p = p->next)
        for (struct n *q = p->next; q; q = q->next)
            sum += p->v * q->v;
    printf("%d\n", sum);
    return 0;
}
`, "struct n *q = p->next; q", "struct n *q = head; q", "1 2|3|1 2 3|4 5", "2 2 2|7 8 9"},
	})
}
