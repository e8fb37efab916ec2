package logic

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/contract"
	"gulo/internal/ctype"
	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/patch"
	"gulo/internal/process"
	"gulo/internal/symbolic"
)

// This file uses a contract as the specification. It is written as C after the program's text, as an assertion like any
// other, and the code that computes it is never to blame.

// load loads a program. With a contract, the program is loaded with its assertion, in a file that is written to unit;
// that folder must live as long as the program.
func (t *task) load(ctx context.Context, unit string, files []string, opt cfront.Options) (*lower.Program, error) {
	if t.keeps == "" && unit == t.dir {
		return t.req.Texts.Load(ctx, files, opt) // the unchanged program
	}
	given := files
	files, opt, err := t.specified(unit, files, opt)
	if err != nil {
		return nil, err
	}
	p, err := lower.Load(ctx, files, opt)
	if err == nil && t.keeps != "" {
		name, dir := included(opt, given[t.kept])
		if f := patch.FileOf(p, dir+"/"+name); f != nil {
			f.Name = given[t.kept] // as the user names it
		}
	}
	return p, err
}

// included returns the name by which a file of the program is included, and the folder in which it is looked up.
func included(opt cfront.Options, file string) (name, dir string) {
	if u := opt.Unit(file); u.Dir != "" {
		if abs, err := filepath.Abs(file); err == nil {
			file = abs
		}
	}
	if folder := filepath.Dir(file); folder != "." {
		return filepath.Base(file), folder // so that files that it includes keep the names that they were given with
	}
	return file, "."
}

// specified replaces the file of the contract's function by one that includes it and appends the contract.
func (t *task) specified(unit string, files []string, opt cfront.Options) ([]string, cfront.Options, error) {
	if t.keeps == "" {
		return files, opt, nil
	}
	files = append([]string(nil), files...)
	to := filepath.Join(unit, "gulo-contract.c")
	name, dir := included(opt, files[t.kept])
	if err := os.WriteFile(to, []byte(fmt.Sprintf("#include \"%s\"\n%s", name, t.keeps)), 0o600); err != nil {
		return nil, opt, err
	}
	opt = opt.As(to, files[t.kept]).With("-iquote", dir)
	files[t.kept] = to
	return files, opt, nil
}

// readContract finds the contract and writes it as C. It does nothing if the job has none.
func (t *task) readContract(ctx context.Context) error {
	r := t.req
	if r.Contract == "" && !r.Contracts {
		return nil
	}
	if len(r.Reference) > 0 {
		return job.Usage("a contract and a reference are two specifications; give one")
	}
	tree, err := r.Tree(ctx)
	if err != nil {
		return err
	}
	ct, err := contract.Find(tree, r.Contract, r.Entry)
	var choice *contract.ChoiceError
	if errors.As(err, &choice) {
		return job.Usage("%s", choice.Message)
	}
	if err != nil {
		return err
	}
	t.kept, t.of = -1, ct.Func
	if len(ct.Pre) > 0 {
		t.before = ct.Pre[0].Pos.String()
	}
	for i, name := range r.Files {
		if ct.Func.Range.File.Name == name {
			t.kept = i
		}
	}
	if t.kept < 0 {
		return job.Usage("%s is not in one of the program's files", ct.Func.Name)
	}
	if len(ct.Inputs) > 0 && r.Inputs == "" {
		d := json.NewDecoder(strings.NewReader(string(ct.Inputs)))
		d.DisallowUnknownFields()
		if err := d.Decode(&t.file.Inputs); err != nil {
			return job.Usage("%s: inputs: %v", r.Contract, err)
		}
	}
	t.usual(ct)
	said := map[string]int{}
	for _, l := range t.file.Inputs {
		said[l.Name] = l.Len
	}
	t.keeps, err = ct.C(func(p *cfront.Var) int { return lengthOf(said[p.Name], p.Type.Elem) })
	if err != nil {
		return &symbolic.Unsupported{Pos: ct.Func.Range.Position(), What: err.Error()}
	}
	if t.dir, err = process.TempDir("gulo-formal-"); err != nil {
		return err
	}
	own := *r
	own.Entry, t.req = contract.Keeps, &own
	return nil
}

// usualNumber bounds numbers for which no range is given: contracts are usually about numbers whose sums and products
// fit, too.
const usualNumber = 1000

// usual bounds the integer parameters if the job says nothing about any input.
func (t *task) usual(ct *contract.Contract) {
	if len(t.file.Inputs) > 0 || t.file.Pre != "" {
		return
	}
	lo, hi := int64(-usualNumber), int64(usualNumber)
	after := false // the parameter before is an array
	for _, p := range ct.Func.Params {
		typ := p.Type
		array := typ.Kind == ctype.Pointer
		if array {
			typ = typ.Elem
		}
		if typ.IsInteger() && typ.Size > 2 && !(after && !array) { // a number after an array may be its length
			l := job.Input{Name: p.Name, Min: &lo, Max: &hi}
			if !typ.Signed {
				l.Min = new(int64)
			}
			t.file.Inputs = append(t.file.Inputs, l)
		}
		after = array
	}
	if len(t.file.Inputs) > 0 {
		t.guessed = true
		t.notes = append(t.notes, fmt.Sprintf("numbers of which --inputs says nothing are from -%d to %d", usualNumber, usualNumber))
	}
}

// specifies reports whether a function belongs to the specification and not to the program.
func (t *task) specifies(f *cfront.Func) bool {
	return t.keeps != "" && (f.Name == contract.Keeps || f.Name == contract.Met || f.Name == contract.Kept || strings.HasPrefix(f.Name, "gulo_term"))
}

// called returns the name of the contract's function or, without a contract, of the entry.
func (t *task) called() string {
	if t.of != nil {
		return t.of.Name
	}
	return t.entry.Name
}
