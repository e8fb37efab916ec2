package report

import "testing"

func TestHint(t *testing.T) {
	for _, x := range []struct{ what, before, after, want string }{
		{"insert", "", "putchar('\\n');", "a call of putchar is missing"},
		{"insert", "", "printf(\"a = %d\\n\", a);", "a call of printf is missing"},
		{"insert", "", "i++;", "an update of i is missing"},
		{"insert", "", "--n;", "an update of n is missing"},
		{"insert", "", "p = p->next;", "an assignment to p is missing"},
		{"insert", "", "sum += a[i];", "an assignment to sum is missing"},
		{"insert", "", "a[i] = a[i + 1];", "an assignment to a[i] is missing"},
		{"insert", "", "if (n == 0) return 0;", "an if with return is missing"},
		{"insert", "", "if (x > most) most = x;", "an if statement is missing"},
		{"insert", "", "while (i < n) { i++; }", "a loop is missing"},
		{"insert", "", "break;", "a break is missing"},
		{"insert", "", "return;", "a return is missing"},
		{"insert", "", "x = 1; y = 2;", "a statement is missing"},
		{"delete", "printf(\"Numbers?\");", "", "a call of printf should not be here"},
		{"delete", "s[i] = '\\0';", "", "an assignment to s[i] should not be here"},
		{"delete", "{ a(); }", "", "a statement should not be here"},
		{"another variable", "i", "j", "another variable"},
		{"no newline at the end", "\"%d\"", "\"%d\\n\"", "no newline at the end"},
	} {
		if got := Hint(Changed{What: x.what, Before: x.before, After: x.after}); got != x.want {
			t.Errorf("%s %q %q: %q, want %q", x.what, x.before, x.after, got, x.want)
		}
	}
}
