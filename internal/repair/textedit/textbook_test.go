package textedit_test

import "testing"

// TestTextbook: an element that is stored where a loop has ended.
func TestTextbook(t *testing.T) {
	const args = "int main(int argc, char **argv)\n{\n"
	repairs(t, []mistake{
		{"insertion", args + `    int a[20], n = 0;
    for (int i = 1; i < argc; i++) {
        int x = atoi(argv[i]), j = n++;
        while (j > 0 && a[j - 1] > x) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = x;
    }
    for (int i = 0; i < n; i++)
        printf("%d ", a[i]);
    return 0;
}
`, "        a[j] = x;\n", "", "1 2|3 1 2|5 4 3 2 1", "9 1 8 2|2 2 1"},
	})
}

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

// TestTextbookLoops: the least that was seen.
func TestTextbookLoops(t *testing.T) {
	const args = "int main(int argc, char **argv)\n{\n"
	repairs(t, []mistake{
		{"profit", args + `    int low = atoi(argv[1]), best = 0;
    for (int i = 2; i < argc; i++) {
        int x = atoi(argv[i]);
        if (x - low > best)
            best = x - low;
        if (x < low)
            low = x;
    }
    printf("%d\n", best);
    return 0;
}
`, "        if (x < low)\n            low = x;\n", "", "1 2|5 3 6|9 1 8 2|4 3 2", "7 1 5 3 6 4|2 9"},
	})
}
