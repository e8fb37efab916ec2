package textedit_test

import "testing"

// TestTables: cells that are computed of their neighbours.
func TestTables(t *testing.T) {
	const args = "int main(int argc, char **argv)\n{\n"
	repairs(t, []mistake{
		{"common", args + `    char *a = argv[1], *b = argv[2];
    int n = strlen(a), m = strlen(b), d[20][20] = {{0}};
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            if (a[i - 1] == b[j - 1])
                d[i][j] = d[i - 1][j - 1] + 1;
            else
                d[i][j] = d[i - 1][j] > d[i][j - 1] ? d[i - 1][j] : d[i][j - 1];
    printf("%d\n", d[n][m]);
    return 0;
}
`, "d[i - 1][j] > d[i][j - 1] ? d[i - 1][j] : d[i][j - 1]", "d[i - 1][j]", "abc abc|abc acb|ab ba|xay yab", "kitten sitting|aab azb"},
		{"insert there", args + `    char *a = argv[1], *b = argv[2];
    int n = strlen(a), m = strlen(b), d[20][20];
    for (int i = 0; i <= n; i++)
        d[i][0] = i;
    for (int j = 0; j <= m; j++)
        d[0][j] = j;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int x = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (d[i - 1][j] + 1 < x)
                x = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < x)
                x = d[i][j - 1] + 1;
            d[i][j] = x;
        }
    printf("%d\n", d[n][m]);
    return 0;
}
`, "            if (d[i][j - 1] + 1 < x)\n                x = d[i][j - 1] + 1;\n", "", "a b|abc abc|a abc|xabc abc|abc xabc", "kitten sitting|q qq"},
	})
}
