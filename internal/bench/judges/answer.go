package judges

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"gulo/internal/plural"
	"gulo/internal/process"
)

// This file runs gulo and judges its answers.

// Verdicts on an answer.
const (
	FalseRight = "false right"      // gulo says that the variant is right
	FalseProof = "false proof"      // a repair shown as proved is refuted
	Bug        = "bug"              // gulo crashed or did not end
	Holds      = "repaired"         // the native search does not refute the repair
	Same       = "as the reference" // the repaired text is the reference's
	Refuted    = "refuted"          // a repair is refuted whose evidence claims no proof
	Beyond     = "beyond"           // a repair proved up to a stated length fails on longer inputs
	None       = "none"
	Unknown    = "unknown"
	Refused    = "refused" // exit status 2, with a reason
)

// Verdicts in the order of the table.
var Verdicts = []string{Same, Holds, Beyond, Refuted, None, Unknown, Refused, FalseRight, FalseProof, Bug}

// Answer is gulo's answer to a pair.
type Answer struct {
	Program string  `json:"program"`
	Topic   string  `json:"topic"`
	Kind    string  `json:"kind"`
	What    string  `json:"what"`
	Witness string  `json:"witness"`
	Method  string  `json:"method"`
	Verdict string  `json:"verdict"`
	Exit    int     `json:"exit"`
	Said    string  `json:"said"`              // the evidence, or the cause
	Counter string  `json:"counter,omitempty"` // the case that refutes the repair
	Cases   int64   `json:"cases,omitempty"`   // native cases on which the repair agrees
	Diff    string  `json:"diff,omitempty"`
	Millis  float64 `json:"ms"`
}

// document is the part of gulo fix --format json that is read.
type document struct {
	Result, Cause, Proof string
	Repairs              []struct {
		Diff     string
		Evidence struct{ Text string }
	}
}

// Run makes the pairs and runs gulo on them with every method.
func Run(ctx context.Context, o *Options) ([]Pair, []Answer, error) {
	defer forget()
	pairs, err := Pairs(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	methods := o.Methods
	if len(methods) == 0 {
		methods = Methods
	}
	type job struct {
		pair   *Pair
		method string
	}
	var jobs []job
	for i := range pairs {
		for _, m := range methods {
			if m != "run" || pairs[i].Program.Entry == "main" && !pairs[i].Program.Stdin {
				jobs = append(jobs, job{&pairs[i], m})
			}
		}
	}
	out := make([]Answer, len(jobs))
	done := 0
	var mu sync.Mutex
	known := &memo{m: map[string]*tried{}}
	err = process.Parallel(ctx, o.Workers, len(jobs), func(ctx context.Context, i int) error {
		a, err := o.ask(ctx, jobs[i].pair, jobs[i].method, known)
		if err != nil {
			return err
		}
		out[i] = *a
		mu.Lock()
		done++
		o.progress("%d of %s", done, plural.N(len(jobs), "answer"))
		mu.Unlock()
		return nil
	})
	return pairs, out, err
}

// memo keeps the results of native searches by text.
type memo struct {
	sync.Mutex
	m map[string]*tried
}

type tried struct {
	once  sync.Once
	w     *Witness
	cases int64
	err   error
}

// ask runs gulo on a pair.
func (o *Options) ask(ctx context.Context, p *Pair, method string, known *memo) (*Answer, error) {
	a := &Answer{Program: p.Program.Name, Topic: p.Program.Topic, Kind: p.Kind, What: p.What, Witness: p.Witness.String(), Method: method}
	dir, err := process.TempDir("gulo-judges-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"right.c": p.Program.Text, "variant.c": p.Text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	args := append(o.Gulo[1:], "fix", "--format", "json", "--limit", o.Limit.String(), "--rewrite", "fixed.c", "--reference", "right.c")
	if method != "default" && method != "run" {
		args = append(args, "--method", method)
	}
	if p.Program.Entry != "main" || method != "default" {
		args = append(args, "--entry", p.Program.Entry)
	}
	args = append(args, "variant.c")
	if method == "run" {
		args = append(append(args, "--"), strings.Fields(strings.ReplaceAll(p.Witness.Drawn, `""`, ""))...)
	}
	limited, cancel := context.WithTimeout(ctx, 3*o.Limit+2*time.Minute)
	defer cancel()
	c := process.Command(limited, o.Gulo[0], args...)
	var stdout, stderr bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = dir, &stdout, &stderr
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	begin := time.Now()
	err = c.Run()
	a.Millis = float64(time.Since(begin).Microseconds()) / 1000
	var status *exec.ExitError
	if err != nil && !errors.As(err, &status) {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	a.Exit = c.ProcessState.ExitCode()
	return a, o.judge(ctx, a, p, dir, stdout.Bytes(), stderr.String(), known)
}

// judge sets the verdict on an answer.
func (o *Options) judge(ctx context.Context, a *Answer, p *Pair, dir string, out []byte, errText string, known *memo) error {
	var doc document
	switch err := json.Unmarshal(out, &doc); {
	case a.Exit == 2 && len(out) == 0:
		a.Verdict, a.Said = Refused, firstLine(errText)
		return nil
	case a.Exit == 3 && len(out) == 0:
		a.Verdict, a.Said = Unknown, firstLine(errText)
		return nil
	case err != nil || a.Exit < 0 || a.Exit > 3:
		a.Verdict, a.Said = Bug, fmt.Sprintf("exit status %d: %s", a.Exit, firstLine(errText))
		return nil
	}
	a.Said = doc.Cause
	switch doc.Result {
	case "right":
		a.Verdict = FalseRight
		return nil
	case "none":
		a.Verdict = None
		return nil
	}
	fixed, err := os.ReadFile(filepath.Join(dir, "fixed.c"))
	if doc.Result != "repaired" && (len(doc.Repairs) == 0 || err != nil) {
		a.Verdict = Unknown
		return nil
	}
	if err != nil || len(doc.Repairs) == 0 {
		a.Verdict, a.Said = Bug, "repaired, and nothing is written"
		return nil
	}
	a.Said, a.Diff = doc.Repairs[0].Evidence.Text, doc.Repairs[0].Diff
	if plain(string(fixed)) == plain(p.Program.Text) {
		a.Verdict = Same
		return nil
	}
	t := known.of(ctx, p.Program, string(fixed), o.Native, false)
	if t.err != nil {
		if _, refused := t.err.(*compileError); !refused {
			return t.err
		}
		a.Verdict, a.Counter = FalseProof, "it does not compile: "+t.err.Error()
		return nil
	}
	a.Cases = t.cases
	if t.w == nil {
		a.Verdict = Holds
		return nil
	}
	a.Verdict, a.Counter = Refuted, t.w.String()
	if doc.Proof == "proved" || doc.Proof == "bounded" || strings.Contains(a.Said, "for all") || strings.HasPrefix(a.Said, "proved") {
		a.Verdict = FalseProof
		if !strings.Contains(a.Said, "[") { // no length is stated
			return nil
		}
		switch t := known.of(ctx, p.Program, string(fixed), o.Native, true); {
		case t.err != nil:
			return t.err
		case t.w == nil:
			a.Verdict = Beyond
		default:
			a.Counter = t.w.String()
		}
	}
	return nil
}

// firstCase is the number of the first case that was not used to tell variants from programs.
const firstCase = 1 << 32

// mostCases is the number of cases that took about a minute when programs printed what they do.
const mostCases = 6_000_000

// of searches natively for a case that refutes a text, once for each text: most of the time as it is compiled, the rest
// with sanitizers. With small, inputs are no longer than those that gulo makes when no length is stated.
func (k *memo) of(ctx context.Context, p *Program, text string, limit time.Duration, small bool) *tried {
	var flags []string
	if small {
		flags = []string{"-DSMALL"}
	}
	k.Lock()
	key := fmt.Sprint(p.Name, small, plain(text))
	t := k.m[key]
	if t == nil {
		t = &tried{}
		k.m[key] = t
	}
	k.Unlock()
	t.once.Do(func() {
		var n int64
		if t.w, t.cases, t.err = p.differ(ctx, text, search{0, mostCases, limit * 3 / 4, flags}); t.w == nil && t.err == nil {
			t.w, n, t.err = p.differ(ctx, text, search{firstCase, mostCases / 16, limit / 4, append(flags, sanitizers...)})
			t.cases += n
		}
	})
	return t
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}
