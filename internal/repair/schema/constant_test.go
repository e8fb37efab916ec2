package schema

import (
	"context"
	"strings"
	"testing"
	"time"

	"gulo/internal/native"
	"gulo/internal/native/nativetest"
	"gulo/internal/repair/textedit"
)

// TestConstantDonors: what may not be written through is offered where a pointer is read, and
// not where it leads to what is assigned to; gcc refuses no place.
func TestConstantDonors(t *testing.T) {
	p, _ := nativetest.Load(t, `int puts(const char *);
struct cell { int x; const struct cell *from; struct cell *to; };
static void twist(char *s, const char *key, const struct cell *c, struct cell *d)
{
    *s = s[0] + key[1];
    d->x = c->x;
}
int main(void)
{
    char text[] = "abc";
    struct cell a = { 1, 0, 0 };
    twist(text, "key", &a, &a);
    return puts(text);
}
`)
	s := &Search{p: &Problem{Tree: p, Funcs: p.Funcs}, until: time.Now().Add(time.Minute), res: &Result{}}
	s.sp = textedit.New(textedit.Config{Tree: p})
	s.sp.Function(p.Func("twist"))
	number(s.sp.Sites)
	texts, _, _ := schemata(p, s.sp.Sites, true)
	if prog, err := native.Build(context.Background(), texts, native.Config{}); err == nil {
		prog.Close()
	} else if strings.Contains(err.Error(), "read-only") {
		t.Error(err)
	}
	reads := false
	for _, st := range s.sp.Sites {
		for _, e := range st.Edits {
			reads = reads || st.Kind == textedit.Value && e.Alt == "key" && strings.Contains(string(st.File.Text[st.Start:st.End+3]), "s[0]")
		}
	}
	if !reads {
		t.Error("key does not stand for s where it is read")
	}
}
