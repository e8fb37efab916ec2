package mine

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestCanonical gives bodies their braces and leaves everything else.
func TestCanonical(t *testing.T) {
	for in, want := range map[string]string{
		"int f(void) { if (a) b(); else if (c) { d(); } }":                                   "int f ( void ) { if ( a ) { b ( ) ; } else { if ( c ) { d ( ) ; } } }",
		"int f(void) { for (;;) while (x) y++; do z(); while (q); }":                         "int f ( void ) { for ( ; ; ) { while ( x ) { y ++ ; } } do { z ( ) ; } while ( q ) ; }",
		"int a[] = {1, 2}; struct s { int x; }; int g(int a) { ; } //":                       "int a [ ] = { 1 , 2 } ; struct s { int x ; } ; int g ( int a ) { ; }",
		"int f(int a) { switch (a) { case 1: b = \"x;\"; break; default: return 1.5e-3; } }": "int f ( int a ) { switch ( a ) { case 1 : b = \"x;\" ; break ; default : return 1.5e-3 ; } }",
		"int f(void) { if (a /* ; */":                                                        "int f ( void ) { if ( a {",
	} {
		if got := strings.Join(texts(canonical(in)), " "); got != want && !strings.HasPrefix(got, want) {
			t.Errorf("%s\ngives %s\n want %s", in, got, want)
		}
	}
}

// TestParens takes away parentheses that change nothing, and no others.
func TestParens(t *testing.T) {
	for in, want := range map[string]string{
		"int f(void) { return (a); }":                             "int f ( void ) { return a ; }",
		"x = ((k - 1)) * 2; y = (int)((x)) + (y = z);":            "x = ( k - 1 ) * 2 ; y = ( int ) x + ( y = z ) ;",
		"f((a), (b, c), (*p)++, (*p).x, *(p), -(-x));":            "f ( a , ( b , c ) , ( * p ) ++ , ( * p ) . x , * p , - - x ) ;",
		"q = (int)-(x) - (char *)(p + 1) - sizeof(int) * (n);":    "q = ( int ) - x - ( char * ) ( p + 1 ) - sizeof ( int ) * n ;",
		"q = (T)x - (T)(x) - (T)(x + y);":                         "q = ( T ) x - ( T ) x - ( T ) ( x + y ) ;",
		"if ((a) && (b || c)) (x) = ((c) ? (d) : (e = f));":       "if ( a && ( b || c ) ) x = c ? d : ( e = f ) ;",
		"while ((c = getchar()) != (EOF)) a[(i)] = (i++);":        "while ( ( c = getchar ( ) ) != EOF ) a [ i ] = i ++ ;",
		"#define SQ(x) ((x) * \\\n (x))\nint (*f)(int), y = (1);": "# define SQ ( x ) ( ( x ) * ( x ) ) int ( * f ) ( int ) , y = 1 ;",
		`printf(("%d\n"), (a));`:                                  `printf ( "%d\n" , a ) ;`,
	} {
		if got := strings.Join(texts(plain(in)), " "); got != want {
			t.Errorf("%s\ngives %s\n want %s", in, got, want)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 2_000 {
		few, many := anyExpression(r, 5)
		if got := texts(plain("x = " + many.text + ";")); strings.Join(got, "") != "x="+few.text+";" {
			t.Fatalf("%s gives\n%s, want\n%s", many.text, strings.Join(got, ""), few.text)
		}
	}
}

func plain(text string) []token {
	var g grouper
	g.read(text)
	return g.plain()
}

// written is an expression and how tightly it binds.
type written struct {
	text  string
	tight int
}

// anyExpression makes one with as few parentheses as it needs, and with many. Signs that would run together are not made.
func anyExpression(r *rand.Rand, depth int) (few, many written) {
	in := func(w written, least int) string {
		if w.tight < least {
			return "(" + w.text + ")"
		}
		return w.text
	}
	full := func(w written) string { return "((" + w.text + "))" }
	if depth == 0 || r.IntN(6) == 0 {
		few = written{[]string{"a", "b", "7", "f(c,d)", "e[i]"}[r.IntN(5)], primary}
		return few, few
	}
	a, wa := anyExpression(r, depth-1)
	b, wb := anyExpression(r, depth-1)
	switch r.IntN(6) {
	case 0:
		return written{"!" + in(a, unary), unary}, written{"!" + full(wa), unary}
	case 1:
		return written{in(a, postfix) + "[" + b.text + "]", postfix}, written{full(wa) + "[" + full(wb) + "]", postfix}
	case 2:
		c, wc := anyExpression(r, depth-1)
		return written{in(a, chosen+1) + "?" + b.text + ":" + in(c, chosen), chosen}, written{full(wa) + "?" + full(wb) + ":" + full(wc), chosen}
	}
	op := []string{"+", "-", "*", "/", "%", "<", ">=", "==", "&&", "||", "|", "^", "<<"}[r.IntN(13)]
	q := binary[op]
	return written{in(a, q) + op + in(b, q+1), q}, written{full(wa) + op + full(wb), q}
}

// TestAlign finds the places of a correction, and putting all of them in gives the right program.
func TestAlign(t *testing.T) {
	for _, x := range []struct {
		wrong, right string
		want         int
	}{
		{"a = b < c; d = e; f = g;", "a = b <= c; d = e; f = h;", 2},
		{"a = b + c;", "a = d + e;", 1},
		{"a ( b ) ; c ; d ; e ; f ;", "c ; d ; e ; a ( b ) ; f ;", 2},
		{"x;", "x;", 0},
	} {
		a, b := scan(nil, x.wrong), scan(nil, x.right)
		places, ok := align(a, b)
		if !ok || len(places) != x.want || !slices.Equal(texts(with(a, places)), texts(b)) {
			t.Errorf("%s to %s: %v", x.wrong, x.right, places)
		}
	}
}

// TestShape names changes.
func TestShape(t *testing.T) {
	for _, x := range [][3]string{
		{"<", "<=", "another operator"},
		{"i", "j", "another name"},
		{"0", "n", "name for number"},
		{"int", "long", "another keyword or type"},
		{"", "&& a > 0", "insert a conjunct"},
		{"", "+ 1", "insert an operator with its operand"},
		{"printf ( x ) ;", "", "delete output"},
		{"", "if ( a ) { return 1 ; }", "insert if with its body"},
		{"", "s = 0 ;", "insert an assignment"},
		{"a + b", "f ( c )", "an expression rewritten"},
	} {
		if got := change(strings.Fields(x[0]), strings.Fields(x[1])); got != x[2] {
			t.Errorf("%q to %q: %s, want %s", x[0], x[1], got, x[2])
		}
	}
	wrong := scan(nil, "int i = 5; i = n;")
	for new, want := range map[string]string{"n + 6": known, "7": newNumber, `"x"`: newText, `m + "x"`: newWord} {
		if got := novelty(wrong, scan(nil, new)); got != want {
			t.Errorf("%s: %s, want %s", new, got, want)
		}
	}
}

// tokenRE is what a token or a comment is, as an expression: the judge of scan.
var tokenRE = regexp.MustCompile(`//[^\n]*|(?s:/\*.*?\*/)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*|<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|[<>=!]=|&&|\|\||[-+*/%&|^]=|##|[^\s\\]`)

// TestScan takes texts apart as the expression does.
func TestScan(t *testing.T) {
	parts := strings.Split(`a e p _x1 E 0 9 1e 0x . + - * / % & | ^ = < > ! # \ " ' // /* */ ( ; { \n @ ü`, " ")
	parts = append(parts, " ", "\n", "\v", "\xff", "\x00", "1.5e-3", `"a\"b"`, `'\''`)
	r := rand.New(rand.NewPCG(1, 2))
	for range 3_000 {
		var b strings.Builder
		for range 1 + r.IntN(12) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		text := b.String()
		var want []token
		for _, x := range tokenRE.FindAllStringIndex(text, -1) {
			if s := text[x[0]:x[1]]; !strings.HasPrefix(s, "//") && !strings.HasPrefix(s, "/*") {
				want = append(want, token{s, x[0], x[1]})
			}
		}
		if got := scan(nil, text); !slices.Equal(got, want) {
			t.Fatalf("%q\n%q\nwant %q", text, texts(got), texts(want))
		}
	}
}

// TestGoOn interrupts a run: what was done is counted, and a run after it counts the rest.
func TestGoOn(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		for file, text := range map[string]string{"wrong.c": "int f(int x) { return x < 1; }\n", "right.c": "int f(int x) { return x <= 1; }\n"} {
			path := filepath.Join(dir, name, file)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
	print := func(m *Mined) string {
		var b strings.Builder
		m.Print(&b)
		return b.String()
	}
	ctx, stop := context.WithCancel(t.Context())
	var records []Record
	keep := func(r *Record) error {
		text, err := json.Marshal(r)
		if err != nil {
			return err
		}
		records = append(records, Record{})
		stop()
		return json.Unmarshal(text, &records[len(records)-1])
	}
	m, err := Run(ctx, &Options{Dir: dir, Found: keep})
	if !errors.Is(err, context.Canceled) || m == nil || m.Done == 0 || m.Done > 2 || m.Done != len(records) {
		t.Fatal(m, err)
	}
	if out := print(m); !strings.Contains(out, "not looked at yet") || !strings.Contains(out, "values: another comparison") {
		t.Error(out)
	}
	done := len(records)
	m, err = Run(t.Context(), &Options{Dir: dir, Known: records, Found: keep})
	if err != nil || m.Done != 3 || len(records) != 3 || done == 3 {
		t.Fatal(m, err)
	}
	all, err := Run(t.Context(), &Options{Dir: dir})
	if err != nil || print(m) != print(all) {
		t.Errorf("%v: in two parts\n%sat once\n%s", err, print(m), print(all))
	}
	full := errors.New("the disk is full")
	if _, err := Run(t.Context(), &Options{Dir: dir, Found: func(*Record) error { return full }}); !errors.Is(err, full) {
		t.Error(err)
	}
}

// TestRun mines a corpus: what is explained exactly, but for a name, by a move, and not at all.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	put := func(name, wrong, right string) {
		t.Helper()
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		head := "#include <stdio.h>\n"
		for file, text := range map[string]string{"wrong.c": head + wrong, "right.c": head + right} {
			if err := os.WriteFile(filepath.Join(dir, name, file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	loop := "int main(void)\n{\n    int n, s = 0;\n    scanf(\"%d\", &n);\n    for (int i = 0; i < n; i++)\n        s += i;\n    printf(\"%d\\n\", s);\n    return 0;\n}\n"
	put("bound", loop, strings.Replace(strings.Replace(loop, "i < n", "i <= n", 1), "        s += i;", "    { s += i; } /* all */", 1))
	put("text", loop, strings.Replace(loop, `"%d\n", s`, `"sum %d of all\n", s`, 1))
	put("moved", strings.Replace(loop, "int n, s = 0;\n", "int n, s;\n    s = 0;\n    s = 0;\n", 1), strings.Replace(loop, "int n, s = 0;\n    scanf(\"%d\", &n);\n", "int n, s;\n    s = 0;\n    scanf(\"%d\", &n);\n    s = 0;\n", 1))
	put("call", loop, strings.Replace(loop, "    return 0;", "    puts(\"done\");\n    fflush(stdout);\n    return 0;", 1))
	put("layout", loop, strings.ReplaceAll(loop, "    ", "\t"))
	put("broken", "int main(void) { return }\n", "int main(void) { return 0; }\n")
	m, err := Run(context.Background(), &Options{Dir: dir, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	if m.Pairs != 6 || m.Read != 4 || m.Left["only the layout changed"] != 1 || m.Left["wrong.c does not compile"] != 1 {
		t.Fatalf("%+v", m)
	}
	rules := map[string]*Rule{}
	for _, r := range m.Rules() {
		rules[r.Name] = r
	}
	if r := rules["values: another comparison"]; r == nil || r.Explained != 1 || r.Programs != 4 || r.Candidates < 8 || r.Today() != 2 && r.Today() != 3 {
		t.Errorf("another comparison: %+v", r)
	}
	if r := rules["two places: move"]; m.Whole.Have != 2 || r == nil && rules["two places: exchange two statements"].Explained != 1 {
		t.Errorf("%d whole, the move: %+v", m.Whole.Have, r)
	}
	if r := rules["literals: another text"]; m.Like.Have != 1 || r == nil || r.Like != 1 {
		t.Errorf("%d but for names and values, %+v", m.Like.Have, r)
	}
	if s := m.Shapes["insert output and more, in a block"]; s == nil || s.without() != 1 {
		t.Errorf("%v", m.Shapes)
	}
	var table, print strings.Builder
	if err := m.WriteTable(&table); err != nil || !strings.Contains(table.String(), "\nvalues: another comparison\t1\t0\t4\t") {
		t.Errorf("%v\n%s", err, table.String())
	}
	m.Print(&print)
	for _, want := range []string{"4 corrections read of 6 drawn", "1 of     1  insert output and more, in a block", "places that need words and numbers of the program"} {
		if !strings.Contains(print.String(), want) {
			t.Errorf("no %q in\n%s", want, print.String())
		}
	}
	if t.Failed() {
		t.Log(print.String())
	}
}

// TestCost is lower for what explains more of what it lists.
func TestCost(t *testing.T) {
	often, seldom, never := &Rule{Explained: 8, Candidates: 64}, &Rule{Explained: 1, Candidates: 64}, &Rule{Candidates: 64}
	if often.Cost() >= seldom.Cost() || seldom.Cost() >= never.Cost() || never.Cost() > 8 {
		t.Errorf("%.2f, %.2f, %.2f", often.Cost(), seldom.Cost(), never.Cost())
	}
}

// TestToday is the median.
func TestToday(t *testing.T) {
	for want, costs := range map[float64]map[int]int{0: {}, 3: {2: 1, 3: 3, 9: 2}, 2.5: {2: 2, 3: 1, 9: 1}} {
		r := &Rule{costs: costs}
		for _, n := range costs {
			r.Candidates += n
		}
		if got := r.Today(); got != want {
			t.Errorf("%v: %g, want %g", costs, got, want)
		}
	}
}

// BenchmarkCanonical takes a text apart, as is done for every edit that stands near a correction.
func BenchmarkCanonical(b *testing.B) {
	text := "#include <stdio.h>\n" + strings.Repeat("int f(int *a, int n)\n{\n    int s = 0; /* the sum */\n    for (int i = 0; i < n; i++) {\n        if ((a[i] > 0) && (i < n - 1))\n            s += (a[i] + 1) * 2;\n        else\n            printf(\"%d\\n\", s);\n    }\n    return s;\n}\n", 10)
	b.SetBytes(int64(len(text)))
	var c bracer
	for b.Loop() {
		c.canonical(text)
	}
}
