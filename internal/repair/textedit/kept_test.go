package textedit_test

import "testing"

// TestKept: what is overwritten is still needed.
func TestKept(t *testing.T) {
	const args = "int main(int argc, char **argv)\n{\n"
	repairs(t, []mistake{
		{"fibonacci", args + `    int a = 0, b = 1;
    for (int i = atoi(argv[1]); i > 0; i--) {
        int t = a + b;
        a = b;
        b = t;
    }
    printf("%d\n", a);
    return 0;
}
`, "        int t = a + b;\n        a = b;\n        b = t;\n", "        a = b;\n        b = a + b;\n", "1|2|5|6", "10|7"},
	})
}
