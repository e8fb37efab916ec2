package cases

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const notes = `#include <stdio.h>
#include <string.h>
int main(void)
{
    char line[80], what[40], text[200] = "";
    unsigned at;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "put %u at%*c %39[^\n]", &at, what) == 2) {
            if (at > strlen(text)) printf("past the end by %u\n", at - (unsigned)strlen(text));
            else if (strlen(text) < 150) strcat(text, what);
        } else if (sscanf(line, "add %39s", what) == 1) {
            if (strlen(text) < 150) strcat(text, what);
        } else {
            puts(text);
        }
    }
    return 0;
}
`

// TestFormats makes lines as the program reads them, although no run in hand has one like that.
func TestFormats(t *testing.T) {
	p := load(t, notes)
	speaks := LanguageOf(p.Tree)
	if want := []string{"put %u at%*c %39[^\n]", "add %39s"}; !slices.Equal(speaks.Lines, want) || speaks.Text {
		t.Errorf("lines %q, text %v", speaks.Lines, speaks.Text)
	}
	ex, err := Explore(context.Background(), p, []Input{{Stdin: "add b\nshow\n"}}, Config{Want: 300, Steps: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(ex.Runs, func(r *Run) bool { return strings.Contains(r.Test.Stdout, "past the end") }) {
		t.Error("no run puts something past the end")
	}
}

// TestDigits makes long words of digits where they are characters to the program, and none
// where they are numbers.
func TestDigits(t *testing.T) {
	long := regexp.MustCompile(`\d{12}`)
	for _, c := range []struct {
		text string
		want bool
	}{
		{"#include <stdio.h>\nint main(void) { char a[99]; int n = 0; while (scanf(\"%98s\", a) == 1) for (int i = 0; a[i]; i++) n += a[i] - '0'; printf(\"%d %d\\n\", n, 20); return 0; }\n", true},
		{"#include <stdio.h>\nint main(void) { int a, n = 0; while (scanf(\"%d\", &a) == 1) n += a % 20; printf(\"%d\\n\", n); return 0; }\n", false},
	} {
		list := More(1, []Input{{Stdin: "999 1\n"}}, LanguageOf(load(t, c.text).Tree), 2000)
		if got := slices.ContainsFunc(list, func(in Input) bool { return long.MatchString(in.Stdin) }); got != c.want {
			t.Errorf("long words of digits: %v, want %v", got, c.want)
		}
	}
}
