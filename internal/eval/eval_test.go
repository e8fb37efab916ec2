package eval_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/heap"
	"gulo/internal/lower/lowertest"
	"gulo/internal/target"
	"gulo/internal/target/sim"
)

// operators is a program that applies every operator to variables of every two types,
// with values at the borders.
func operators() string {
	types := []string{"char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "_Bool", "float", "double"}
	var b strings.Builder
	for i, t := range types {
		fmt.Fprintf(&b, "%s v%d[] = {0, 1, 3, (%s)-1, (%s)-7, (%s)100};\n", t, i, t, t, t)
	}
	b.WriteString("int main(void)\n{\n    long r = 0;\n    double d = 0;\n    unsigned char c = 0;\n")
	for i := range types {
		for k := range types {
			real := i >= 9 || k >= 9
			for n, op := range []string{"+", "-", "*", "<", "<=", "==", "!=", ">", ">=", "&&", "||", "/", "%", "&", "|", "^", "<<", ">>"} {
				if real && n > 11 {
					break
				}
				left, right := fmt.Sprintf("v%d[%d]", i, (n+k)%6), fmt.Sprintf("v%d[%d]", k, (n*5+i+1)%6)
				if op == "/" || op == "%" {
					right = fmt.Sprintf("v%d[%d]", k, 1+(i+n)%2)
				}
				if op == "<<" || op == ">>" {
					left, right = fmt.Sprintf("v%d[%d]", i, (n+k)%3), fmt.Sprintf("v%d[%d]", k, (n+i)%3)
				}
				to := "r"
				if real {
					to = "d"
				}
				fmt.Fprintf(&b, "    %s = %s %s %s;\n", to, left, op, right)
			}
			if !real {
				fmt.Fprintf(&b, "    c = v%d[3]; c += v%d[%d]; c++; r = -v%d[2] + ~v%d[1] - !v%d[0];\n", i, k, k%6, k, i, k)
			}
			fmt.Fprintf(&b, "    r = v%d[1] ? v%d[2] : v%d[2];\n    d = (%s)v%d[5];\n", i, i, k, types[k], i)
		}
	}
	b.WriteString("    return r + d + c > 0;\n}\n")
	return b.String()
}

// objects is a program with pointers, structs, bit-fields, arrays and calls.
const objects = `
struct point { int x, y; };
struct node { struct node *next, *prev; struct point at; char name[4]; unsigned low : 3, high : 7; int wide : 13; };
struct node list[4];
struct node *head = &list[1], **link;
int table[3][4], *cell;
char word[] = "heap", *s;

static int gcd(int a, int b)
{
    while (b != 0) {
        int r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static int depth(struct node *n) { return n ? 1 + depth(n->next) : 0; }

int main(void)
{
    int n = 0;
    struct point p = {3, 4}, q;
    head->next = &list[2];
    head->next->prev = head;
    list[2].next = list + 3;
    link = &head->next->next;
    (*link)->at.y = -5;
    *link = 0;
    q = p;
    q.x += q.y++;
    list[0].at = q;
    head->low = 13;
    head->high = head->low * 9;
    head->wide = -3000;
    n = head->low + head->high + head->wide;
    n = head->low = 13, n += ++head->low, n += head->low -= 7, n += head->wide++;
    n = (table[0][n & 1]++, table[0][n & 1] ^= 6);
    (*(cell ? cell : &table[0][1]))++;
    head->low++;
    --head->wide;
    cell = &table[1][2];
    *cell++ = 7;
    *cell-- += 3;
    ++*++cell;
    cell[1] = cell[-1] * 2;
    table[2][n & 3] += cell - *table;
    s = word;
    while (*s)
        *s++ -= 32;
    n = s - word;
    n = sizeof list[0] + sizeof(table) / sizeof *table;
    n = gcd(table[1][2] * 6, 9);
    n = depth(head), n += depth(list);
    n = head->next == &list[2] && head->next->prev->next != head;
    n = (n ? head : list)->at.x, head = head->next;
    *(n ? &n : &table[0][0]) = (char)300 + (unsigned char)-1;
    return n;
}
`

// TestAgainstMachine evaluates every statement of programs in a picture of the memory
// before it; what it leaves is the machine's memory behind it, byte by byte.
func TestAgainstMachine(t *testing.T) {
	for name, text := range map[string]string{"operators": operators(), "objects": objects} {
		t.Run(name, func(t *testing.T) {
			p, _ := lowertest.Load(t, text)
			ctx := context.Background()
			run := sim.New(p, sim.Config{})
			defer run.Close()
			stop, err := run.Start(ctx)
			if err != nil {
				t.Fatal(err)
			}
			compared := 0
			for stop.Reason == target.Stepped || stop.Reason == target.Breakpoint {
				st := p.Stmts[stop.Stmt]
				before, err := target.Capture(run)
				if err != nil {
					t.Fatal(err)
				}
				if stop, err = run.Resume(ctx, target.Next, nil); err != nil {
					t.Fatal(err)
				}
				after, err := target.Capture(run)
				if st.X == nil || stop.Reason == target.Exited {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				w := &eval.World{Heap: before}
				if err := eval.Do(w, st.X); err != nil {
					t.Fatalf("%s: %s: %v", st.Range, st.Range.Text(), err)
				}
				if !before.Equal(after) {
					t.Fatalf("%s: %s: memory differs: %v", st.Range, st.Range.Text(), heap.Diff(graph(before), graph(after)))
				}
				compared++
			}
			if stop.Reason != target.Exited || compared < 30 {
				t.Errorf("%d statements, then %v: %s", compared, stop.Reason, stop.Message)
			}
		})
	}
}

func graph(im *heap.Image) *heap.Graph {
	return heap.NewGraph(im, func(*heap.Object) bool { return true })
}

// TestRefused: what cannot be evaluated is an error that says why, and never a value.
func TestRefused(t *testing.T) {
	p, _ := lowertest.Load(t, "int *p, a[2], z;\nint main(void) { *p; a[9]; 7 / z; p = &a[1]; return *p; }\n")
	im := &heap.Image{}
	for i, v := range p.Tree.Globals {
		im.Add(&heap.Object{Addr: ctype.Word(0x1000 * (i + 1)), Kind: heap.Global, Live: true, Var: v, Data: make([]byte, v.Type.Size)})
	}
	im.Sort()
	var got []error
	for _, st := range p.Stmts[1:] {
		if st.X != nil && len(got) < 4 {
			got = append(got, eval.Do(im, st.X))
		}
	}
	if len(got) != 4 || !errors.Is(got[0], eval.ErrNull) || !errors.Is(got[1], eval.ErrAccess) || got[2] == nil || got[3] != nil {
		t.Errorf("%q", got)
	}
}
