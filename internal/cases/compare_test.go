package cases

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
)

func TestUncommented(t *testing.T) {
	const in = "a /* b \" */ \"/* c */\" '\"' // d\ne \"\\\"//\" /* f"
	if got, want := uncommented(in), "a   \"/* c */\" '\"' \ne \"\\\"//\"  "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestBare(t *testing.T) {
	for in, want := range map[string]string{
		"int  f(void)\n{\n\tputs(\"a  b\"); // c\n}\n":           "int f(void) { puts(\"a  b\"); }",
		"x;\n#define A \\\n   1 /* one */\nint y;  # z\n#if A\n": "x;\n#define A 1\nint y; # z\n#if A\n",
		"' ' \"\\\"  \"": "' ' \"\\\"  \"",
		"":               "",
	} {
		if got := Bare(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestAlike: a function is the reference's where it, all that it comes to and what stands around it are.
func TestAlike(t *testing.T) {
	const right = `#include <stdio.h>
#define BONUS 5
int rate = 3;
static int twice(int a) { return 2 * a; }
int half(int a) { return a / 2; }
int price(int a) { return twice(a) * rate + BONUS; }
void show(int a) { printf("%d  ", a); /* all */ }
int by(int (*f)(int), int a) { return f(a); }
int main(void) { show(by(half, price(1))); return 0; }
`
	dir := t.TempDir()
	load := func(text string) *cfront.Program {
		file := filepath.Join(dir, "p.c")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := cfront.Load(context.Background(), []string{file}, cfront.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	ref := load(right)
	for _, x := range []struct{ old, now, alike string }{
		{"a", "a", "half price show by"},
		{"/* all */", "", "half price show by"},
		{"\nvoid show", "\n\nvoid  show", "half price show by"},
		{"int main(void) { show", "int main(void) { puts(\"\"); show", "half price show by"},
		{"%d  ", "%d ", "half price"}, // by may come to show, as far as anybody knows
		{"2 * a", "3 * a", "half show"},
		{"a / 2", "a / 3", "price show"},
		{"BONUS 5", "BONUS 6", ""},
		{"rate = 3", "rate = 4", ""},
		{"int half", "int more(int a) { return a; }\nint half", "half price show"},
	} {
		own := load(strings.Replace(right, x.old, x.now, 1))
		var alike []string
		for _, name := range strings.Fields("half price show by none") {
			if Alike(own, ref, name) {
				alike = append(alike, name)
			}
		}
		if got := strings.Join(alike, " "); got != x.alike {
			t.Errorf("%s: %q, want %q", x.now, got, x.alike)
		}
	}
	where := load(strings.Replace(right, "a / 2", "__LINE__", 1))
	if Alike(where, where, "half") || !Alike(where, where, "show") {
		t.Error("what says where it stands may differ, and nothing else does")
	}
}
