package gdb

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseRecord(t *testing.T) {
	r, ok := parseRecord(`12^done,bkpt={number="1",type="breakpoint",thread-groups=["i1"],times="0"},stack=[frame={level="0",addr="0x1"},frame={level="1"}]`)
	if !ok || r.token != 12 || r.class != "done" || r.tuple("bkpt")["number"] != "1" {
		t.Fatalf("%+v %v", r, ok)
	}
	if l, _ := r.data["stack"].([]any); len(l) != 2 {
		t.Errorf("stack: %v", r.data["stack"])
	}
	r, ok = parseRecord(`*stopped,reason="signal-received",signal-name="SIGSEGV"`)
	if !ok || r.kind != '*' || r.str("signal-name") != "SIGSEGV" {
		t.Errorf("%+v %v", r, ok)
	}
	for _, bad := range []string{"", "(gdb)", "hello", "^", `^done,x=`, `^done,x="a`, `~"open`, `^done,x={a="1"`, "99999999999999999999999^done"} {
		if r, ok := parseRecord(bad); ok {
			t.Errorf("%q parsed as %+v", bad, r)
		}
	}
}

// FuzzRecord: no line breaks the parser, and a string survives the way gdb
// writes it.
func FuzzRecord(f *testing.F) {
	for _, s := range []string{`^done,a="b"`, `*stopped,frame={addr="0x1",args=[{name="x"}]}`, "~\"a\\tb\\n\"", "=x,[[[[", `^done,{a="1"}`, "\\303\\251"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		parseRecord(s)
		var q strings.Builder
		for i := 0; i < len(s); i++ {
			switch c := s[i]; {
			case c == '"' || c == '\\':
				q.WriteString(`\` + string(rune(c)))
			case c < 32 || c > 126:
				fmt.Fprintf(&q, `\%03o`, c)
			default:
				q.WriteByte(c)
			}
		}
		if r, ok := parseRecord(`~"` + q.String() + `"`); !ok || r.text != s {
			t.Errorf("%q came back as %q (%v)", s, r.text, ok)
		}
	})
}
