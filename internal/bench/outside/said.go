package outside

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"gulo/internal/process"
)

// This file asks gulo to repair by what the author of a function specifies: a contract, or assertions in the program.

const (
	byContract   = "contract"
	byAssertions = "assertions"
)

// contractName returns the file name of a program's n-th contract, from 0.
func contractName(n int) string {
	if n == 0 {
		return "contract.json"
	}
	return fmt.Sprintf("contract%d.json", n+1)
}

// said reads the contracts and the assertions of a program; it may have none.
func (p *Program) said(dir string) error {
	read := func(name string) (string, bool, error) {
		text, err := fs.ReadFile(p.from.files, path.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			return "", false, nil
		}
		return string(text), err == nil, err
	}
	for n := 0; ; n++ {
		text, ok, err := read(contractName(n))
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		var c struct{ Entry string }
		if err := json.Unmarshal([]byte(text), &c); err != nil || c.Entry == "" {
			return fmt.Errorf("%s/%s: %q is no contract: %v", dir, contractName(n), text, err)
		}
		p.Contracts = append(p.Contracts, text)
	}
	text, ok, err := read("asserts.txt")
	if err != nil || !ok {
		return err
	}
	if p.asserts, err = parseAsserts(text); err != nil {
		return fmt.Errorf("%s/asserts.txt: %w", dir, err)
	}
	return nil
}

// asserted is text that is inserted into a function.
type asserted struct {
	fn, where, line, text string
}

var headRE = regexp.MustCompile(`^(\w+) (above|begin|end|before)(?:: (.*))?$`)

// parseAsserts reads assertions: a line "FUNCTION above", "FUNCTION begin", "FUNCTION end" or "FUNCTION before: LINE",
// followed by the text for that place, indented. "above" is for helpers; LINE is the first line of the function with
// that text.
func parseAsserts(text string) (out []asserted, err error) {
	for i, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		m := headRE.FindStringSubmatch(l)
		switch {
		case m != nil && (m[2] == "before") == (m[3] != ""):
			out = append(out, asserted{fn: m[1], where: m[2], line: m[3]})
		case strings.HasPrefix(l, "\t") && len(out) > 0:
			out[len(out)-1].text += l[1:] + "\n"
		default:
			return nil, fmt.Errorf("line %d: %q says neither where an assertion stands nor what it is", i+1, l)
		}
	}
	return out, nil
}

// Asserted inserts the assertions of a program into its right or faulty text.
func (p *Program) Asserted(text string) (string, error) {
	for _, a := range p.asserts {
		lines := strings.SplitAfter(text, "\n")
		first := defined(lines, a.fn)
		if first < 0 {
			return "", fmt.Errorf("there is no function %s", a.fn)
		}
		last := first + slices.IndexFunc(lines[first:], func(l string) bool { return l == "}\n" })
		at := first
		switch a.where {
		case "begin":
			at = first + slices.IndexFunc(lines[first:], func(l string) bool { return strings.HasSuffix(l, "{\n") }) + 1
		case "end":
			at = last
		case "before":
			at = first + slices.IndexFunc(lines[first:], func(l string) bool { return strings.TrimSpace(l) == a.line })
			if at < first || at > last {
				return "", fmt.Errorf("%s has no line %q", a.fn, a.line)
			}
		}
		text = strings.Join(slices.Insert(lines, at, a.text), "")
	}
	return "#include <assert.h>\n" + text, nil
}

// defined returns the index of the line in which the definition of a function begins; -1 if there is none.
func defined(lines []string, fn string) int {
	name := regexp.MustCompile(`^[^\s].*\b` + fn + `\([^;]*$`)
	return slices.IndexFunc(lines, name.MatchString)
}

// bySaid asks gulo about a program with its failing run, by its assertions or by its contracts. Contracts are used one
// after the other, each on the program that the previous repair left.
func (s *subject) bySaid(ctx context.Context, mode string, processors int) (*Answer, error) {
	specs := []string{"--assert"}
	if mode == byContract {
		specs = nil
		for n := range s.Contracts {
			specs = append(specs, contractName(n))
		}
	}
	if len(specs) == 0 || mode == byAssertions && s.asserts == nil {
		return nil, fmt.Errorf("there is no %s of %s", mode, s.Name)
	}
	text := s.Faulty
	if mode == byAssertions {
		var err error
		if text, err = s.Asserted(text); err != nil {
			return nil, err
		}
	}
	sum := &Answer{Program: s.Name, Double: s.Double, Mode: mode, Processors: processors}
	var answered []string
	for _, spec := range specs {
		if err := os.WriteFile(s.file("said.c"), []byte(text), 0o644); err != nil {
			return nil, err
		}
		os.Remove(s.file("fixed.c"))
		a, err := s.run(ctx, mode, processors, s.saidArguments(spec), func(a *Answer, doc []byte) error {
			_, err := a.fixed(doc)
			return err
		})
		if err != nil {
			return nil, err
		}
		sum.Millis, sum.CPU, sum.Memory, sum.Exit = sum.Millis+a.Millis, sum.CPU+a.CPU, max(sum.Memory, a.Memory), a.Exit
		if a.Class != "" {
			if len(specs) > 1 && a.Why != "" {
				a.Why = spec + ": " + a.Why
			}
			sum.Class, sum.Why = a.Class, strings.TrimPrefix(sum.Why+"; "+a.Why, "; ")
			continue
		}
		fixed, err := os.ReadFile(s.file("fixed.c"))
		if err != nil {
			return nil, err
		}
		text, answered = string(fixed), append(answered, spec)
		sum.Shown, sum.Trust = strings.TrimPrefix(sum.Shown+"; "+a.Shown, "; "), a.Trust
	}
	if len(answered) == 0 {
		return sum, nil
	}
	open, why := sum.Class, sum.Why // the class for a contract by which there is no repair
	sum.Class, sum.Why = "", ""
	if err := os.WriteFile(s.file("fixed.c"), []byte(text), 0o644); err != nil {
		return nil, err
	}
	if err := s.refute(ctx, sum); err != nil || sum.Class != Wrong {
		return sum, err
	}
	kept, err := s.keeps(ctx, mode, answered)
	switch {
	case err != nil || !kept:
	case open != "": // the answer for that contract stays
		sum.Class, sum.Why = open, why
	default:
		sum.Class = Unsaid
	}
	return sum, err
}

// saidArguments returns gulo's arguments for said.c with --assert or a contract file.
func (s *subject) saidArguments(spec string) []string {
	args := []string{"fix", "--format", "json", "--limit", s.limit().String(), "--rewrite", "fixed.c"}
	if spec == "--assert" {
		args = append(args, spec)
	} else {
		args = append(args, "--contract", spec)
	}
	return append(args, s.failing("said.c")...)
}

// keeps reports whether fixed.c meets its assertions, or some contracts, on the tests and the hidden inputs.
func (s *subject) keeps(ctx context.Context, mode string, specs []string) (bool, error) {
	for i, r := range append(slices.Clone(s.Tests), s.hidden...) {
		if mode == byAssertions {
			res, said, err := observe(ctx, s.file("fixed"), &r, false)
			if err != nil || res.why != "" || strings.Contains(said, "Assertion `") {
				return false, err
			}
			continue
		}
		if i >= keptRuns {
			break
		}
		for _, contract := range specs {
			c := process.Command(ctx, s.o.Gulo[0], append(slices.Clone(s.o.Gulo[1:]), append([]string{"run", "--contract", contract, "fixed.c", "--"}, r.Args...)...)...)
			c.Dir, c.Stdin = s.dir, strings.NewReader(r.Stdin)
			var errs strings.Builder
			c.Stderr = &errs
			if err := c.Run(); err != nil && ctx.Err() != nil {
				return false, ctx.Err()
			}
			if said := errs.String(); strings.Contains(said, "condition of ") || strings.Contains(said, "fixed.c:") {
				return false, nil
			}
		}
	}
	return true, nil
}

// keptRuns is the number of runs on which a repaired program is checked against its contracts.
const keptRuns = 40
