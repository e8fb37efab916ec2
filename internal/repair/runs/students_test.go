package runs

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"gulo/internal/budget"
	"gulo/internal/report"
)

// student is a program with a mistake as students make them: right where the first of the
// two texts stands, wrong with the second.
type student struct {
	name        string
	program     string
	right       string
	wrong       string
	given, held []string // inputs
	hint        string   // is among the hints
}

const (
	greatest = `#include <stdio.h>
int main(void)
{
    int a, b, c, m;
    scanf("%d %d %d", &a, &b, &c);
    m = a > b ? a : b;
    if (c > m)
        m = c;
    printf("%d\n", m);
    return 0;
}
`
	// fiveLetters ends without a return, as many students' programs do.
	fiveLetters = `#include <stdio.h>
#include <string.h>
int main(void)
{
    char line[200];
    int i, count = 0;
    fgets(line, 200, stdin);
    for (i = 0; i < strlen(line); i++) {
        if (line[i] == 'a' || line[i] == 'e' || line[i] == 'i' || line[i] == 'o' || line[i] == 'u')
            count = count + 1;
    }
    printf("vowels: %d\n", count);
}
`
	primes = `#include <stdio.h>
int main(void)
{
    int n, i, j, prime;
    scanf("%d", &n);
    for (i = 2; i <= n; i++) {
        prime = 1;
        for (j = 2; j < i; j++)
            if (i % j == 0)
                prime = 0;
        if (prime)
            printf("%d\n", i);
    }
    return 0;
}
`
	divides = `#include <stdio.h>
int main(void)
{
    int n, m;
    scanf("%d%d", &n, &m);
    if (n % m == 0) {
        printf("yes\n");
    } else {
        printf("no\n");
    }
    return 0;
}
`
	divisors = `#include <stdio.h>
int main(void)
{
    int n, i, found = 0;
    scanf("%d", &n);
    for (i = 1; i <= n; i++)
        if (n % i == 0)
            found++;
    printf("%d\n", found);
    return 0;
}
`
	rest = `#include <stdio.h>
int main(void)
{
    int a, b;
    scanf("%d%d", &a, &b);
    printf("%d rest %d\n", a / b, a % b);
    return 0;
}
`
	clock = `#include <stdio.h>
int main(void)
{
    int t, h, m, s;
    scanf("%d", &t);
    h = t / 3600;
    m = t / 60 % 60;
    s = t % 60;
    printf("%02d:%02d:%02d\n", h, m, s);
    return 0;
}
`
	list = `#include <stdio.h>
int main(void)
{
    int n, i, x;
    scanf("%d", &n);
    for (i = 0; i < n; i++) {
        scanf("%d", &x);
        if (i > 0) printf(", ");
        printf("%d", 2 * x);
    }
    printf("\n");
    return 0;
}
`
	table = `#include <stdio.h>
int main(void)
{
    int n, i, j;
    scanf("%d", &n);
    for (i = 1; i <= n; i++) {
        for (j = 1; j < n; j++) {
            printf("%d ", i * j);
        }
        printf("%d\n", i * n);
    }
    return 0;
}
`
	mean = `#include <stdio.h>
int main(void)
{
    int n = 0, x, sum = 0;
    double m;
    while (scanf("%d", &x) == 1) {
        sum += x;
        n++;
    }
    m = (double) sum / n;
    printf("%.2f\n", m);
    return 0;
}
`
	echo = `#include <stdio.h>
#include <string.h>
int main(void)
{
    char line[100];
    int i, n;
    fgets(line, sizeof line, stdin);
    line[strcspn(line, "\n")] = '\0';
    n = strlen(line);
    for (i = n - 1; i >= 0; i--)
        putchar(line[i]);
    putchar('\n');
    return 0;
}
`
	branches = `#include <stdio.h>
int main(void)
{
    int t, h = 0, m = 0, s;
    scanf("%d", &t);
    s = t;
    if (t < 60) {
        printf("%02d:%02d:%02d\n", h, m, s);
    } else {
        m = s / 60;
        s = s % 60;
        if (m < 60) {
            printf("%02d:%02d:%02d\n", h, m, s);
        } else {
            h = m / 60;
            m = m % 60;
            printf("%02d:%02d:%02d\n", h, m, s);
        }
    }
    return 0;
}
`
	quote = `#include <stdio.h>
#include <string.h>
int main(void)
{
    char line[80];
    int n;
    fgets(line, sizeof line, stdin);
    line[strcspn(line, "\n")] = '\0';
    n = strlen(line);
    printf("%s\n", line);
    return n == 0;
}
`
	copies = `#include <stdio.h>
int main(void)
{
    int c = getchar(), n = 0;
    while ((c != EOF && c != '\n')) {
        putchar(c);
        n++;
        c = getchar();
    }
    putchar('\n');
    return 0;
}
`
	vowels = `#include <stdio.h>
int main(void)
{
    int c, n = 0, all = 0;
    while ((c = getchar()) != EOF) {
        all++;
        switch (c) {
        case 'a':
        case 'e':
            n++;
            break;
        case '\n':
            all--;
            break;
        }
    }
    printf("%d of %d\n", n, all);
    return 0;
}
`
	lines = `#include <stdio.h>
int main(void)
{
    int n, i, j, v[20], sum, best = 0;
    scanf("%d", &n);
    for (i = 0; i < n; i++) {
        sum = 0;
        for (j = 0; j < 3; j++) {
            scanf("%d", &v[j]);
            sum += v[j];
        }
        if (sum > best)
            best = sum;
        printf("%d\n", sum);
    }
    printf("best %d\n", best);
    return 0;
}
`
	total = `#include <stdio.h>
int main(void)
{
    int n, i, x, sum = 0;
    scanf("%d", &n);
    for (i = 0; i < n; i++) {
        scanf("%d", &x);
        if (x > 0)
            sum += x;
    }
    printf("%d\n", sum);
    return 0;
}
`
	frame = `#include <stdio.h>
int main(void)
{
    int n, i, j;
    scanf("%d", &n);
    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++) {
            putchar(i == 0 || j == 0 || i == n - 1 || j == n - 1 ? '#' : '.');
            if (j < n - 1)
                putchar(' ');
        }
        putchar('\n');
    }
    return 0;
}
`
	product = `#include <stdio.h>
int main(void)
{
    int n, i;
    long long p = 1;
    scanf("%d", &n);
    for (i = 2; i <= n; i++)
        p *= i;
    printf("%lld\n", p);
    return 0;
}
`
	halves = `#include <stdio.h>
int main(void)
{
    double a, b;
    scanf("%lf%lf", &a, &b);
    printf("%.2f\n", (a + b) / 2);
    return 0;
}
`
	backwards = `#include <stdio.h>
int main(void)
{
    int v[100], n, i;
    scanf("%d", &n);
    for (i = 0; i < n; i++)
        scanf("%d", &v[i]);
    for (i = n - 1; i >= 0; i--)
        printf("%d\n", v[i]);
    return 0;
}
`
	minutes = `#include <stdio.h>
int main(void)
{
    int t, h, m;
    scanf("%d", &t);
    h = t / 60;
    m = t % 60;
    if (h < 10)
        printf("0%d:", h);
    else
        printf("%d:", h);
    if (m < 10)
        printf("0%d\n", m);
    else
        printf("%d\n", m);
    return 0;
}
`
	boxes = `#include <stdio.h>
int main(void)
{
    int a, b;
    scanf("%d%d", &a, &b);
    if (a / b == 1)
        printf("1 box\n");
    else
        printf("%d boxes\n", a / b);
    return 0;
}
`
	longest = `#include <stdio.h>
#include <string.h>
int main(void)
{
    char word[80];
    int n = 0;
    while (scanf("%79s", word) == 1) {
        n += strlen(word);
        printf("%s\n", word);
    }
    printf("%d\n", n);
    return 0;
}
`
	counted = `#include <stdio.h>
int main(void)
{
    char line[100];
    int n = 0;
    while (fgets(line, sizeof line, stdin) != NULL)
        n++;
    printf("%d\n", n);
    return 0;
}
`
	letters = `#include <stdio.h>
int main(void)
{
    int c, n = 0;
    while ((c = getchar()) != EOF)
        if (c != '\n')
            n++;
    printf("%d\n", n);
    return 0;
}
`
	marks = `#include <stdio.h>
int main(void)
{
    int n, i, k = 0;
    char c;
    scanf("%d", &n);
    for (i = 0; i < n; i++) {
        scanf(" %c", &c);
        if (c == 'x')
            k++;
    }
    printf("%d\n", k);
    return 0;
}
`
	pointer = `#include <stdio.h>
static void read(int *p)
{
    scanf("%d", p);
}
int main(void)
{
    int a, b;
    read(&a);
    read(&b);
    printf("%d\n", a * b);
    return 0;
}
`
	zeros = `#include <stdio.h>
int main(void)
{
    int n, i, j, x, found;
    scanf("%d", &n);
    for (i = 0; i < n; i++) {
        found = 0;
        for (j = 0; j < 3; j++) {
            scanf("%d", &x);
            if (x == 0)
                found = 1;
        }
        printf("%s\n", found ? "yes" : "no");
    }
    return 0;
}
`
	grade = `#include <stdio.h>
int main(void)
{
    int p;
    scanf("%d", &p);
    if (p >= 90)
        printf("A\n");
    else if (p >= 70)
        printf("B\n");
    else if (p >= 50)
        printf("C\n");
    else
        printf("F\n");
    return 0;
}
`
)

var (
	triples  = []string{"1 2 3", "6 2 1", "-4 -1 -9"}
	triplesH = []string{"5 9 5", "0 0 0", "7 8 100"}
	pairs    = []string{"4 2", "5 3", "9 3"}
	pairsH   = []string{"7 7", "8 3", "100 10"}
	numbers  = []string{"3\n4 5 6\n", "1\n9\n", "4\n1 0 2 7\n"}
	numbersH = []string{"2\n5 5\n", "5\n1 2 3 4 5\n"}
	seconds  = []string{"60", "3725", "59", "86399"}
	secondsH = []string{"0", "7325", "36000"}
	words    = []string{"hello\n", "a b c\n", "level up"}
	wordsH   = []string{"x\n", "programming in C\n"}
	streams  = []string{"1 2 3\n", "4 5\n", "10"}
	streamsH = []string{"2 2 3", "7 8 9 10\n"}
	sizes    = []string{"1", "3", "4"}
	sizesH   = []string{"2", "6"}
	triplets = []string{"2\n1 2 3\n4 5 6\n", "1\n7 8 9\n", "3\n9 9 9\n1 1 1\n2 2 2\n"}
	tripletH = []string{"2\n3 3 3\n1 0 1\n", "1\n0 0 1\n"}
	points   = []string{"95", "75", "50", "10", "90"}
	pointsH  = []string{"70", "49", "89", "100"}
)

var students = []student{
	// What is printed.
	{"newline", greatest, `"%d\n", m`, `"%d", m`, triples, triplesH, "no newline at the end"},
	{"newlines", divides, "printf(\"yes\\n\");\n    } else {\n        printf(\"no\\n\")", "printf(\"yes\");\n    } else {\n        printf(\"no\")", pairs, pairsH, "no newline at the end"},
	{"newline that no test shows", divides, "printf(\"yes\\n\");\n    } else {\n        printf(\"no\\n\")", "printf(\"yes\");\n    } else {\n        printf(\"no\")", []string{"4 2", "9 3"}, pairsH, "no newline at the end"},
	{"newline in two of four branches", minutes, "0%d\\n\", m);\n    else\n        printf(\"%d\\n\", m);", "0%d\", m);\n    else\n        printf(\"%d\", m);", []string{"61", "45", "130"}, []string{"0", "700", "1439"}, "no newline at the end"},
	{"prompt", greatest, "    scanf", "    printf(\"Three numbers: \");\n    scanf", triples, triplesH, "text that should not be printed"},
	{"words around", greatest, `"%d\n", m`, `"The greatest is %d.\n", m`, triples, triplesH, "extra words around the value"},
	{"capitals", divides, `"yes\n"`, `"Yes\n"`, pairs, pairsH, "wrong upper or lower case"},
	{"another word", divides, `"no\n"`, `"not\n"`, pairs, pairsH, "another text"},
	{"padding", clock, `%02d:%02d:%02d`, `%d:%d:%d`, seconds, secondsH, "wrong format for a value"},
	{"blanks for zeros", clock, `%02d:%02d:%02d`, `%2d:%2d:%2d`, seconds, secondsH, "wrong format for a value"},
	{"separator sign", clock, `%02d:%02d:%02d`, `%02d-%02d-%02d`, seconds, secondsH, "another text"},
	{"order of arguments", clock, `h, m, s);`, `h, s, m);`, seconds, secondsH, "arguments the other way round"},
	{"blank at the end", divides, `"yes\n"`, `"yes \n"`, pairs, pairsH, "wrong spaces or newlines"},
	{"separator behind the last", list, "        if (i > 0) printf(\", \");\n        printf(\"%d\", 2 * x);", "        printf(\"%d, \", 2 * x);", numbers, numbersH, "a separator"},
	{"separator before the first", list, "if (i > 0) printf(\", \");\n        printf(\"%d\", 2 * x);", "printf(\", %d\", 2 * x);", numbers, numbersH, "a separator"},
	{"separator for all", list, "if (i > 0) printf", "printf", numbers, numbersH, "a separator"},
	{"no separator", list, "        if (i > 0) printf(\", \");\n", "", numbers, numbersH, "a separator"},
	{"quotes that no test shows", divides, "\"yes\\n\");\n    } else {\n        printf(\"no\\n\")", "\"\\\"yes\\\"\\n\");\n    } else {\n        printf(\"\\\"no\\\"\\n\")", []string{"4 2", "9 3"}, pairsH, "another text"},
	{"line break too much", table, `"%d ", i * j`, `"%d\n", i * j`, sizes, sizesH, "wrong spaces or newlines"},
	{"end of line missing", list, "    printf(\"\\n\");\n", "", numbers, numbersH, "some text is not printed"},
	{"precision", mean, `%.2f`, `%f`, streams, streamsH, "wrong format for a value"},
	{"debugging output", list, "        scanf(\"%d\", &x);\n", "        scanf(\"%d\", &x);\n        printf(\"read %d\\n\", x);\n", numbers, numbersH, "output that should not be printed"},
	{"not printed in one branch", branches, "m = m % 60;\n            printf(\"%02d:%02d:%02d\\n\", h, m, s);", "m = m % 60;", []string{"60", "3600"}, []string{"59", "3725", "86399"}, "the result is not printed here"},
	{"number and word", greatest, `"%d\n", m`, `"max=%d", m`, triples, triplesH, "extra words around the value"},
	{"not printed", greatest, "    printf(\"%d\\n\", m);\n", "", triples, triplesH, "the result is not printed"},
	{"returned", greatest, "    printf(\"%d\\n\", m);\n    return 0;", "    return m;", triples, triplesH, "the result is returned"},
	{"singular", boxes, "    if (a / b == 1)\n        printf(\"1 box\\n\");\n    else\n        printf", "    printf", []string{"6 2", "5 4", "9 3", "0 2"}, []string{"7 7", "20 2", "1 3"}, "singular and plural mixed up"},
	{"end of line in a branch that no test shows, and a bound", grade, "printf(\"C\\n\");\n    else\n        printf(\"F\\n\")", "printf(\"C\");\n    else\n        printf(\"F\")", []string{"95", "75", "50", "90"}, pointsH, "no newline at the end"},

	// What is read.
	{"real numbers read as float", halves, `"%lf%lf"`, `"%f%f"`, []string{"1 2", "2.5 3", "4 4.5"}, []string{"1.25 8", "-3 3", "7 0"}, "a conversion that does not match its argument"},
	{"real numbers read as int", halves, `"%lf%lf"`, `"%d%d"`, []string{"1 2", "2.5 3", "4 4.5"}, []string{"1.25 8", "-3 3", "7 0"}, "a conversion that does not match its argument"},
	{"scanf waits for commas", greatest, `"%d %d %d"`, `"%d, %d, %d"`, triples, triplesH, "scanf expects other characters between the values"},
	{"blanks before characters", marks, `" %c"`, `"%c"`, []string{"3\nx y x\n", "2\nx x\n", "1\ny\n"}, []string{"4\nx x x x\n", "1\nx\n"}, "%c also reads spaces"},
	{"room for a word", longest, "word[80]", "word[8]", []string{"to be or\n", "counterrevolutionary days\n", "abc characteristically x"}, []string{"electroencephalography\n", "a b c\n"}, "an array that is too small"},
	{"room for a line", counted, "line[100]", "line[10]", []string{"a\nb\n", "this is a long line\nshort\n", "abc\n\nthe third line is long\n"}, []string{"x\n", "a line with more than ten\nanother line of that kind\n"}, "an array that is too small"},
	{"getchar into char", letters, "int c, n = 0;", "int n = 0;\n    char c;", []string{"abc\n", "a\xffbc\n", "xyz"}, []string{"\n\n", "hello \xffyou\n"}, "a type too small for its values"},
	{"getchar into unsigned char", letters, "int c, n = 0;", "int n = 0;\n    unsigned char c;", []string{"abc\n", "a\nbc\n", "xyz"}, []string{"\n\n", "hello you\n"}, "a type too small for its values"},
	{"missing address", list, `scanf("%d", &x)`, `scanf("%d", x)`, numbers, numbersH, "& is missing"},
	{"result of scanf", mean, `scanf("%d", &x) == 1`, `scanf("%d", &x)`, streams, streamsH, "scanf returns how many"},
	{"end of file first", mean, "while (scanf(\"%d\", &x) == 1) {", "while (!feof(stdin)) {\n        scanf(\"%d\", &x);", []string{"1 2 3\n", "4 5\n", "10\n"}, []string{"2 2 3\n", "7 8\n"}, "feof is true only after"},
	{"line break kept", echo, "    line[strcspn(line, \"\\n\")] = '\\0';\n", "", words, wordsH, "fgets keeps the newline at the end of the line"},
	{"line break printed with the text", copies, "(c != EOF && c != '\\n')) {\n        putchar(c);\n        n++;\n        c = getchar();\n    }\n    putchar('\\n');", "(c != EOF)) {\n        putchar(c);\n        n++;\n        c = getchar();\n    }", []string{"to be\n", "or not"}, []string{"that", "is\n", "the question\n"}, "2 places must change"},
	{"line break kept, and none printed", quote, "    line[strcspn(line, \"\\n\")] = '\\0';\n    n = strlen(line);\n    printf(\"%s\\n\"", "    n = strlen(line);\n    printf(\"%s\"", []string{"to be", "or not\n"}, []string{"that", "is\n", "the question"}, "fgets keeps the newline at the end of the line"},
	{"one word", echo, "fgets(line, sizeof line, stdin);", "scanf(\"%s\", line);", words, wordsH, "%s reads one word"},
	{"end of input", vowels, `!= EOF`, `!= '\n'`, []string{"apple\n", "bee\ntree\n", "xyz\na"}, []string{"e\ne\n", "banana"}, "another comparison"},
	{"assignment before comparison", vowels, `(c = getchar()) != EOF`, `c = getchar() != EOF`, []string{"apple\n", "bee\ntree\n", "xyz\na"}, []string{"e\ne\n", "banana"}, "the end of the input is not checked"},

	{"read into the wrong variable", greatest, `&a, &b, &c`, `&a, &b, &b`, triples, triplesH, "another variable"},
	{"read into each other's variable", rest, `&a, &b`, `&b, &a`, []string{"7 2", "9 4", "20 3"}, []string{"10 5", "3 9", "100 7"}, "arguments the other way round"},
	{"read twice into one", pointer, `read(&b);`, `read(&a);`, []string{"1 2", "3 4", "-5 6"}, []string{"9 9", "0 4"}, "b"},
	{"what scanf returns, stored where it reads", clock, `scanf("%d", &t);`, `t = scanf("%d", &t);`, seconds, secondsH, "scanf returns how many"},
	{"what scanf returns is a value", total, "scanf(\"%d\", &x);\n        if (x > 0)\n            sum += x;", "x = scanf(\"%d\", &x);\n        if (x > 0)\n            sum += x;", numbers, numbersH, "scanf returns how many"},
	{"until scanf says 0", mean, `scanf("%d", &x) == 1`, `scanf("%d", &x) != 0`, streams, streamsH, "scanf returns how many"},
	{"a value too few", greatest, `"%d %d %d", &a, &b, &c`, `"%d %d", &a, &b`, triples, triplesH, "scanf"},
	{"a character read as a number", marks, `" %c"`, `"%d"`, []string{"3\nx y x\n", "2\nx x\n", "1\ny\n"}, []string{"4\nx x x x\n", "1\nx\n"}, "reads a number, not a character"},
	{"an address printed", greatest, `"%d\n", m`, `"%d\n", &m`, triples, triplesH, "the & is not needed"},
	{"an int printed as a real number", greatest, `"%d\n", m`, `"%f\n", m`, triples, triplesH, "a conversion that does not match its argument"},
	{"a real number printed as an int", halves, `%.2f`, `%d`, []string{"1 2", "2.5 3", "4 4.5"}, []string{"1.25 8", "-3 3", "7 0"}, "a conversion that does not match its argument"},

	// Bigger mistakes.
	{"printed in every round", total, "            sum += x;\n    }\n    printf(\"%d\\n\", sum);", "            sum += x;\n        printf(\"%d\\n\", sum);\n    }", numbers, numbersH, "move"},
	{"printed behind the loop", primes, "        if (prime)\n            printf(\"%d\\n\", i);\n    }\n", "    }\n    if (prime)\n        printf(\"%d\\n\", i);\n", []string{"10", "2", "20", "3"}, []string{"7", "30", "4", "97"}, "belongs inside it"},
	{"semicolon after while", strings.Replace(echo, "for (i = n - 1; i >= 0; i--)\n        putchar(line[i]);", "i = n;\n    while (i-- > 0)\n        putchar(line[i]);", 1), "while (i-- > 0)", "while (i-- > 0);", words, wordsH, "the semicolon after the while"},
	{"assignment for comparison", strings.Replace(divides, "n % m == 0", "n == m", 1), `n == m`, `n = m`, []string{"4 4", "5 3", "9 9"}, []string{"3 3", "8 1"}, "= assigns; == compares"},
	{"semicolon after for", lines, `for (j = 0; j < 3; j++) {`, `for (j = 0; j < 3; j++); {`, triplets, tripletH, "the semicolon after the for"},
	{"semicolon after if", greatest, `if (c > m)`, `if (c > m);`, []string{"1 2 3", "6 2 1", "-4 -1 -9"}, triplesH, "the semicolon after the if"},
	{"missing break", vowels, "            n++;\n            break;", "            n++;", []string{"apple\n", "bee\ntree\n", "xyz\na"}, []string{"e\ne\n", "banana"}, "insert break"},
	{"missing braces", mean, "{\n        sum += x;\n        n++;\n    }", "\n        sum += x;\n        n++;", streams, streamsH, "braces are missing"},
	{"integer division", mean, `(double) sum / n`, `sum / n`, []string{"1 2\n", "4 5\n", "10"}, streamsH, "a division of integers"},
	{"reset at the wrong place", lines, "    for (i = 0; i < n; i++) {\n        sum = 0;", "    sum = 0;\n    for (i = 0; i < n; i++) {", triplets, tripletH, "set back in every iteration"},
	{"missing else", grade, "    else if (p >= 70)", "    if (p >= 70)", points, pointsH, "else"},
	{"a case too few", grade, "    else if (p >= 70)\n        printf(\"B\\n\");\n", "", []string{"95", "75", "50", "10", "90", "70", "69", "89"}, []string{"88", "49", "71", "100"}, "a case is missing in the if-else chain"},
	{"an update of the loop that is missing", total, "for (i = 0; i < n; i++) {\n        scanf(\"%d\", &x);\n        if (x > 0)\n            sum += x;\n", "i = 0;\n    while (i < n) {\n        scanf(\"%d\", &x);\n        if (x > 0)\n            sum += x;\n", numbers, numbersH, "an update of i is missing"},
	{"four branches, each wrong", grade, "A\\n\");\n    else if (p >= 70)\n        printf(\"B\\n\");\n    else if (p >= 50)\n        printf(\"C\\n\");\n    else\n        printf(\"F\\n\");\n    return 0;", "A\\n\");\n    else if (p > 70)\n        printf(\"B\\n\");\n    else if (p > 50)\n        return printf(\"C\\n\");\n    else\n        printf(\"f\\n\");\n    return 0;", []string{"95", "90", "100", "75", "70", "89", "50", "55", "60", "10", "20", "0"}, []string{"91", "71", "51", "49", "5"}, "line"},
	{"operands exchanged", divides, "n % m == 0", "m % n == 0", []string{"4 2", "20 7"}, []string{"10 5", "5 3", "9 3"}, "operands the other way round"},
	{"set back in every round", total, "int main(void)\n{\n    int n, i, x, sum = 0;\n    scanf(\"%d\", &n);\n    for (i = 0; i < n; i++) {\n", "int main(void)\n{\n    int n, i, x, sum = 0;\n    scanf(\"%d\", &n);\n    for (i = 0; i < n; i++) {\n        sum = 0;\n", []string{"3\n4 5 6\n", "1\n9\n", "4\n1 0 2 7\n"}, numbersH, "should be set once"},
	{"a flag that is never set back", zeros, "found;\n    scanf(\"%d\", &n);\n    for (i = 0; i < n; i++) {\n        found = 0;\n", "found = 0;\n    scanf(\"%d\", &n);\n    for (i = 0; i < n; i++) {\n", []string{"2\n1 0 3\n4 5 6\n", "1\n7 8 9\n", "3\n9 0 9\n1 1 1\n2 0 2\n"}, []string{"2\n0 0 0\n1 5 1\n", "1\n0 0 1\n"}, "an assignment to found is missing"},
	{"one too far in bound and index", backwards, "i = n - 1; i >= 0; i--)", "i = n; i >= 0; i--)", []string{"3\n1 2 3\n", "4\n4 3 5 1\n", "2\n2 1\n"}, []string{"1\n4\n", "6\n1 2 1 2 1 9\n"}, "one less"},
	{"wrong direction", echo, "for (i = n - 1; i >= 0; i--)", "for (i = n - 1; i >= 0; i++)", words, wordsH, "the loop counts in the wrong direction"},
	{"from 1 at 0", table, "for (i = 1; i <= n; i++)", "for (i = 0; i < n; i++)", sizes, sizesH, "counts from 1"},
	{"no initial value", total, "sum = 0;", "sum;", numbers, numbersH, "no initial value"},
	{"int for double", halves, "double a, b;\n    scanf(\"%lf%lf\", &a, &b);", "int a, b;\n    scanf(\"%d%d\", &a, &b);", []string{"1 2", "2.5 3", "4 4.5"}, []string{"1.25 8", "-3 3", "7 0"}, "a real number in a variable for integers"},
	{"too large for int", product, "long long p = 1;\n    scanf(\"%d\", &n);\n    for (i = 2; i <= n; i++)\n        p *= i;\n    printf(\"%lld\\n\", p);", "int p = 1;\n    scanf(\"%d\", &n);\n    for (i = 2; i <= n; i++)\n        p *= i;\n    printf(\"%d\\n\", p);", []string{"3", "15", "20"}, []string{"1", "5", "17"}, "a number too large for its type"},
	{"a cast that is too small", strings.Replace(product, "p);\n    return", "(long long) p);\n    return", 1), `printf("%lld\n", (long long) p);`, `printf("%d\n", (int) p);`, []string{"3", "15", "20"}, []string{"1", "5", "17"}, "a number too large for its type"},
	{"char for int", total, "x, sum = 0;", "x;\n    char sum = 0;", []string{"3\n4 5 6\n", "3\n100 90 7\n", "2\n1000 5000\n"}, []string{"2\n500 5\n", "4\n1 2 99 300\n"}, "a type too small for its values"},
	{"array too small", backwards, "int v[100]", "int v[4]", []string{"3\n1 2 3\n", "9\n9 8 7 6 5 4 3 2 1\n", "1\n4\n"}, []string{"5\n5 5 6 1 2\n", "12\n1 2 3 4 5 6 7 8 9 10 11 12\n"}, "an array that is too small"},
	{"a side of a condition left out", fiveLetters, "line[i] == 'u'", "'u'", []string{"hello world\n", "xyz\n", "aeiou\n", "programming in c\n"}, []string{"unbelievable\n", "b\n", "queue up\n"}, "each side of && and || must be a complete condition"},
	{"no initial value, and no return", fiveLetters, "count = 0;", "count;", []string{"hello world\n", "xyz\n", "aeiou\n", "programming in c\n"}, []string{"unbelievable\n", "b\n", "queue up\n"}, "no initial value"},
	{"a flag that is set once", primes, "prime;\n    scanf(\"%d\", &n);\n    for (i = 2; i <= n; i++) {\n        prime = 1;\n", "prime = 1;\n    scanf(\"%d\", &n);\n    for (i = 2; i <= n; i++) {\n", []string{"10", "2", "20", "3"}, []string{"7", "30", "4", "97"}, "an assignment to prime is missing"},
	{"two separators", frame, "            if (j < n - 1)\n                putchar(' ');\n        }\n        putchar('\\n');", "            putchar(' ');\n        }\n        if (i < n - 1)\n            putchar('\\n');", sizes, sizesH, "2 places must change"},
	{"each printed, not how many", divisors, "int n, i, found = 0;\n    scanf(\"%d\", &n);\n    for (i = 1; i <= n; i++)\n        if (n % i == 0)\n            found++;\n    printf(\"%d\\n\", found);", "int n, i;\n    scanf(\"%d\", &n);\n    for (i = 1; i <= n; i++)\n        if (n % i == 0)\n            printf(\"%d\\n\", i);", []string{"8", "5", "12"}, []string{"1", "36", "49"}, "each is printed instead of how many there are"},
	{"each printed, not their sum", strings.Replace(divisors, "found++", "found += i", 1), "int n, i, found = 0;\n    scanf(\"%d\", &n);\n    for (i = 1; i <= n; i++)\n        if (n % i == 0)\n            found += i;\n    printf(\"%d\\n\", found);", "int n, i;\n    scanf(\"%d\", &n);\n    for (i = 1; i <= n; i++)\n        if (n % i == 0)\n            printf(\"%d\\n\", i);", []string{"8", "5", "12"}, []string{"1", "36", "49"}, "each is printed instead of their sum"},
	{"loops exchanged", table, "for (i = 1; i <= n; i++) {\n        for (j = 1; j < n; j++) {", "for (j = 1; j < n; j++) {\n        for (i = 1; i <= n; i++) {", []string{"3", "4"}, []string{"2", "6"}, "swapped"},
}

// TestShaped: what tests want has one shape, which tells the repair that is meant from others that
// meet the tests, too.
func TestShaped(t *testing.T) {
	const cheapest = `#include <stdio.h>
int main(void)
{
    int tea, milk, juice, water;
    printf("four prices: ");
    scanf("%d%d%d%d", &tea, &milk, &juice, &water);
    CHAIN
        printf("%d cents is the least\n", water);
    return 0;
}
`
	chain := func(op string) string {
		out := ""
		for _, x := range [][4]string{{"tea", "milk", "juice", "water"}, {"milk", "tea", "juice", "water"}, {"juice", "tea", "milk", "water"}, {"water", "tea", "milk", "juice"}} {
			if out += fmt.Sprintf("if (%s %s %s && %s %s %s && %s %s %s)\n", x[0], op, x[1], x[0], op, x[2], x[0], op, x[3]); x[0] != "water" {
				out += fmt.Sprintf("        printf(\"%%d cents is the least\\n\", %s);\n    else ", x[0])
			}
		}
		return strings.TrimSuffix(out, "\n")
	}
	const between = `#include <stdio.h>
int main(void)
{
    int low, mid, high;
    printf("three: ");
    scanf("%d %d %d", &low, &mid, &high);
    if ((low >= mid && low <= high) || (low <= mid && low >= high))
        printf("the middle is %d\n", low);
    else if ((mid >= low && mid <= high) || (mid <= low && mid >= high))
        printf("the middle is %d\n", mid);
    else
        printf("the middle is %d\n", high);
    return 0;
}
`
	for _, s := range []student{
		{name: "ties", program: strings.Replace(cheapest, "CHAIN", chain("<="), 1), right: chain("<="), wrong: chain("<"),
			given: []string{"5 5 7 9\n", "4 3 2 1\n", "1 2 3 4\n", "3 4 1 2\n", "9 2 5 7\n"}, held: []string{"7 3 3 9\n", "9 4 8 4\n", "8 9 2 2\n", "5 5 5 5\n", "6 2 9 3\n"}, hint: "equal values count, too"},
		{name: "twice", program: between, right: "(low >= mid && low <= high) || (low <= mid && low >= high)", wrong: "(low >= mid && low <= high) || (low >= mid && low <= high)",
			given: []string{"2 1 3\n", "5 9 3\n", "7 8 9\n", "1 3 2\n", "6 2 4\n"}, held: []string{"4 6 1\n", "5 8 2\n", "3 2 1\n", "1 1 4\n", "8 9 7\n"}, hint: "line 7"},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			s.test(t)
		})
	}
}

// TestStudents repairs a program for each mistake: what is found prints what the right
// program prints on inputs that were not given, and the hint names the mistake.
func TestStudents(t *testing.T) {
	if len(students) < 80 {
		t.Errorf("%d programs", len(students))
	}
	for _, s := range students {
		if s.hint == "" {
			t.Errorf("%s: what should the hint say?", s.name)
		}
	}
	testAll(t, students, 12)
}

// steady is the context of a search that its work ends, and not a busy machine.
func steady() context.Context { return budget.Begin(context.Background(), time.Hour) }

func (s *student) test(t *testing.T) {
	if strings.Count(s.program, s.right) == 0 {
		t.Fatalf("%q is not in the program", s.right)
	}
	j := submitted(t, strings.Replace(s.program, s.right, s.wrong, 1), s.program, s.given)
	j.Limit, j.Repairs = 2*time.Minute, 1
	ctx := steady()
	w, err := New(ctx, j)
	if err != nil {
		t.Fatal(err)
	}
	rep, err := w.ByOutput(ctx, budget.After(ctx, time.Minute))
	if err == nil && rep.Result != report.Repaired {
		rep, err = w.ByText(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
	if rep.Result != report.Repaired {
		t.Fatalf("%s: %s", rep.Result, rep.Cause)
	}
	fixed := rep.Sources(0)[j.Files[0]]
	want := ran(t, s.program, s.held)
	for i, o := range ran(t, fixed, s.held) {
		if o.Stdout != want[i].Stdout || o.Status != want[i].Status {
			t.Errorf("on %q it prints %q, not %q:\n%s", s.held[i], o.Stdout, want[i].Stdout, rep.Repairs[0].Diff)
		}
	}
	if hints := strings.Join(rep.Repairs[0].Hints, "\n"); !strings.Contains(hints, s.hint) {
		t.Errorf("the hints do not say %q:\n%s\n%s", s.hint, hints, rep.Repairs[0].Diff)
	}
}
