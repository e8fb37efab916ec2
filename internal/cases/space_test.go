package cases

import (
	"testing"

	"gulo/internal/oracle"
)

// TestJudgedBy: white space does not count where it is the tests that are written otherwise, and counts where
// the program is wrong in it alone.
func TestJudgedBy(t *testing.T) {
	for name, x := range map[string]struct {
		want, got []string
		judged    bool
		right     bool // judged if the program is said to be right
	}{
		"no last newline in the tests":                {[]string{"1", "2", "3"}, []string{"1\n", "7\n", "3\n"}, true, true},
		"all differ in nothing else":                  {[]string{"1", "2"}, []string{"1\n", "2\n"}, true, true},
		"CRLF":                                        {[]string{"1\r\n2\r\n", "5\r\n"}, []string{"1\n3\n", "5\n"}, true, true},
		"blanks, and one test without lists":          {[]string{"1 2\n", "3 4\n", "none\n"}, []string{"1 2 \n", "3 5 \n", "none\n"}, true, true},
		"one line without its newline":                {[]string{"yes\n", "no\n", "yes\n"}, []string{"yes\n", "no", "yes\n"}, false, true},
		"a newline is missing, another test is wrong": {[]string{"yes\n", "no\n", "3\n"}, []string{"yes\n", "no", "4\n"}, false, false},
		"nothing of the kind":                         {[]string{"1\n", "2\n"}, []string{"1\n", "3\n"}, false, false},
		"all met":                                     {[]string{"1\n", "2\n"}, []string{"1\n", "2\n"}, false, false},
		"it prints nothing":                           {[]string{"1", "2"}, []string{"", ""}, false, false},
		"it prints nothing on one":                    {[]string{"1", "2"}, []string{"", "3\n"}, true, true},
	} {
		var tests []oracle.Test
		var printed []Printed
		for i := range x.want {
			tests, printed = append(tests, oracle.Test{Stdout: x.want[i]}), append(printed, Printed{x.got[i], true, 0})
		}
		if got := JudgedBy(tests, printed, false); got != x.judged {
			t.Errorf("%s: %v", name, got)
		}
		if got := JudgedBy(tests, printed, true); got != x.right {
			t.Errorf("%s, of a right program: %v", name, got)
		}
	}
}
