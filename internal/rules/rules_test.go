package rules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/source"
)

func parse(t testing.TB, name, text string) (*File, error) {
	t.Helper()
	f, err := Parse(source.NewFile(name, []byte(text)))
	if err == nil {
		err = Check(f)
	}
	return f, err
}

// TestLibrary reads the shipped files, and what is printed of them again.
func TestLibrary(t *testing.T) {
	files, _ := filepath.Glob("library/*.rules")
	if len(files) < 5 {
		t.Fatal(files)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parse(t, name, string(text))
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		once := Print(f)
		g, err := parse(t, "printed", once)
		if err != nil {
			t.Errorf("%s, printed: %v\n%s", name, err, once)
			continue
		}
		if twice := Print(g); twice != once {
			t.Errorf("%s is not printed the same twice:\n%s\n%s", name, once, twice)
		}
		if len(g.Rules) != len(f.Rules) || len(g.Defines) != len(f.Defines) {
			t.Errorf("%s: printing loses declarations", name)
		}
	}
}

// TestErrors holds what is wrong against what is said of it.
func TestErrors(t *testing.T) {
	const preds = "define Allocated(r) = exists event(_, malloc, _, bid) in Trace suchthat (bid == Bid(r))\ndefine Freed(r, r1) = exists event(_, free, r1, bid) in Trace suchthat (bid == Bid(r))\n"
	for _, tt := range []struct{ text, want string }{
		{"[x] detect <Trace; free r>: Alocated(r)", "r:1:29: error: unknown predicate Alocated"},
		{"[x] detect <Trace; free r>: q == NULL", "r:1:29: error: unknown name q"},
		{"[x] detect <Trace; free r>: Size(r) == r", "r:1:29: error: a number == a pointer makes no sense"},
		{"[x] detect <Trace; free r>: Bid(r) < Bid(r)", "r:1:29: error: a block < a block makes no sense"},
		{"[x] detect <Trace; free r>: Bid(3) == Bid(r)", "r:1:33: error: Bid takes a pointer, found a number"},
		{"[x] detect <Trace; free r>: Size(r)", "r:1:29: error: expected a condition, found a number"},
		{preds + "[x] detect <Trace; free r>: Freed(r, r1) || r == NULL: VPC(r1)", "r:3:60: error: r1 has no value when the condition holds"},
		{preds + "[x] detect <Trace; free r>: !Freed(r, r1): VPC(r1)", "r:3:48: error: r1 has no value when the condition holds"},
		{preds + "[x] detect <Trace; free r>: Freed(q, r)", "r:2:84: error: r has no value here\n  note: as Freed is used at r:3:29"},
		{preds + "[x] detect <free r>: Allocated(r)", "r:1:30: error: Trace is not among the parts of the state that [x] names"},
		{preds + "[x] detect <Trace; free r>: Freed(r)", "r:3:29: error: Freed takes 2 arguments, found 1"},
		{"define A(r) = A(r)", "r:1:15: error: A refers to itself, so its evaluation need not end"},
		{"define A(r) = B(r)\ndefine B(r) = A(r)", "r:2:15: error: A refers to itself"},
		{"[x] detect <Trace; free r>: exists n in Integers: n == r", "r:1:41: error: expected Trace, H, F, S, G or P, found \"Integers\": nothing else is bounded"},
		{"[x] detect <H; free r>: exists event(_, malloc, _, b) in H", "r:1:32: error: H holds no events; they are in Trace"},
		{"[x] detect <Trace; free r>: exists event(_, malloc, b) in Trace", "r:1:45: error: malloc takes 2 arguments after the time, found 1"},
		{"[x] detect <Trace; free r>: exists event(_, alloc, _, b) in Trace", "r:1:45: error: expected malloc, free, write, call, ret or if, found \"alloc\""},
		{"[x] detect <Trace; frees r>: r == NULL", "r:1:20: error: expected deref, deref_r, deref_w, free, call or ret, found \"frees\""},
		{"[x] detect <Trace; free r>: r == NULL: VPC(n)", "r:1:44: error: n has no value when the condition holds"},
		{"[x] detect <Trace; call f v>: v == 1: VPC(v)", "r:1:43: error: v is a number, and only a pointer has a value propagation chain"},
		{"[x] detect <Trace; free r>: _ == r", "r:1:29: error: _ stands for anything and has no value"},
		{"[x] detect <Trace; free r>: r == NULL @", "r:1:39: error: unexpected \"@\""},
		{"[x] detect <Trace; free r>:", "r:1:28: error: expected a condition or a term, found the end of the file"},
		{"define Bid(r) = r == NULL", "r:1:1: error: Bid is built in"},
		{"define A(r) = r == NULL\ndefine A(r) = r == NULL", "r:2:1: error: A is defined twice, first at r:1:1"},
		{"[] detect <Trace; free r>: r == NULL", "r:1:2: error: expected the rule's name"},
		{"rule x", "r:1:1: error: expected \"define\" or \"[\", found \"rule\""},
		{"[x] detect <H; ret main v>: dom(main) != {}", "r:1:29: error: dom takes H, F, S or G"},
		{"[x] detect <Trace; free r>: " + strings.Repeat("!", 500) + "A(r)", "nested too deeply"},
	} {
		_, err := parse(t, "r", tt.text)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s\nwant %s\ngot  %v", tt.text, tt.want, err)
		}
	}
}

// FuzzParse checks that no input breaks the parser, the checker or the printer,
// and that what is printed is read back the same.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("library/*.rules")
	for _, name := range files {
		text, _ := os.ReadFile(name)
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		x, err := Parse(source.NewFile("f", []byte(text)))
		if err != nil {
			return
		}
		first := Check(x)
		once := Print(x)
		y, err := Parse(source.NewFile("f", []byte(once)))
		if err != nil {
			t.Fatalf("%v\n%s", err, once)
		}
		if (Check(y) == nil) != (first == nil) {
			t.Fatalf("printing changes what is wrong: %v\n%s", first, once)
		}
		if twice := Print(y); twice != once {
			t.Fatalf("%s\n%s", once, twice)
		}
	})
}
