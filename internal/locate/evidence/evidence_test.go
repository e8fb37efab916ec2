package evidence

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/contract"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/oracle"
)

// program loads C text with a contract in a comment above a function.
func program(t *testing.T, text, entry string) (*lower.Program, *contract.Contract) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	tree, err := cfront.Load(context.Background(), []string{path}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := lower.Lower(tree, lower.Options{Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Of(tree, tree.Func(entry))
	if err != nil || c == nil {
		t.Fatalf("contract: %v %v", c, err)
	}
	return p, c
}

// record runs entry(array, n).
func recorded(t *testing.T, p *lower.Program, c *contract.Contract, nums []int64, more ...int64) *Trace {
	t.Helper()
	s := &oracle.State{Globals: map[string][]oracle.Cell{}}
	if elem := c.Func.Params[0].Type.Elem; elem.Kind == ctype.Float { // halves
		reals := make([]float64, len(nums))
		for i, n := range nums {
			reals[i] = float64(n) / 2
		}
		s.Args = append(s.Args, s.Reals(elem, reals))
	} else {
		s.Args = append(s.Args, s.Array(elem, nums))
	}
	for _, v := range more {
		s.Args = append(s.Args, oracle.Value{Word: ctype.Word(v)})
	}
	suite := &oracle.Suite{Prog: p, Entry: c.Func}
	r, err := oracle.NewRunner(suite)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := Record(r, &oracle.Case{State: s}, c)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// max1 is the program of the paper's Figure 1, its statements on the same lines.
const max1 = `int Max(int a[], int n);int i, s; /* pre: n > 0
post: forall(k, 0, n, result >= a[k]) && exists(k, 0, n, result == a[k]) */
int Max(int a[], int n)
{
    int i, s;
    i = 1;
    s = a[0];
    while (i < n) {
        if (s > a[i])
            s = a[i];
        i = i + 1;
    }
    return s;
}
`

// TestFigure1 reproduces the worked example of the paper, state by state.
func TestFigure1(t *testing.T) {
	p, c := program(t, max1, "Max")
	tr := recorded(t, p, c, []int64{-2, 5, 3}, 3)
	want := `precondition (n>0)+
<1,6> i=1
<2,7> s=a[0]
<3,8> (i-n<0)
<4,9> (s-a[i=1]<=0)
<5,11> i=i+1
<6,8> (i-n<0)
<7,9> (s-a[i=2]<=0)
<8,11> i=i+1
<9,8> (i-n>=0)
<10,13> result=s
postcondition
((result-a[0]>=0)+ & (result-a[1]>=0)- & (result-a[2]>=0)- & (result-a[0]=0)+) |
((result-a[0]>=0)+ & (result-a[1]>=0)- & (result-a[2]>=0)- & (result-a[1]=0)-) |
((result-a[0]>=0)+ & (result-a[1]>=0)- & (result-a[2]>=0)- & (result-a[2]=0)-)
`
	if got := tr.Listing(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	s := tr.States(tr.Post[0])
	const r3 = "(s-a[0]>=0)+ & (s-a[1]>=0)- & (s-a[2]>=0)- & (s-a[0]=0)+"
	for i := 3; i <= 10; i++ {
		if got := s.R[i].String(); got != r3 {
			t.Errorf("R%d is %s", i, got)
		}
	}
	const r1 = "(0>=0)+ & (a[0]-a[1]>=0)- & (a[0]-a[2]>=0)- & (0=0)+"
	if a, b := s.R[1].String(), s.R[2].String(); a != r1 || b != r1 {
		t.Errorf("R1 is %s, R2 %s", a, b)
	}
	for i, w := range map[int]string{1: "(n>0)+", 2: "(n>0)+ & (i=1)", 3: "(n>0)+ & (i=1) & (s-a[0]=0)", 4: "(n>0)+ & (i=1) & (s-a[0]=0) & (i-n<0)"} {
		if got := s.Fore[i].String(); got != w {
			t.Errorf("forward state %d is %s, want %s", i, got, w)
		}
	}
	for i, w := range map[int]string{
		9: "(i-n>=0)", 8: "(i-n>=-1)", 7: "(i-n>=-1) & (s-a[i=2]<=0)", 6: "(i-n>=-1) & (s-a[i=2]<=0) & (i-n<0)",
		5: "(i-n>=-2) & (s-a[i+1=2]<=0) & (i-n<-1)", 4: "(i-n>=-2) & (s-a[i+1=2]<=0) & (i-n<-1) & (s-a[i=1]<=0)",
		3: "(i-n>=-2) & (s-a[i+1=2]<=0) & (i-n<-1) & (s-a[i=1]<=0) & (i-n<0)",
		2: "(i-n>=-2) & (a[0]-a[i+1=2]<=0) & (i-n<-1) & (a[0]-a[i=1]<=0) & (i-n<0)",
		1: "(-n>=-3) & (a[0]-a[2=2]<=0) & (-n<-2) & (a[0]-a[1=1]<=0) & (-n<-1)",
	} {
		if got := s.Back[i].String(); got != w {
			t.Errorf("backward state %d is %s, want %s", i, got, w)
		}
	}
	// The paper's example of an explicit evidence of type II at point 7; as the fact of
	// line 9 also holds right after it, the search from the end meets it at 8.
	if got := s.Actual(7).String(); !strings.Contains(got, "(s-a[i=2]<=0)") {
		t.Errorf("A7 is %s", got)
	}
	es := s.Evidences()
	if len(es) == 0 || es[0].Kind != TypeII || es[0].Point != 8 || es[0].P.String() != "(s-a[i=2]<=0)" || es[0].Q.String() != "(s-a[2]>=0)-" {
		t.Fatalf("%+v", es)
	}
	if got := s.Explain(es[0]); !strings.Contains(got, "s-a[i=2]<=0 is true (by line 9, (s-a[i=2]<=0)), but s-a[2]>=0 would have to be") {
		t.Error(got)
	}
	for _, e := range es {
		if e.Kind == Implicit {
			t.Errorf("an implicit evidence: %+v", e)
		}
	}
	sus := tr.Suspects()
	if len(sus) == 0 || sus[0].Stmt.Range.Position().Line != 9 {
		t.Errorf("%+v", sus)
	}
}

// TestPwp: on random straight-line programs and postconditions, a state satisfies pwp
// exactly when running the trace from it satisfies the postcondition.
func TestPwp(t *testing.T) {
	rnd := rand.New(rand.NewSource(11))
	checked := map[bool]int{}
	for round := range 100 {
		elem := []string{"int", "double"}[round%2]
		var b strings.Builder
		relop := []string{"<", "<=", ">", ">=", "==", "!="}
		side := func() string {
			names := []string{"a[0]", "a[1]", "a[2]", "a[3]"}
			x := names[rnd.Intn(4)]
			switch rnd.Intn(4) {
			case 0:
				x += fmt.Sprintf(" + %d", rnd.Intn(5))
			case 1:
				x += " - " + names[rnd.Intn(4)]
			case 2:
				x = fmt.Sprintf("%d", rnd.Intn(9)-4)
			}
			return x
		}
		post := fmt.Sprintf("%s %s %s", side(), relop[rnd.Intn(6)], side())
		if rnd.Intn(2) == 0 {
			post += fmt.Sprintf(" && %s %s %s", side(), relop[rnd.Intn(6)], side())
		}
		fmt.Fprintf(&b, "/* post: %s */\nvoid f(%s *a)\n{\n    int i = %d, j;\n    %s k;\n", post, elem, rnd.Intn(3), elem)
		for range 2 + rnd.Intn(6) {
			v := []string{"a[i]", "a[i + 1]", "a[3]", "a[0]", "k"}[rnd.Intn(5)]
			x := []string{side(), "2 * a[i] - a[1]", "a[i] * a[0]", "a[i + 1] + i"}[rnd.Intn(4)]
			fmt.Fprintf(&b, "    %s = %s;\n", v, x)
			if rnd.Intn(3) == 0 {
				b.WriteString("    j = i;\n    k = i;\n    a[j]++;\n")
			}
			if rnd.Intn(4) == 0 {
				b.WriteString("    i = i == 2 ? 0 : i + 1;\n")
			}
		}
		b.WriteString("}\n")
		p, c := program(t, b.String(), "f")
		first := recorded(t, p, c, []int64{1, -2, 3, 0})
		if first.Verdict.Fault != nil || len(first.Post) == 0 {
			continue
		}
		pre := make([][]*Pred, len(first.Post))
		for k, conj := range first.Post {
			pre[k] = first.Hypothesized(conj)[1]
		}
		for range 8 {
			in := []int64{int64(rnd.Intn(9) - 4), int64(rnd.Intn(9) - 4), int64(rnd.Intn(9) - 4), int64(rnd.Intn(9) - 4)}
			run := recorded(t, p, c, in)
			if run.Verdict.Fault != nil {
				continue
			}
			want := run.Verdict.Passed()
			got := false
			for _, conj := range pre {
				all := true
				for _, q := range conj {
					is, known := q.truth(func(l *Loc) (int64, bool) {
						if l.Index == nil && l.Name != "a" && !strings.HasPrefix(l.Name, "a[") {
							return 0, false
						}
						if elem == "double" {
							return realKey(float64(in[l.At]) / 2), true
						}
						return in[l.At], true
					})
					if !known {
						t.Fatalf("round %d: %s is not over the input alone\n%s", round, q, b.String())
					}
					all = all && is
				}
				got = got || all
			}
			checked[got]++
			if got != want {
				t.Fatalf("round %d: pwp says %v, running says %v for %v\n%s%s", round, got, want, in, b.String(), first.Listing())
			}
		}
	}
	if checked[true] < 40 || checked[false] < 40 {
		t.Errorf("%v", checked)
	}
}
