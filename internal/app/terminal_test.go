package app

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestProse: the sentences of an answer are broken between words, and nothing else in it is.
func TestProse(t *testing.T) {
	const answer = `1 of 1 case fails; on 1: it prints "3. kim 7" instead of "3. ann 5", which is long
--- a/scores.c
+++ b/scores.c
@@ -17,8 +17,8 @@
     while (p->next != NULL && p->next->points > s->points)
+    printf("a line of a diff that is longer than the terminal is wide\n");
place                        statement                     spectrum     edits
scores.c:15                  fclose(in);                        8.0       1.0
{"result": "a line of JSON that is longer than the terminal is wide, too"}
`
	if got := prose(answer, 0); got != answer {
		t.Errorf("elsewhere than on a terminal it is another:\n%s", got)
	}
	got := prose(answer, 40)
	want := "1 of 1 case fails; on 1: it prints \"3.\n  kim 7\" instead of \"3. ann 5\", which is\n  long\n" + answer[strings.Index(answer, "---"):]
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestProgressFits: the progress line, which is overwritten, fits into one row. A terminal that cannot overwrite gets
// each text once, without escapes.
func TestProgressFits(t *testing.T) {
	const text = "trying a repair that meets the specification on other inputs"
	var b strings.Builder
	p := &progressLine{w: &b, width: func() int { return 40 }}
	p.show(text)
	p.show(text + " again")
	p.show("")
	for _, line := range strings.Split(b.String(), "\r\x1b[K") {
		if n := utf8.RuneCountInString(line); n >= 40 || n > 0 && !strings.HasSuffix(line, " ...") {
			t.Errorf("%d columns of 40: %q", n, line)
		}
	}
	b.Reset()
	p = &progressLine{w: &b, width: func() int { return 40 }, dumb: true}
	p.show(text)
	p.show(text)
	p.show("")
	if b.String() != text+" ..., ^C stops\n" {
		t.Errorf("on a dumb terminal: %q", b.String())
	}
}
