package textedit_test

import "testing"

// TestMadeUp: conditions that stand nowhere in the program, and how arrays are indexed.
func TestMadeUp(t *testing.T) {
	repairs(t, []mistake{
		{"leap day", `static const int length[13] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
static int leap(int y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; }
static int of_year(int y, int m, int d)
{
    int n = d;
    for (int k = 1; k < m; k++)
        n += length[k];
    if (m > 2 && leap(y))
        n++;
    return n;
}
int main(int argc, char **argv)
{
    if (argc > 3)
        printf("%d\n", of_year(atoi(argv[1]), atoi(argv[2]), atoi(argv[3])));
    return 0;
}
`, "m > 2 && leap(y)", "leap(y)", "2003 2 1|2004 2 1|2004 3 1|2000 12 31|2001 12 31|2000 1 5", "2008 2 29|2008 4 1|1999 5 5|1996 1 1|2012 3 1"},
		{"the longer one", `struct span { int from, to; };
static struct span list[20];
static int n;
static int merge(void)
{
    int k = 0;
    for (int i = 1; i < n; i++) {
        if (list[i].from <= list[k].to) {
            if (list[i].to > list[k].to)
                list[k].to = list[i].to;
        } else {
            list[++k] = list[i];
        }
    }
    return n == 0 ? 0 : k + 1;
}
int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        list[n].from = atoi(argv[i]);
        list[n++].to = atoi(argv[i + 1]);
    }
    int m = merge();
    for (int i = 0; i < m; i++)
        printf("%d-%d ", list[i].from, list[i].to);
    printf("\n");
    return 0;
}
`, "            if (list[i].to > list[k].to)\n                list[k].to", "            list[k].to", "1 2 4 5|1 4 3 8|1 9 2 4|1 9 2 4 10 11|0 3 3 4", "1 9 2 4 8 12|2 8 3 4 5 6 9 10|1 2"},
		{"ring", `static int ring[3], first, count;
static void put(int x)
{
    if (count == 3) {
        first = (first + 1) % 3;
        count--;
    }
    ring[(first + count) % 3] = x;
    count++;
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        put(atoi(argv[i]));
    for (int i = 0; i < count; i++)
        printf("%d ", ring[(first + i) % 3]);
    printf("\n");
    return 0;
}
`, "ring[(first + count) % 3]", "ring[count % 3]", "1 2|4 5 6|1 2 3 4|9 8 7 6 5", "1 2 3 4 5 6|7 7 8 8 9 9 1"},
		{"a free list in a table", `struct slot { int value, next; };
static struct slot pool[4] = {{0, 3}, {0, -1}, {0, 0}, {0, 1}};
static int unused = 2, used = -1;
static void take(int value)
{
    int at = unused;
    if (at < 0 || at > 3)
        return;
    unused = pool[at].next;
    pool[at].value = value;
    pool[at].next = used;
    used = at;
}
static void drop(void)
{
    int at = used;
    used = pool[at].next;
    pool[at].next = unused;
    unused = at;
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (atoi(argv[i]) > 0)
            take(atoi(argv[i]));
        else if (used >= 0)
            drop();
    }
    for (int at = used; at >= 0; at = pool[at].next)
        printf("%d ", pool[at].value);
    printf("\n");
    return 0;
}
`, "    unused = pool[at].next;", "    unused = at + 1;", "1 2|1 2 0 3|1 2 3 4 0 0 5 6|1 2 3 0 0 4 5|7", "1 2 3 4 5|1 2 0 0 3 4 5|9 0 8 0 7 6"},
		{"sign of a remainder", `int main(int argc, char **argv)
{
    if (argc > 2) {
        long n = atol(argv[1]), d = atol(argv[2]);
        long w = n / d, r = labs(n % d);
        printf("%ld %ld/%ld\n", w, r, d);
    }
    return 0;
}
`, "labs(n % d)", "n % d", "7 2|-7 2|6 3|-6 4|1 5", "-19 4|23 7|-22 7"},
	})
}
