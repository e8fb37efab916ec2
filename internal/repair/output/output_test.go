package output

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// play makes a run of calls: each is a site, the literal that it uses and what it prints.
type step struct {
	site, literal int
	out           string
}

func play(want string, steps ...step) Run {
	r := Run{Want: want}
	for _, s := range steps {
		r.Notes = append(r.Notes, Note{s.site, false, len(r.Out)}, Note{s.literal, true, len(r.Out)})
		r.Out += s.out
	}
	return r
}

func has(t *testing.T, g *Guesses, texts map[int]string) {
	t.Helper()
	for _, x := range g.Literals {
		if fmt.Sprint(x.Texts) == fmt.Sprint(texts) {
			return
		}
	}
	t.Errorf("no guess %v among %d", texts, len(g.Literals))
	for _, x := range g.Literals[:min(8, len(g.Literals))] {
		t.Logf("%d %#v", x.Cost, x.Texts)
	}
}

func TestLiterals(t *testing.T) {
	one := func(kind Kind, text string, runs ...Run) *Guesses {
		p := &Program{Sites: map[int]Site{1: {Kind: kind, Own: []int{1}}}, Literals: map[int]Literal{1: {Text: text}}}
		return p.Guess(runs)
	}
	has(t, one(Format, "%d", play("3\n", step{1, 1, "3"})), map[int]string{1: "%d\n"})
	has(t, one(Format, "The greatest: %d", play("12\n", step{1, 1, "The greatest: 12"})), map[int]string{1: "%d\n"})
	has(t, one(Format, "%d:%d", play("03:20", step{1, 1, "3:20"}), play("12:05", step{1, 1, "12:5"})), map[int]string{1: "%02d:%02d"})
	// A zero beside a digit is a part of the number, wherever it is seen beside most of them.
	var times []Run
	for _, n := range []int{60, 120, 3600, 4000, 2, 5, 6, 8, 1} {
		times = append(times, play(fmt.Sprintf("%02d:%02d:%02d\n", n/3600, n/60%60, n%60), step{1, 1, fmt.Sprintf("%d:%d:%d\n", n/3600, n/60%60, n%60)}))
	}
	has(t, one(Format, "%d:%d:%d\n", times...), map[int]string{1: "%02d:%02d:%02d\n"})
	has(t, one(Format, "%f", play("1.50\n", step{1, 1, "1.500000"})), map[int]string{1: "%.2f\n"})
	has(t, one(Format, "%d ", play("1\n2\n3\n", step{1, 1, "1 "}, step{1, 1, "2 "}, step{1, 1, "3 "})), map[int]string{1: "%d\n"})
	has(t, one(Format, "%d, %d\n", play("100% 7\n", step{1, 1, "100, 7\n"})), map[int]string{1: "%d%% %d\n"})
	// Values that are wrong do not hide the text that is.
	has(t, one(Format, "%d", play("17\n", step{1, 1, "21"}), play("3\n", step{1, 1, "5"})), map[int]string{1: "%d\n"})
	has(t, one(Plain, "no", play("no\n", step{1, 1, "no"})), map[int]string{1: "no\n"})
	has(t, one(Line, "No", play("no\n", step{1, 1, "No\n"})), map[int]string{1: "no"})
}

// TestTogether changes literals that no test shows together.
func TestTogether(t *testing.T) {
	p := &Program{Sites: map[int]Site{1: {Kind: Format, Own: []int{1}}, 2: {Kind: Format, Own: []int{2}}, 3: {Kind: Format, Own: []int{3}}},
		Literals: map[int]Literal{1: {Text: "? "}, 2: {Text: "yes"}, 3: {Text: "no"}}}
	g := p.Guess([]Run{play("yes\n", step{1, 1, "? "}, step{2, 2, "yes"}), play("no\n", step{1, 1, "? "}, step{3, 3, "no"})})
	has(t, g, map[int]string{1: "", 2: "yes\n", 3: "no\n"})
	if !g.Extra[1] {
		t.Error("what the prompt prints is not wanted, and that is not said")
	}
	// What no run uses changes as its neighbours do, and never into what they say.
	others := func(third string) *Guesses {
		p := &Program{Sites: map[int]Site{}, Literals: map[int]Literal{1: {Text: "%d is in the house."}, 2: {Text: "%d is under the house."}, 3: {Text: third}}}
		for i := range p.Literals {
			p.Sites[i] = Site{Kind: Format, Own: []int{i}}
		}
		return p.Guess([]Run{play("1 is in the House.", step{1, 1, "1 is in the house."}), play("2 is under the House.", step{2, 2, "2 is under the house."})})
	}
	has(t, others("%d is on the house."), map[int]string{1: "%d is in the House.", 2: "%d is under the House.", 3: "%d is on the House."})
	p = &Program{Sites: map[int]Site{1: {Kind: Format, Own: []int{1}}, 2: {Kind: Format, Own: []int{2}}}, Literals: map[int]Literal{1: {Text: "%d is odd."}, 2: {Text: "%d is even."}}}
	g = p.Guess([]Run{play("3 is odd\n", step{1, 1, "3 is odd."})})
	has(t, g, map[int]string{1: "%d is odd\n", 2: "%d is even\n"})
	for _, x := range g.Literals {
		if x.Texts[2] == "%d is odd\n" {
			t.Errorf("what is even would be called odd: %v", x.Texts)
		}
	}
	// A literal that %s prints.
	p = &Program{Sites: map[int]Site{1: {Kind: Format, Own: []int{1}}}, Literals: map[int]Literal{1: {Text: "%s"}, 2: {Text: "Yes"}}}
	r := Run{Want: "yes\n", Out: "Yes", Notes: []Note{{1, false, 0}, {1, true, 0}, {2, true, 0}}}
	has(t, p.Guess([]Run{r}), map[int]string{1: "%s\n", 2: "yes"})
}

func TestSeparator(t *testing.T) {
	p := &Program{Sites: map[int]Site{1: {Kind: Format, Own: []int{1}}, 2: {Kind: Char, Own: []int{2}}}, Literals: map[int]Literal{1: {Text: "%d "}, 2: {Text: "\n", Char: true}}}
	g := p.Guess([]Run{play("1 2 3\n4 5 6\n", step{1, 1, "1 "}, step{1, 1, "2 "}, step{1, 1, "3 "}, step{2, 2, "\n"}, step{1, 1, "4 "}, step{1, 1, "5 "}, step{1, 1, "6 "}, step{2, 2, "\n"})})
	want := Separator{Literal: 1, Site: 1, Last: true, Other: "%d ", Odd: "%d"}
	found := false
	for _, s := range g.Separators {
		found = found || s == want
	}
	if !found {
		t.Errorf("separators: %+v", g.Separators)
	}
	// A line break that nothing prints.
	p = &Program{Sites: map[int]Site{1: {Kind: Char, Own: nil}}, Literals: map[int]Literal{}}
	g = p.Guess([]Run{play("abc\n", step{1, 0, "a"}, step{1, 0, "b"}, step{1, 0, "c"})})
	if len(g.Inserted) != 1 || g.Inserted[0] != "\n" {
		t.Errorf("inserted: %q", g.Inserted)
	}
}

// TestApart compares the cost of what two texts do not begin and end with with that of the whole.
func TestApart(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		b := make([]byte, r.IntN(14))
		for i := range b {
			b[i] = "ab1 \n"[r.IntN(5)]
		}
		return string(b)
	}
	for range 3000 {
		x, y := text(), text()
		if got, want := apart(x, y), align(x, y, make([]bool, len(x)), false).cost; got != want {
			t.Fatalf("%q and %q: %d, not %d", x, y, got, want)
		}
	}
}

// TestBlanks solves for white space that literals share, where the majority of the uses of
// each alone says nothing.
func TestBlanks(t *testing.T) {
	// A row of a cross: signs, a star, signs; each row ends with what the fourth call prints.
	p := &Program{Sites: map[int]Site{}, Literals: map[int]Literal{1: {Text: "-"}, 2: {Text: "*"}, 3: {Text: "-"}, 4: {Text: "\n"}}}
	for i := range p.Literals {
		p.Sites[i] = Site{Kind: Format, Own: []int{i}}
	}
	row := func(n, at int) (out []step) {
		for range at {
			out = append(out, step{1, 1, "-"})
		}
		out = append(out, step{2, 2, "*"})
		for range n - at - 1 {
			out = append(out, step{3, 3, "-"})
		}
		return append(out, step{4, 4, "\n"})
	}
	r := play("* - -\n- * -\n- - *\n", slices.Concat(row(3, 0), row(3, 1), row(3, 2))...)
	has(t, p.Guess([]Run{r}), map[int]string{1: "- ", 3: " -"})
	// The same, with a line break at the end that nothing prints.
	last := slices.Concat(row(3, 0), row(3, 1), row(3, 2))
	r = play("* - -\n- * -\n- - *\n", last[:len(last)-1]...)
	has(t, p.Guess([]Run{r}), map[int]string{1: "- ", 3: " -"})
	// Nothing can be said where the equations contradict each other.
	s := &blanks{p: p, was: map[gap]string{}, now: map[gap]string{}, least: 1000}
	g := term{gap: gap{key: key{1, 0}}}
	s.was[g.gap] = ""
	s.eqs = []equation{{[]term{g}, " "}, {[]term{g, g}, " "}}
	if s.solve(); s.best != nil {
		t.Errorf("a solution %v of equations that contradict each other", s.best)
	}
}
