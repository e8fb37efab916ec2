package textedit_test

import "testing"

// TestTextbook: what textbooks say, and programs forget.
func TestTextbook(t *testing.T) {
	const args = "int main(int argc, char **argv)\n{\n"
	repairs(t, []mistake{
		{"leap", args + `    int y = atoi(argv[1]);
    if (y % 4 == 0 && (y % 100 != 0 || y % 400 == 0))
        printf("leap\n");
    else
        printf("common\n");
    return 0;
}
`, "y % 4 == 0 && (y % 100 != 0 || y % 400 == 0)", "y % 4 == 0", "2000|1900|2023|2024|2100", "1800|1600|1996"},
		{"hex digits", args + `    unsigned n = atoi(argv[1]), b = atoi(argv[2]);
    char s[40];
    int k = 0;
    do {
        int d = n % b;
        s[k++] = d < 10 ? '0' + d : 'a' + d - 10;
        n /= b;
    } while (n > 0);
    while (k > 0)
        putchar(s[--k]);
    return 0;
}
`, "d < 10 ? '0' + d : 'a' + d - 10", "'0' + d", "255 16|10 2|171 16|35 36", "4011 16|12 12"},
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
		{"vowel", args + `    int n = 0;
    for (char *s = argv[1]; *s; s++)
        if (*s == 'a' || *s == 'e' || *s == 'i' || *s == 'o' || *s == 'u')
            n++;
    printf("%d\n", n);
    return 0;
}
`, " || *s == 'u'", "", "aeiou|xyz|ubu|oo", "tutu|queue"},
		{"replace", args + `    int m = strlen(argv[2]);
    for (char *s = argv[1]; *s; s++)
        if (strncmp(s, argv[2], m) == 0) {
            putchar('#');
            s += m - 1;
        } else
            putchar(*s);
    return 0;
}
`, "            s += m - 1;\n", "", "abcabc bc|aaaa aa|x y", "hello ll|abab ab"},
		{"overlap", `struct span { int from, to; };
static int overlap(const struct span *a, const struct span *b)
{
    return a->from < b->to && b->from < a->to;
}
int main(int argc, char **argv)
{
    struct span s[10];
    int n = 0, hits = 0;
    for (int i = 1; i + 1 < argc; i += 2, n++) {
        s[n].from = atoi(argv[i]);
        s[n].to = atoi(argv[i + 1]);
    }
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            hits += overlap(&s[i], &s[j]);
    printf("%d\n", hits);
    return 0;
}
`, "a->from < b->to && b->from < a->to", "a->from < b->to", "1 3 2 4|1 2 3 4|3 4 1 2|1 9 2 3 4 5", "5 6 6 7|1 4 2 8 7 9"},
		{"median", `static int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(int argc, char **argv)
{
    int a[20], n = 0;
    for (int i = 1; i < argc; i++)
        a[n++] = atoi(argv[i]);
    qsort(a, n, sizeof a[0], up);
    double m = n % 2 ? a[n / 2] : (a[n / 2 - 1] + a[n / 2]) / 2.0;
    printf("%.1f\n", m);
    return 0;
}
`, "n % 2 ? a[n / 2] : (a[n / 2 - 1] + a[n / 2]) / 2.0", "a[n / 2]", "1|1 2|3 1 2|4 1 3 2", "5 7|9 8 1 2 3 4"},
		{"strings not numbers", args + `    char best[20] = "";
    for (int i = 1; i < argc; i++)
        if (strlen(argv[i]) > strlen(best))
            strcpy(best, argv[i]);
    printf("%s\n", best);
    return 0;
}
`, "strlen(argv[i]) > strlen(best)", "strcmp(argv[i], best) > 0", "a bb|ccc dd|z aa bbb", "xx yyyy zzz|q"},
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

// TestTextbookLoops: diagonals that meet, what is carried, the least that was seen, the child on the right.
func TestTextbookLoops(t *testing.T) {
	const args = "int main(int argc, char **argv)\n{\n"
	repairs(t, []mistake{
		{"both diagonals", args + `    int n = atoi(argv[1]), a[5][5], sum = 0;
    for (int i = 0; i < n * n; i++)
        a[i / n][i % n] = i + 2 < argc ? atoi(argv[i + 2]) : i;
    for (int i = 0; i < n; i++) {
        sum += a[i][i];
        if (i != n - 1 - i)
            sum += a[i][n - 1 - i];
    }
    printf("%d\n", sum);
    return 0;
}
`, "        if (i != n - 1 - i)\n            sum += a[i][n - 1 - i];", "        sum += a[i][n - 1 - i];", "3|2|1 5|3 1 2 3 4 5 6 7 8 9", "5|4"},
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
		{"carry lost", args + `    int h = atoi(argv[1]), m = atoi(argv[2]) + atoi(argv[3]);
    h += m / 60;
    m %= 60;
    printf("%d:%02d\n", h, m);
    return 0;
}
`, "    h += m / 60;\n", "", "1 30 15|1 50 20|0 59 1", "9 0 150|2 2 2"},
		{"pop root", `static int heap[50], n;
static void down(int i)
{
    for (;;) {
        int c = 2 * i + 1;
        if (c >= n)
            return;
        if (c + 1 < n && heap[c + 1] < heap[c])
            c++;
        if (heap[i] <= heap[c])
            return;
        int t = heap[i];
        heap[i] = heap[c];
        heap[c] = t;
        i = c;
    }
}
static int pop(void)
{
    int x = heap[0];
    heap[0] = heap[--n];
    down(0);
    return x;
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        heap[n++] = atoi(argv[i]);
    for (int i = n / 2; i >= 0; i--)
        down(i);
    while (n > 0)
        printf("%d ", pop());
    return 0;
}
`, "        if (c + 1 < n && heap[c + 1] < heap[c])\n            c++;\n", "", "1|3 2 1|5 4 3 2 1|9 7 8", "4 6 2 8 1 9 3|7 7 1 1"},
		{"least in the head of a loop", `struct job { int due; char name; };
static struct job heap[50];
static int n;
static int before(const struct job *a, const struct job *b)
{
    return a->due < b->due;
}
static void put(int due, char name)
{
    int i = n++;
    while (i > 0 && due < heap[(i - 1) / 2].due) {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap[i].due = due;
    heap[i].name = name;
}
static struct job get(void)
{
    struct job top = heap[0], t;
    int i = 0, kid;
    heap[0] = heap[--n];
    while ((kid = 2 * i + 1) < n) {
        if (kid + 1 < n && before(&heap[kid + 1], &heap[kid]))
            kid++;
        if (!before(&heap[kid], &heap[i]))
            break;
        t = heap[i];
        heap[i] = heap[kid];
        heap[kid] = t;
        i = kid;
    }
    return top;
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        put(atoi(argv[i]), 'a' + i);
    while (n > 0)
        printf("%c", get().name);
    return 0;
}
`, "        if (kid + 1 < n && before(&heap[kid + 1], &heap[kid]))\n            kid++;\n", "", "1|1 3 2 4|2 5 3 9 8|9 7 8", "4 6 2 8 1 9 3|1 7 5 9 8 6"},
		{"from one", `struct heap { int *at, size; };
static void sink(struct heap *h, int i)
{
    int c;
    for (; (c = i * 2) <= h->size; i = c) {
        if (c + 1 <= h->size && h->at[c + 1] > h->at[c])
            c++;
        if (h->at[i] >= h->at[c])
            break;
        int t = h->at[i];
        h->at[i] = h->at[c];
        h->at[c] = t;
    }
}
int main(int argc, char **argv)
{
    int a[50];
    struct heap h = { a, argc - 1 };
    for (int i = 1; i < argc; i++)
        a[i] = atoi(argv[i]);
    for (int i = h.size / 2; i > 0; i--)
        sink(&h, i);
    while (h.size > 0) {
        printf("%d ", a[1]);
        a[1] = a[h.size--];
        sink(&h, 1);
    }
    return 0;
}
`, "        if (c + 1 <= h->size && h->at[c + 1] > h->at[c])\n            c++;\n", "", "1|3 2 1|5 4 3 2 1|9 7 8|1 2 3", "4 6 2 8 1 9 3|7 7 1 1"},
	})
}
