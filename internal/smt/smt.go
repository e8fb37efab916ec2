// Package smt asks Z3, an SMT solver. Process speaks SMT-LIB 2 with a process z3 -in that is kept alive; its constants
// have 64 bits and hold values of the program in the canonical form of package ctype (sign- or zero-extended). Terms
// makes terms of any width up to 64 bits, and Solver asks Z3 about them.
package smt

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"gulo/internal/sat"
)

// ErrMissing says that z3 is not installed.
var ErrMissing = errors.New("z3 is not installed; on Debian: apt-get install z3")

// ErrStopped says that the process of the solver has ended by itself.
var ErrStopped = errors.New("z3 has stopped")

// Available reports whether the solver can be started.
func Available() bool {
	_, err := exec.LookPath("z3")
	return err == nil
}

// Process is a running solver with its assertions. Only one goroutine may use it.
type Process struct {
	cmd    *exec.Cmd
	in     *bufio.Writer
	pipe   io.Closer
	out    *bufio.Reader
	n      int
	lines  int
	props  []int
	model  map[string]string
	worked int64 // after the last Solve, as z3 counts it
	once   sync.Once
	err    error
}

// Start launches a solver.
func Start() (*Process, error) {
	path, err := exec.LookPath("z3")
	if err != nil {
		return nil, ErrMissing
	}
	return startCommand(exec.Command(path, "-in", "-smt2"))
}

func startCommand(cmd *exec.Cmd) (*Process, error) {
	p := &Process{cmd: cmd}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start z3: %w", err)
	}
	p.in, p.pipe, p.out = bufio.NewWriterSize(in, 1<<16), in, bufio.NewReader(out)
	p.Reset()
	return p, nil
}

// Reset forgets all assertions. The process is kept.
func (p *Process) Reset() {
	p.n, p.lines, p.props, p.worked = 0, 0, nil, 0
	p.send("(reset)")
	p.send("(set-option :produce-unsat-assumptions true)")
	p.send("(set-option :produce-models true)")
	p.send("(set-logic QF_FD)")
}

// Close ends the process.
func (p *Process) Close() {
	p.once.Do(func() {
		_ = p.pipe.Close()
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
	})
}

func (p *Process) send(format string, args ...any) {
	if p.err != nil {
		return
	}
	p.lines++
	if _, err := fmt.Fprintf(p.in, format, args...); err != nil {
		p.err = err
	}
	p.in.WriteByte('\n')
}

func name(l int) string {
	if l < 0 {
		return "(not b" + strconv.Itoa(-l) + ")"
	}
	return "b" + strconv.Itoa(l)
}

// Size returns the number of variables and of lines sent.
func (p *Process) Size() (vars, clauses int) { return p.n, p.lines }

// Fresh returns a new proposition.
func (p *Process) Fresh() int {
	p.n++
	p.send("(declare-const b%d Bool)", p.n)
	p.props = append(p.props, p.n)
	return p.n
}

// Clause asserts a disjunction of propositions.
func (p *Process) Clause(lits ...int) {
	if len(lits) == 1 {
		p.send("(assert %s)", name(lits[0]))
		return
	}
	parts := make([]string, len(lits))
	for i, l := range lits {
		parts[i] = name(l)
	}
	p.send("(assert (or %s))", strings.Join(parts, " "))
}

// And returns a new proposition equivalent to a conjunction.
func (p *Process) And(a, b int) int { return p.Prop("(and " + name(a) + " " + name(b) + ")") }

// Or returns a new proposition equivalent to a disjunction.
func (p *Process) Or(lits []int) int {
	parts := make([]string, len(lits))
	for i, l := range lits {
		parts[i] = name(l)
	}
	return p.Prop("(or " + strings.Join(parts, " ") + ")")
}

// Term returns a new constant of 64 bits. It is equal to text, unless text is empty. Every value gets a name because
// the solver would expand shared terms otherwise.
func (p *Process) Term(text string) string {
	p.n++
	t := "t" + strconv.Itoa(p.n)
	p.send("(declare-const %s (_ BitVec 64))", t)
	if text != "" {
		p.send("(assert (= %s %s))", t, text)
	}
	return t
}

// Prop returns a new proposition equivalent to a Boolean term.
func (p *Process) Prop(text string) int {
	b := p.Fresh()
	p.send("(assert (= b%d %s))", b, text)
	return b
}

// Lit returns a proposition in SMT-LIB syntax.
func Lit(l int) string { return name(l) }

// Word returns a constant of 64 bits in SMT-LIB syntax.
func Word(w uint64) string { return fmt.Sprintf("#x%016x", w) }

// PropositionsPerSecond is how many units of work z3 does in a second of the processor on propositions and 64-bit
// words (logic QF_FD), where a question is long: 130,000 on 140,000 lines, which took 27 s, up to 3.8 million where
// it took 0.1 s.
const PropositionsPerSecond = 200_000

// Solve decides the assertions under assumptions. If they are Unsatisfiable, it also returns the assumptions that the
// proof used. limit bounds the work, in units of z3 (option rlimit); 0 means no limit. work is what the question took.
// If the result is Unknown, the process may have ended.
func (p *Process) Solve(ctx context.Context, assume []int, limit int64) (r sat.Result, core []int, work int64, err error) {
	parts := make([]string, len(assume))
	for i, l := range assume {
		parts[i] = name(l)
	}
	p.model = nil
	if d, ok := ctx.Deadline(); ok {
		p.send("(set-option :timeout %d)", max(time.Until(d).Milliseconds(), 1))
	}
	p.send("(set-option :rlimit %d)", max(0, min(limit, most)))
	p.send("(check-sat-assuming (%s))", strings.Join(parts, " "))
	p.send("%s", count)
	ans, err := p.ask(ctx)
	if err != nil {
		return sat.Unknown, nil, 0, err
	}
	if p.err != nil { // it was killed, as it did not keep to its time
		return sat.Unknown, nil, 0, nil
	}
	before := p.worked
	if p.worked, err = p.work(ctx); err != nil {
		return sat.Unknown, nil, 0, err
	}
	work = p.worked - before
	switch ans {
	case "sat":
		p.model = map[string]string{}
		return sat.Satisfiable, nil, work, nil
	case "unsat":
		p.send("(get-unsat-assumptions)")
		text, err := p.ask(ctx)
		if err != nil {
			return sat.Unknown, nil, work, err
		}
		return sat.Unsatisfiable, parseCore(text), work, nil
	case "unknown", "timeout":
		return sat.Unknown, nil, work, nil
	}
	return sat.Unknown, nil, work, fmt.Errorf("z3 says: %s", ans)
}

// count is the command that asks z3 how much work it has done since it began or was reset, in its own units.
const count = "(get-info :rlimit)"

// work reads the answer to count.
func (p *Process) work(ctx context.Context) (n int64, err error) {
	text, err := p.ask(ctx)
	_, _ = fmt.Sscanf(text, "(:rlimit %d)", &n)
	return n, err
}

func parseCore(text string) []int {
	var out []int
	text = strings.NewReplacer("(not ", " -", "(", " ", ")", " ").Replace(text)
	for _, f := range strings.Fields(text) {
		if n, err := strconv.Atoi(strings.Replace(f, "b", "", 1)); err == nil {
			out = append(out, n)
		}
	}
	return out
}

// overtime is how long an answer may come after its time limit.
const overtime = 200 * time.Millisecond

// ask sends the buffered commands and reads one answer, which is a word or an s-expression.
func (p *Process) ask(ctx context.Context) (string, error) {
	if p.err == nil {
		p.err = p.in.Flush()
	}
	if p.err != nil {
		return "", p.err
	}
	// z3 knows its time limit and answers in time; it is killed only if it does not. If an answer comes during
	// overtime, z3 must not be killed, as it would be in the middle of the next question.
	answered := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-answered:
		case <-time.After(overtime):
			_ = p.cmd.Process.Kill()
		}
	})
	defer stop()
	defer close(answered)
	var b strings.Builder
	depth := 0
	for {
		line, err := p.out.ReadString('\n')
		if err != nil {
			p.err = fmt.Errorf("%w: %w", ErrStopped, err)
			if ctx.Err() != nil {
				return "unknown", nil
			}
			return "", p.err
		}
		depth += strings.Count(line, "(") - strings.Count(line, ")")
		b.WriteString(line)
		if depth <= 0 && strings.TrimSpace(b.String()) != "" {
			return strings.TrimSpace(b.String()), nil
		}
	}
}

// Value returns the value of a proposition in the model of the last Satisfiable result.
func (p *Process) Value(l int) bool {
	if len(p.model) == 0 { // ask for all propositions at once: each question costs a switch of processes
		var b strings.Builder
		for _, k := range p.props {
			b.WriteString(name(k) + " ")
		}
		p.send("(get-value (%s))", b.String())
		ans, err := p.ask(context.Background())
		if err != nil {
			return false
		}
		f := strings.Fields(strings.NewReplacer("(", " ", ")", " ").Replace(ans))
		for i := 0; i+1 < len(f); i += 2 {
			p.model[f[i]] = f[i+1]
		}
	}
	v := p.value(name(max(l, -l))) == "true"
	return v == (l > 0)
}

// TermValue returns the value of a constant in the model of the last Satisfiable result.
func (p *Process) TermValue(t string) uint64 {
	n, _ := strconv.ParseUint(strings.TrimPrefix(p.value(t), "#x"), 16, 64)
	return n
}

func (p *Process) value(t string) string {
	if v, ok := p.model[t]; ok {
		return v
	}
	p.send("(get-value (%s))", t)
	ans, err := p.ask(context.Background())
	if err != nil {
		return ""
	}
	f := strings.Fields(strings.NewReplacer("(", " ", ")", " ").Replace(ans))
	if len(f) < 2 {
		return ""
	}
	p.model[t] = f[len(f)-1]
	return f[len(f)-1]
}
