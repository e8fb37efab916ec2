package textedit_test

import "testing"

// TestValued: a name between the quotes is printed, not the value; and so is a number where a value is meant.
func TestValued(t *testing.T) {
	const box = `int main(int argc, char **argv)
{
    int side = atoi(argv[1]), tall = atoi(argv[2]);
    if (tall == 1)
        printf("%d\n", side);
    else
        printf("%d by %d\n", side, tall);
    return 0;
}
`
	repairs(t, []mistake{
		{"a text is printed, not a value", box, `printf("%d\n", side)`, `printf("side\n")`, "3 1|4 1|2 5", "7 1|9 1|6 6"},
	})
}
