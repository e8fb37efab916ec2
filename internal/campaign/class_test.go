package campaign

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gulo/internal/draw"
	"gulo/internal/report"
)

// oneJob is what `gulo job` does.
func oneJob() {
	b, err := io.ReadAll(os.Stdin)
	var sub Submission
	if err == nil {
		err = json.Unmarshal(b, &sub)
	}
	var out *Outcome
	if err == nil {
		out, err = Judge(context.Background(), &sub)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		os.Exit(3)
	}
}

const problem = `#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int socket(int, int, int);
int connect(int, const void *, unsigned);
struct node { int data; struct node *next; };
int count(struct node *n)
{
    int k = 0;
    while (n != NULL) {
        k++;
        n = n->next;
    }
    return k;
}
int main(void)
{
    struct node a = {1, NULL}, b = {2, &a};
    @
    printf("%d\\n", count(&b));
    return 0;
}
`

// judged does the jobs of a class, two at a time.
func judged(t *testing.T, q *Queue, dir string, jobs map[string]*Submission) *Summary {
	t.Helper()
	ctx := context.Background()
	for id, j := range jobs {
		b, err := json.Marshal(j)
		if err != nil {
			t.Fatal(err)
		}
		if err := q.Add(ctx, id, b); err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := q.Work(ctx, Handle([]string{os.Args[0], "job"}), FailedOutcome, true); err != nil {
				t.Error(err)
			}
		}()
	}
	wg.Wait()
	sum, err := Collect(ctx, q, dir, jobs)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// TestClass runs a class of strangers: each is put where it belongs, and what
// misbehaves is stopped and reported.
func TestClass(t *testing.T) {
	dir := t.TempDir()
	plain := strings.Replace(problem, "    @\n", "", 1)
	broken := func(s string) string { return strings.Replace(s, "int k = 0", "int k = 1", 1) }
	hostile := func(code string) string { return broken(strings.Replace(problem, "@", code, 1)) }
	for name, text := range map[string]string{
		"reference": plain,
		"right":     strings.Replace(plain, "k++", "k = k + 1", 1),
		"one-off":   broken(plain),
		"two-off":   strings.ReplaceAll(broken(plain), "int k =", "int k="),
		"syntax":    strings.Replace(plain, "int k = 0;", "int k = ;", 1),
		"signature": strings.Replace(plain, "int count(struct node *n)", "int count(struct node *n, ...)", 1)[:10],
		"empty":     strings.Replace(plain, plain[strings.Index(plain, "    int k = 0"):strings.Index(plain, "    return k")], "", 1),
		"forks":     hostile("for (;;) if (fork() < 0) pause();"),
		"sleeps":    hostile("for (;;) sleep(1000);"),
		"fills":     hostile(`FILE *f = fopen("x", "w"); for (;;) if (fwrite(problem_, 1, 64, f) < 64) return 7;`),
		"socket":    hostile("char to[16] = {2, 0, 0, 9, 127, 0, 0, 1}; return connect(socket(2, 1, 0), to, 16) < 0 ? 42 : 0;"),
		"prints":    hostile(`for (;;) puts("x");`),
	} {
		text = strings.Replace(text, "problem_", strconv.Quote(strings.Repeat("abcd", 16)), 1)
		if name == "empty" {
			text = strings.Replace(text, "    return k;", "    return 0;", 1)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".c"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	class := &Class{Folder: dir, Entry: "count", Limit: 500 * time.Millisecond}
	jobs, err := class.Jobs()
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range jobs { // searches that find something end then, on slow machines late
		if j.Name == "right" || strings.HasSuffix(j.Name, "-off") {
			j.Limit = 5 * time.Minute
		}
	}
	ctx := context.Background()
	q, err := Open(ctx, "", t.TempDir(), "c")
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	sum := judged(t, q, dir, jobs)
	got := map[string]*Outcome{}
	for _, o := range sum.Outcomes {
		got[o.Name] = o
	}
	for name, want := range map[string]Category{
		"right": Right, "one-off": Fixed, "two-off": Fixed, "syntax": NoCompile, "signature": Vacuous, "empty": Vacuous,
	} {
		o := got[name]
		if o == nil || o.Category != want {
			t.Errorf("%s: %+v, want %s", name, o, want)
		}
	}
	for _, name := range []string{"forks", "sleeps", "fills", "socket", "prints"} { // what main does there can be undone
		if o := got[name]; o == nil || o.Category != Fixed && o.Category != Limited && o.Category != NoEnd {
			t.Errorf("%s: %+v", name, o)
		}
	}
	isolated := true
	for name, want := range map[string]string{"forks": "stopped", "sleeps": "stopped after", "prints": "prints without end", "one-off": "exits with 0", "fills": "exits with 7", "socket": "exits with 42"} {
		o := got[name]
		switch {
		case o == nil:
		case strings.HasPrefix(o.Native, "not run"):
			isolated = false
		case !strings.Contains(o.Native, want):
			t.Errorf("%s: natively %q, want %q", name, o.Native, want)
		}
	}
	if !isolated {
		t.Log("the system gives no namespaces: submissions were not run natively")
	}
	if len(sum.Clusters) == 0 || len(sum.Clusters[0].Names) < 2 {
		t.Errorf("like mistakes are not together: %v", sum.Clusters)
	}
	for _, o := range sum.Outcomes {
		t.Logf("%s: %s %s; natively %s", o.Name, o.Category, o.Why, o.Native)
	}
	html, err := sum.HTML()
	if err != nil || !strings.Contains(string(html), "one-off") || !strings.Contains(string(html), "int k = 0;") {
		t.Errorf("page: %v %d bytes", err, len(html))
	}
}

// TestAttempted tells beginnings from attempts.
func TestAttempted(t *testing.T) {
	ref := "int f(int *a) { int s = 0; for (int i = 0; i < 3; i++) { s += a[i]; } return s; }"
	for text, low := range map[string]bool{"int f(int *a) { /* a lot; of; words; */ return 0; }": true, "int f(int *b) { int t = 1; t += b[0]; t += b[1]; return t; }": false} {
		if got := Attempted(text, ref, "f"); (got < 0.34) != low {
			t.Errorf("%s: %.2f", text, got)
		}
	}
}

// TestPage: the page of a class has the pictures of a failing case, in one file that loads
// nothing.
func TestPage(t *testing.T) {
	p := &draw.Picture{View: [4]int{0, 0, 300, 100}, Vars: []draw.Box{{Name: "f", W: 140, H: 40}}, Nodes: []draw.Box{{Name: "n1", X: 180, W: 124, H: 40, Cells: []draw.Cell{{Key: "n1->s", Label: "s", Value: "</svg><script>", Shown: "</svg><script>", Y: 20}}}}}
	s := &Summary{Folder: "class", Total: 1, Done: 1, Counts: map[Category]int{Limited: 1}, Outcomes: []*Outcome{{Name: "ann", Category: Limited,
		Report: &report.Report{Example: "on l: [1]: it leaves <nothing>", Pictures: []report.Picture{{Title: "called with", Picture: p}, {Title: "it leaves", Picture: p}}}}}}
	b, err := s.HTML()
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	if n := strings.Count(text, `<svg class="heap still"`); n != 2 || strings.Count(text, `id="head"`) != 1 {
		t.Errorf("%d pictures, not 2", n)
	}
	if n := strings.Count(text, "<script"); n != 1 { // its own
		t.Errorf("%d scripts", n)
	}
	for _, no := range []string{"http://", "https://", "src=", "href=\"http", "@import", "url(http"} {
		if strings.Contains(text, no) {
			t.Errorf("the page has %s", no)
		}
	}
	if !strings.Contains(text, "<figcaption>called with</figcaption>") || !strings.Contains(text, ".box.freed .frame") {
		t.Errorf("the page lacks the captions or the style: %s", text)
	}
}
