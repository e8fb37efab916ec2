package textedit

import (
	"strings"
	"testing"

	"gulo/internal/source"
)

// TestKeptTogether writes values in the places of others; the place stands between brackets.
func TestKeptTogether(t *testing.T) {
	for _, tt := range []struct{ text, put, want string }{
		{"x = ⟨i⟩ < 4;", "i & 30", "x = (i & 30) < 4;"},
		{"x = ⟨i⟩ < 4;", "i + 1", "x = i + 1 < 4;"},
		{"x = a - ⟨b⟩;", "b - 1", "x = a - (b - 1);"},
		{"x = a + ⟨b⟩;", "b - 1", "x = a + b - 1;"},
		{"x = a * ⟨b⟩;", "b / 2", "x = a * (b / 2);"},
		{"x = -⟨1⟩;", "-1", "x = -(-1);"},
		{"x = a - ⟨1⟩;", "-1", "x = a - (-1);"},
		{"x = !⟨p⟩;", "p == q", "x = !(p == q);"},
		{"x = (int)⟨p⟩;", "p + q", "x = (int)(p + q);"},
		{"x = ⟨p⟩->next;", "*q", "x = (*q)->next;"},
		{"x = ⟨p⟩->next;", "q->last", "x = q->last->next;"},
		{"x = f(⟨a⟩, b);", "a > b ? a : b", "x = f(a > b ? a : b, b);"},
		{"x = ⟨a⟩;", "c ? a : b", "x = c ? a : b;"},
		{"x = c ? ⟨a⟩ : b;", "a || b", "x = c ? a || b : b;"},
		{"x = a && ⟨b⟩;", "b || c", "x = a && (b || c);"},
		{"x = a || ⟨b⟩;", "b && c", "x = a || b && c;"},
		{"x = ⟨a⟩[i];", "b + 1", "x = (b + 1)[i];"},
		{"return ⟨a⟩;", "a << 1 | b", "return a << 1 | b;"},
		{"for (i = 0; ⟨i⟩ >> 1 < n; i++)", "i - 1", "for (i = 0; i - 1 >> 1 < n; i++)"},
	} {
		lo := strings.Index(tt.text, "⟨")
		before, rest, _ := strings.Cut(tt.text, "⟨")
		old, after, _ := strings.Cut(rest, "⟩")
		f := source.NewFile("p.c", []byte(before+old+after))
		e := &Edit{Changes: []Change{{f, lo, lo + len(old), tt.put}}}
		e.keptTogether(lo, lo+len(old))
		if got := before + e.Changes[0].Text + after; got != tt.want {
			t.Errorf("%s, %s: %s, not %s", tt.text, tt.put, got, tt.want)
		}
	}
}

// TestAnded writes conditions beside others.
func TestAnded(t *testing.T) {
	for c, want := range map[string]string{"a || b": "(a || b)", "a && b": "a && b", "(a || b)": "(a || b)", "f(a || b)": "f(a || b)", "a ? b : c": "(a ? b : c)"} {
		if got := anded(c); got != want {
			t.Errorf("%s: %s, not %s", c, got, want)
		}
	}
}

// TestBeforeElse: an if before an else that is another's stands in braces.
func TestBeforeElse(t *testing.T) {
	const text = "if (a)\n    x = 1; /* one */\nelse\n    x = 2;\n"
	f := source.NewFile("p.c", []byte(text))
	at := strings.Index(text, "x = 1;")
	e := &Edit{Changes: []Change{{f, at, at + 6, "if (b) x = 1;"}}}
	e.beforeElse()
	if got := e.Changes[0].Text; got != "{ if (b) x = 1; }" {
		t.Errorf("%s", got)
	}
	at = strings.Index(text, "x = 2;")
	e = &Edit{Changes: []Change{{f, at, at + 6, "if (b) x = 2;"}}}
	e.beforeElse()
	if got := e.Changes[0].Text; got != "if (b) x = 2;" {
		t.Errorf("%s", got)
	}
}
