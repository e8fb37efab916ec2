package share

import (
	"strings"
	"testing"
)

// TestWrite: what comes from a program is text in the file and nothing else, the style and the script that the policy
// allows are those that the file has, and without script the source and every state are there.
func TestWrite(t *testing.T) {
	const evil = `</script><script>alert(1)</script><img src=x onerror="alert(1)">`
	s := &Session{
		Program: evil,
		Files:   []File{{Name: "a.c" + evil, Lines: []string{"int main(void)", "{ puts(\"" + evil + "\"); }"}}},
		Moments: []Moment{
			{Number: 1, Command: "start " + evil, Says: "main, line 2", File: 0, Line: 2},
			{Number: 2, Command: "continue", Says: evil, Kind: "asserted", File: -1},
		},
		Diff: "-" + evil, Output: evil, Left: 3,
	}
	var b strings.Builder
	if err := Write(&b, s); err != nil {
		t.Fatal(err)
	}
	out := b.String()
	for _, x := range []string{"<img", "<script>alert", `onerror="`} {
		if strings.Contains(out, x) {
			t.Errorf("%q is a part of the file", x)
		}
	}
	between := func(from, to string) string {
		_, rest, _ := strings.Cut(out, from)
		text, _, ok := strings.Cut(rest, to)
		if !ok {
			t.Fatalf("there is no %s in the file", from)
		}
		return text
	}
	policy := strings.ReplaceAll(between(`http-equiv="Content-Security-Policy" content="`, `"`), "&#39;", "'")
	policy = strings.ReplaceAll(policy, "&#43;", "+")
	for _, x := range []string{hash(between("<style>", "</style>")), hash(between("<script>", "</script>"))} {
		if !strings.Contains(policy, x) {
			t.Errorf("the policy %s does not allow %s", policy, x)
		}
	}
	for _, x := range []string{"int main(void)", "start &lt;/script&gt;", "main, line 2", "continue"} {
		if !strings.Contains(out, x) {
			t.Errorf("%q is missing", x)
		}
	}
}
