package textedit_test

import "testing"

// TestValueless: a function that ends without its value returns one, although gcc's registers would often hold the
// right one by luck.
func TestValueless(t *testing.T) {
	const search = `static int find(int v[], int n, int x)
{
    int low = 0, high = n - 1;
    while (low <= high) {
        int mid = (low + high) / 2;
        if (v[mid] == x)
            return mid;
        if (v[mid] < x)
            low = mid + 1;
        else
            high = mid - 1;
    }
    return -1;
}
int main(int argc, char **argv)
{
    int v[] = {2, 3, 5, 7};
    printf("%d\n", find(v, 4, atoi(argv[1])));
    return 0;
}
`
	const last = `struct run { int km; struct run *next; };
static struct run *last(struct run *r)
{
    if (r->next == NULL)
        return r;
    else
        return last(r->next);
}
int main(int argc, char **argv)
{
    struct run *all = NULL;
    for (int i = 1; i < argc; i++) {
        struct run *r = malloc(sizeof *r);
        r->km = atoi(argv[i]);
        r->next = NULL;
        if (all == NULL)
            all = r;
        else
            last(all)->next = r;
    }
    for (struct run *r = all; r; r = r->next)
        printf("%d\n", r->km);
    return 0;
}
`
	const greater = `static double greater(double a, double b)
{
    double g = a;
    if (b > a)
        g = b;
    return g;
}
int main(int argc, char **argv)
{
    printf("%.1f\n", greater(atof(argv[1]), atof(argv[2])));
    return 0;
}
`
	repairs(t, []mistake{
		{"nothing found", search, "    return -1;\n", "", "4|5|9|2", "1|3|6|7|8"},
		{"what the call gives", last, "return last(r->next)", "last(r->next)", "4 7 1 3|4|1 2", "1 2 3 4 5|2 1"},
		{"a variable", greater, "    return g;\n", "", "1 2|2 1|3.5 3", "1 1|7 9|9 7"},
	})
}
