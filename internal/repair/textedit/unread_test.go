package textedit_test

import "testing"

// TestUnread: a sign that was read and is not used.
func TestUnread(t *testing.T) {
	repairs(t, []mistake{
		{"sign", `static int number(const char *s)
{
    int n = 0, sign = 1;
    if (*s == '-') {
        sign = -1;
        s++;
    }
    while (*s >= '0' && *s <= '9')
        n = 10 * n + *s++ - '0';
    return sign * n;
}
int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = 1; i < argc; i++)
        sum += number(argv[i]);
    printf("%d\n", sum);
    return 0;
}
`, "return sign * n", "return n", "1|-5|3 -2|-10 -20", "7 -8|-1 1"},
	})
}
