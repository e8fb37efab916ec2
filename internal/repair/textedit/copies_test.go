package textedit_test

import "testing"

// TestWrittenTwice: what is written twice is wrong twice.
func TestWrittenTwice(t *testing.T) {
	repairs(t, []mistake{
		{"permutations", `static void swap(char *s, int i, int k)
{
    char c = s[i];
    s[i] = s[k];
    s[k] = c;
}
static void permute(char *s, int from, int n)
{
    if (from == n - 1)
        printf("%s ", s);
    for (int i = from; i < n; i++) {
        swap(s, from, i);
        permute(s, from + 1, n);
        swap(s, from, i);
    }
}
int main(int argc, char **argv)
{
    char s[20];
    strcpy(s, argv[1]);
    permute(s, 0, strlen(s));
    printf("\n");
    return 0;
}
`, "        swap(s, from, i);\n        permute(s, from + 1, n);\n        swap(s, from, i);\n", "        swap(s, n, i);\n        permute(s, from + 1, n);\n        swap(s, n, i);\n", "a|ab|abc", "wxyz|pq"},
	})
}
