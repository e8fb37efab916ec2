package runs

import (
	"testing"
)

// lab are programs as people write them in their first weeks.
var lab = []student{
	{name: "the same word in a branch that no test takes", program: `#include <stdio.h>
int main(void)
{
    float level, low, high;
    scanf("%f %f %f", &level, &low, &high);
    if (level < low)
        printf("The water stands below the Mark\n");
    else if (level > high)
        printf("The water stands above the Mark\n");
    else
        printf("The water stands at the Mark\n");
    return 0;
}
`,
		right: `        printf("The water stands below the Mark\n");
    else if (level > high)
        printf("The water stands above the Mark\n");
    else
        printf("The water stands at the Mark\n");`,
		wrong: `        printf("The water stands below the mark\n");
    else if (level > high)
        printf("The water stands above the mark\n");
    else
        printf("The water stands at the mark\n");`,
		given: []string{"1.5 2 4\n", "5 2 4\n", "0.1 3 4\n", "7.5 3 4\n"}, held: []string{"3 2 4\n", "2.5 2 2.5\n"}, hint: "upper or lower case"},
	{name: "a value printed with its sign", program: `#include <math.h>
#include <stdio.h>
int main(void)
{
    float width, height;
    scanf("%f%f", &width, &height);
    printf("The sheet has %.3f square metres.", fabs(width * height));
    return 0;
}
`,
		right: `#include <math.h>
#include <stdio.h>
int main(void)
{
    float width, height;
    scanf("%f%f", &width, &height);
    printf("The sheet has %.3f square metres.", fabs(width * height));`,
		wrong: `#include <stdio.h>
int main(void)
{
    float width, height;
    scanf("%f%f", &width, &height);
    printf("The sheet has %.3f square metres.", width * height);`,
		given: []string{"-2 3.5\n", "0.25 -8\n"}, held: []string{"2 3\n", "-1 -4\n", "0 5\n"}, hint: "printed with its sign"},
	{name: "arguments within the quotes", program: `#include <stdio.h>
int main(void)
{
    int hours, minutes;
    scanf("%d %d", &hours, &minutes);
    if (hours == 0)
        printf("%d min\n", minutes);
    else
        printf("%d h %d min\n", hours, minutes);
    return 0;
}
`,
		right: `scanf("%d %d", &hours, &minutes);`, wrong: `scanf("%d %d, &hours, &minutes");`,
		given: []string{"2 30\n", "0 12\n", "11 5\n"}, held: []string{"0 0\n", "7 45\n"}, hint: "quotes end behind the arguments"},
	{name: "no address at all", program: `#include <stdio.h>
int main(void)
{
    float x, y, z, sum;
    scanf("%f %f %f", &x, &y, &z);
    sum = x + y + z;
    printf("%.2f\n", sum / 3);
    return 0;
}
`,
		right: `&x, &y, &z`, wrong: `x, y, z`,
		given: []string{"1 2 6\n", "0.5 0.25 8\n", "-4 1 0\n"}, held: []string{"7 7 7\n", "1.5 -1.5 3\n"}, hint: "& is missing"},
	{name: "one address of four is missing", program: `#include <stdio.h>
int main(void)
{
    int a, b, c, d;
    scanf("%d %d %d %d", &a, &b, &c, &d);
    printf("%d\n", a * d - b * c);
    return 0;
}
`,
		right: `&a, &b, &c, &d`, wrong: `&a, &b, c, &d`,
		given: []string{"1 2 3 4\n", "2 0 0 2\n", "5 1 7 3\n"}, held: []string{"1 1 1 1\n", "-2 3 4 6\n"}, hint: "& is missing"},
	{name: "three arguments in another order", program: `#include <stdio.h>
int main(void)
{
    int year, month, day;
    scanf("%d %d %d", &day, &month, &year);
    printf("%04d-%02d-%02d\n", year, month, day);
    return 0;
}
`,
		right: `&day, &month, &year`, wrong: `&month, &year, &day`,
		given: []string{"3 12 1999\n", "28 2 2024\n", "11 9 1850\n"}, held: []string{"1 1 2000\n", "30 6 1984\n"}, hint: "arguments in another order"},
	{name: "a list that is never printed", program: `#include <stdio.h>
int main(void)
{
    int n, i, t, v[100];
    scanf("%d", &n);
    for (i = 0; i < n; i++)
        scanf("%d", &v[i]);
    for (i = 0; i < n / 2; i++) {
        t = v[i];
        v[i] = v[n - 1 - i];
        v[n - 1 - i] = t;
    }
    for (i = 0; i < n; i++)
        printf("%d ", v[i]);
    return 0;
}
`,
		right: `    for (i = 0; i < n; i++)
        printf("%d ", v[i]);
`, wrong: "",
		given: []string{"3\n4 5 6\n", "5\n9 7 5 3 1\n", "1\n42\n"}, held: []string{"4\n1 2 3 4\n", "2\n8 -8\n"}, hint: "the result is not printed"},
	{name: "what was read and its result are never printed", program: `#include <stdio.h>
int main(void)
{
    int n, digits = 0;
    scanf("%d", &n);
    int first = n;
    while (n > 0) {
        digits = digits + n % 10;
        n = n / 10;
    }
    printf("The digits of %d add up to %d\n", first, digits);
    return 0;
}
`,
		right: `    int first = n;
    while (n > 0) {
        digits = digits + n % 10;
        n = n / 10;
    }
    printf("The digits of %d add up to %d\n", first, digits);
`, wrong: `    while (n > 0) {
        digits = digits + n % 10;
        n = n / 10;
    }
`,
		given: []string{"123\n", "7\n", "9080\n"}, held: []string{"0\n", "55555\n"}, hint: "the result is not printed"},
	{name: "branches that all run", program: `#include <stdio.h>
int main(void)
{
    int n, i, j;
    scanf("%d", &n);
    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++) {
            if (i == j)
                printf("1");
            else if (i + j == n - 1)
                printf("2");
            else if (i == 0 || i == n - 1)
                printf("3");
            else if (j == 0)
                printf("4");
            else
                printf(".");
        }
        printf("\n");
    }
    return 0;
}
`,
		right: `            else if (i + j == n - 1)
                printf("2");
            else if (i == 0 || i == n - 1)
                printf("3");
            else if (j == 0)`,
		wrong: `            if (i + j == n - 1)
                printf("2");
            if (i == 0 || i == n - 1)
                printf("3");
            if (j == 0)`,
		given: []string{"3\n", "4\n"}, held: []string{"1\n", "2\n", "5\n", "6\n"}, hint: "more than one of these branches"},
}

// TestLab repairs programs of the first weeks.
func TestLab(t *testing.T) { testAll(t, lab, 6) }
