package runs

import (
	"strings"
	"testing"
)

const (
	finds = `#include <stdio.h>
int find(int v[], int n, int x)
{
    int i;
    for (i = 0; i < n; i++) {
        if (v[i] == x)
            return i;
    }
    return -1;
}
int main(void)
{
    int n, i, x, v[20];
    scanf("%d", &n);
    for (i = 0; i < n; i++)
        scanf("%d", &v[i]);
    scanf("%d", &x);
    printf("%d\n", find(v, n, x));
    return 0;
}
`
	pantry = `#include <stdio.h>
int main(void)
{
    int n, i, change, left = 0;
    scanf("%d", &n);
    for (i = 0; i < n; i++) {
        scanf("%d", &change);
        if (left + change < 0)
            printf("too few\n");
        else
            left += change;
        printf("%d\n", left);
    }
    return 0;
}
`
	rotates = `#include <stdio.h>
int main(void)
{
    int c;
    while ((c = getchar()) != EOF) {
        if (c >= 'a' && c <= 'z')
            c = (c - 'a' + 13) % 26 + 'a';
        else if (c >= 'A' && c <= 'Z')
            c = (c - 'A' + 13) % 26 + 'A';
        putchar(c);
    }
    return 0;
}
`
	parcels = `#include <stdio.h>
struct parcel { int pieces; double weight; };
int main(void)
{
    struct parcel p[10];
    double sum = 0;
    int n, i;
    scanf("%d", &n);
    for (i = 0; i < n; i++) {
        scanf("%d%lf", &p[i].pieces, &p[i].weight);
        sum += p[i].pieces;
    }
    printf("%.1f pieces each\n", sum / n);
    return 0;
}
`
	above = `#include <stdio.h>
int main(void)
{
    int n, i, x, count = 0;
    scanf("%d", &n);
    for (i = 0; i < n; i++) {
        scanf("%d", &x);
        if (x > 10)
            count++;
    }
    printf("%d\n", count);
    return 0;
}
`
	average = `#include <stdio.h>
int main(void)
{
    int n, i;
    double sum = 0;
    float num;

    scanf("%d", &n);
    for (i = 0; i < n; i++) {
        scanf("%f", &num);
        sum += num;
    }
    printf("%.2f\n", sum / n);
    return 0;
}
`
	crossed = `#include <stdio.h>
int main(void)
{
    int i, j, n;
    scanf("%d", &n);
    for (i = 1; i <= n; i++) {
        for (j = 1; j <= n; j++) {
            if (i == j || i == n - j + 1)
                printf(j < n ? "* " : "*");
            else
                printf(j < n ? "- " : "-");
        }
        printf("\n");
    }
    return 0;
}
`
	rowSums = `#include <stdio.h>
int main(void)
{
    int m[20][20], r, c, i, j, sum = 0;
    scanf("%d %d", &r, &c);
    for (i = 0; i < r; i++)
        for (j = 0; j < c; j++)
            scanf("%d", &m[i][j]);
    for (i = 0; i < r; i++) {
        sum = 0;
        for (j = 0; j < c; j++)
            sum += m[i][j];
        printf("%d\n", sum);
    }
    return 0;
}
`
)

// course are more mistakes of the first weeks.
var course = []student{
	{"an else that returns in the first round", finds, "            return i;\n    }\n    return -1;", "            return i;\n        else\n            return -1;\n    }",
		[]string{"3\n4 5 6\n5\n", "2\n1 2\n1\n", "3\n7 8 9\n4\n"}, []string{"4\n1 2 3 4\n4\n", "1\n1\n2\n"}, "the else returns in the first iteration"},
	{"an else that is missing", pantry, "        else\n            left += change;", "        left += change;",
		[]string{"3\n5 -7 2\n", "2\n1 2\n", "4\n3 -3 -1 4\n"}, []string{"3\n-1 5 -6\n", "1\n8\n"}, "an else is missing"},
	{"one branch right and the other wrong", rotates, "(c - 'a' + 13) % 26 + 'a'", "c + 13",
		[]string{"abc XYZ\n", "Hello, World\n", "nop\n"}, []string{"Zebra zoo\n", "m n\n"}, "differs from the other branch, which is right"},
	{"a member of another type", parcels, "sum += p[i].pieces", "sum += p[i].weight",
		[]string{"2\n3 1.5 4 2.25\n", "1\n7 0.5\n", "3\n1 2 2 2 9 1.5\n"}, []string{"2\n10 0.1 20 0.2\n", "1\n1 1\n"}, "another field"},
	{"no initial value and two more", above, above[strings.Index(above, "    int n"):], strings.NewReplacer("count = 0", "count", "x > 10", "x >= 10", `\n"`, `"`).Replace(above[strings.Index(above, "    int n"):]),
		[]string{"3\n10 11 5\n", "2\n1 2\n", "4\n30 10 40 50\n", "1\n10\n"}, []string{"2\n10 10\n", "5\n11 12 9 10 13\n"}, "no initial value"},
	{"an integer printed as a real number, and two more", average, average[strings.Index(average, "    int n"):], strings.NewReplacer("int n, i;\n    double sum = 0;", "int n, i, sum = 0;", "i < n", "i <= n", "%.2f", "%f").Replace(average[strings.Index(average, "    int n"):]),
		[]string{"3\n1 2 3\n", "2\n1.5 2.5\n", "4\n1 1 1 2\n", "1\n7.25\n", "5\n10 20 30 40 55\n"}, []string{"2\n0.5 0.25\n", "3\n-1 4.5 9\n"}, "a real number in a variable for integers"},
	{"separators and a condition", crossed, crossed[strings.Index(crossed, "            if"):], strings.NewReplacer("n - j + 1", "n - j", `j < n ? "* " : "*"`, `"* "`, `j < n ? "- " : "-"`, `"- "`).Replace(crossed[strings.Index(crossed, "            if"):]),
		[]string{"3\n", "5\n", "2\n", "1\n", "6\n"}, []string{"4\n", "9\n"}, "a separator after the last value"},
	{"a sum that is never set back, of a matrix", rowSums, "        sum = 0;\n        for", "        for",
		[]string{"2 3\n1 2 3\n4 5 6\n", "1 1\n7\n", "3 2\n1 -1\n0 0\n5 5\n"}, []string{"2 2\n10 20\n30 40\n", "4 1\n1\n2\n3\n4\n"}, "must be set back in every iteration of the loop"},
}

// TestCourse repairs a program for each of them, as TestStudents.
func TestCourse(t *testing.T) { testAll(t, course, 6) }
