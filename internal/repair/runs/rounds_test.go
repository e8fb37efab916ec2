package runs

import (
	"strings"
	"testing"
)

// betweenRounds are mistakes between the iterations of loops, and of functions that change copies.
var betweenRounds = []student{
	{"a sum that goes on", `#include <stdio.h>
int main(void)
{
    int rows, cols, i, j, x, sum = 0;
    scanf("%d %d", &rows, &cols);
    for (i = 0; i < rows; i++) {
        sum = 0;
        for (j = 0; j < cols; j++) {
            scanf("%d", &x);
            sum += x;
        }
        printf("%d\n", sum);
    }
    return 0;
}
`, "        sum = 0;\n", "", []string{"2 2\n1 2\n3 4\n", "1 3\n5 5 5\n", "3 1\n7\n8\n9\n"}, []string{"2 3\n1 1 1\n2 2 2\n", "4 1\n1\n0\n0\n5\n"}, "must be set back in every iteration"},
	{"declared in the loop", `#include <stdio.h>
int main(void)
{
    int x;
    int count = 0;
    do {
        scanf("%d", &x);
        if (x > 0)
            count++;
        if (x == -1)
            printf("%d\n", count);
    } while (x != 0);
    return 0;
}
`, "int x;\n    int count = 0;\n    do {\n", "int x;\n    do {\n        int count = 0;\n", []string{"4 5 -1 0\n", "-1 3 -1 0\n", "0\n", "9 9 9 -1 -1 0\n"}, []string{"1 2 3 -1 4 -1 0\n", "-1 0\n"}, "declare it before the loop"},
	{"the last one", `#include <stdio.h>
int main(void)
{
    int c, len = 0;
    while ((c = getchar()) != EOF && c != '\n') {
        if (c == ',') {
            printf("field of %d\n", len);
            len = 0;
        } else
            len++;
    }
    printf("field of %d\n", len);
    return 0;
}
`, "    printf(\"field of %d\\n\", len);\n    return 0;", "    return 0;", []string{"ab,c\n", "one\n", "a,,bc\n"}, []string{"x,yy,zzz\n", "abc,\n"}, "not done for the last one"},
	{"a function that swaps copies", `#include <stdio.h>
void swap(int *x, int *y)
{
    int t = *x;
    *x = *y;
    *y = t;
}
int main(void)
{
    int a, b;
    scanf("%d %d", &a, &b);
    if (a > b)
        swap(&a, &b);
    printf("%d %d\n", a, b);
    return 0;
}
`, "void swap(int *x, int *y)\n{\n    int t = *x;\n    *x = *y;\n    *y = t;\n}\nint main(void)\n{\n    int a, b;\n    scanf(\"%d %d\", &a, &b);\n    if (a > b)\n        swap(&a, &b);",
		"void swap(int x, int y)\n{\n    int t = x;\n    x = y;\n    y = t;\n}\nint main(void)\n{\n    int a, b;\n    scanf(\"%d %d\", &a, &b);\n    if (a > b)\n        swap(a, b);",
		[]string{"1 2\n", "2 1\n", "5 5\n", "9 3\n"}, []string{"-1 -2\n", "0 7\n"}, "copies of its arguments"},
}

func TestRounds(t *testing.T) {
	for _, s := range betweenRounds {
		t.Run(strings.ReplaceAll(s.name, " ", "-"), func(t *testing.T) { s.test(t) })
	}
}
