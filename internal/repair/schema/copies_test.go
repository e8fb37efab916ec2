package schema

import "testing"

// TestCopies: what is stored or returned by hand.
func TestCopies(t *testing.T) {
	repairs(t, []mistake{
		{"strdup", `struct item { char *name; int n; };
static struct item items[20];
static int count;
int main(int argc, char **argv)
{
    char word[20];
    for (int i = 1; i < argc; i++) {
        int k;
        strcpy(word, argv[i]);
        for (k = 0; k < count; k++)
            if (strcmp(items[k].name, word) == 0)
                break;
        if (k == count) {
            items[count].name = strdup(word);
            count++;
        }
        items[k].n++;
    }
    for (int k = 0; k < count; k++)
        printf("%s %d\n", items[k].name, items[k].n);
    return 0;
}
`, "strdup(word)", "word", "a|a b|a b a|c d e", "x y z x|b b b"},
		{"realloc", `int main(int argc, char **argv)
{
    int *a = NULL, n = 0, cap = 0;
    for (int i = 1; i < argc; i++) {
        if (n == cap) {
            cap = cap ? 2 * cap : 1;
            a = realloc(a, cap * sizeof *a);
        }
        a[n++] = atoi(argv[i]);
    }
    for (int i = n; i-- > 0;)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
`, "a = realloc(a, cap * sizeof *a)", "realloc(a, cap * sizeof *a)", "1|1 2|1 2 3 4 5", "3 2 1|9 8 7 6 5 4 3 2 1"},
		{"long product", `int main(int argc, char **argv)
{
    int a = atoi(argv[1]), b = atoi(argv[2]), m = atoi(argv[3]);
    int r = (long long) a * b % m;
    printf("%d\n", r);
    return 0;
}
`, "(long long) a * b % m", "a * b % m", "2 3 4|100000 100000 7|99999 88888 1000|5 5 5", "123456 654321 1000|70000 70000 11"},
	})
}
