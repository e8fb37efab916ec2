package oracle

import (
	"context"
	"fmt"
	"slices"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/target"
	"gulo/internal/target/sim"
)

// This file turns pictures of a stopped program into cases: what a function was called with, and what the user says
// that it must leave.

// typed returns, by address, the types of a state's objects that are known independently of the pointers to them.
func (l *layout) typed(s *State) map[ctype.Word]*ctype.Type {
	var out map[ctype.Word]*ctype.Type
	for i := range s.Objects {
		if s.Objects[i].Typed && l.addrs[i] != 0 {
			if out == nil {
				out = map[ctype.Word]*ctype.Type{}
			}
			out[l.addrs[i]] = l.types[i]
		}
	}
	return out
}

// typesIn returns, by address, the types of an image's objects: those of variables, and those of nodes if pointers to
// their beginning tell.
func typesIn(im *heap.Image) map[ctype.Word]*ctype.Type {
	out := map[ctype.Word]*ctype.Type{}
	for _, n := range heap.NewGraph(im, func(*heap.Object) bool { return true }).Nodes {
		if n.Type != nil && n.Type.IsAggregate() {
			out[n.Addr] = n.Type
		}
	}
	for _, o := range im.All() {
		if o.Var != nil && o.TypeOf().IsAggregate() {
			out[o.Addr] = o.TypeOf()
		}
	}
	return out
}

// pictureMemory takes states from images.
type pictureMemory struct{ im *heap.Image }

func (m pictureMemory) load(a ctype.Word, t *ctype.Type) (ctype.Word, bool, bool) {
	w, ok := m.im.Load(a, t)
	return w, ok, m.im.Known(a, t.Size)
}

func (m pictureMemory) block(a ctype.Word) (ctype.Word, int64, bool, bool) {
	o := m.im.Find(a)
	if o == nil || o.Kind == heap.Node && !o.Live {
		return 0, 0, false, false
	}
	return o.Addr, int64(len(o.Data)), o.Kind == heap.Node, true
}

func (m pictureMemory) name(a ctype.Word) string {
	o := m.im.Find(a)
	switch {
	case o == nil && m.im.FuncOf != nil:
		return m.im.FuncOf(a)
	case o == nil:
		return ""
	case o.Kind == heap.Static && o.ReadOnly:
		return lower.LiteralName(o.Data)
	case o.Kind == heap.Global && o.Addr == a:
		return o.Var.Name
	}
	return ""
}

// CallIn returns the state of a call of f. The image is taken at the call's first statement.
func CallIn(im *heap.Image, f *cfront.Func) (*State, error) { return callIn(im, f, nil) }

// callIn is CallIn with memory: were maps the numbers of nodes to the types that they had in earlier images, in which
// pointers led to their beginnings. It is used and updated.
func callIn(im *heap.Image, f *cfront.Func, were map[int]*ctype.Type) (*State, error) {
	k := newTaker(pictureMemory{im})
	k.types = typesIn(im)
	for _, o := range im.All() {
		if o.Kind != heap.Node || !o.Live || were == nil {
			continue
		}
		if t := k.types[o.Addr]; t != nil {
			were[o.Seq] = t
		} else if t := were[o.Seq]; t != nil && t.Size <= int64(len(o.Data)) {
			k.types[o.Addr] = t
		}
	}
	for _, p := range f.Params {
		a, ok := im.VarAddr(p)
		if ok && p.Type.IsScalar() {
			_, ok = im.Load(a, p.Type)
		}
		if !ok {
			return nil, &Mismatch{fmt.Sprintf("argument %s is not known", p.Name)}
		}
		k.state.Args = append(k.state.Args, k.given(im, a, p.Type))
	}
	k.globals(im)
	k.rest()
	for i, base := range k.todo {
		switch o := im.Find(base); {
		case o == nil || o.Addr != base:
		case o.Kind == heap.Node:
			k.state.Objects[i].Node = o.Seq
		case o.Kind == heap.Local:
			k.state.Objects[i].Var = o.Var
		}
	}
	return k.state, nil
}

// given takes the value of a parameter whose address in an image is a. What it points to is taken from the taker's own
// memory.
func (k *taker) given(im *heap.Image, a ctype.Word, t *ctype.Type) Value {
	if t.InMemory() {
		return k.whole(pictureMemory{im}, a, t)
	}
	w, _ := im.Load(a, t)
	return k.word(w, t)
}

func (k *taker) globals(im *heap.Image) {
	for _, o := range im.All() {
		if o.Kind == heap.Global {
			k.global(nameOf(o.Var), o.Addr, o.Var.Type)
		}
	}
}

// Left returns what a call left, in the form that a suite over all arguments and globals wants. The call began in image
// start and ended in image end. result is what the call returned; if it is nil, it is unknown and the suite must not
// ask for it. What a call prints is not part of an image.
func Left(start, end *heap.Image, f *cfront.Func, result *ctype.Word, s *Suite) (*Run, error) {
	end = end.Clone()
	for _, o := range start.All() {
		if o.Kind == heap.Static && end.Find(o.Addr) == nil { // it still exists, although nothing points to it
			end.Add(o)
			end.Sort()
		}
	}
	k := newTaker(pictureMemory{end})
	k.types = typesIn(start)
	for _, v := range s.Prog.Tree.Globals {
		if o := globalObject(end, v); o != nil && contains(s.Globals, nameOf(v)) {
			k.global(nameOf(v), o.Addr, v.Type)
		}
	}
	for _, p := range f.Params {
		a, _ := start.VarAddr(p)
		if _, ok := start.Load(a, p.Type); !ok && p.Type.IsScalar() {
			return nil, &Mismatch{fmt.Sprintf("argument %s is not known", p.Name)}
		}
		k.state.Args = append(k.state.Args, k.given(start, a, p.Type))
	}
	var res []Cell
	if result != nil {
		res = []Cell{{Value: k.word(*result, f.Type.Result)}}
	}
	k.rest()
	out := &Run{State: k.state.text(res, s.Globals, s.Args), Steps: 2_000, Mute: true}
	met := newTaker(pictureMemory{start})
	met.types = k.types
	for _, p := range f.Params {
		a, _ := start.VarAddr(p)
		met.given(start, a, p.Type)
	}
	met.globals(start)
	met.rest()
	for _, o := range end.All() {
		_, here := k.ids[o.Addr]
		_, there := met.ids[o.Addr]
		before := start.Find(o.Addr)
		if o.Kind == heap.Node && o.Live && !here && (there || before == nil || !before.Live) {
			out.Lost++
		}
	}
	return out, nil
}

func globalObject(im *heap.Image, v *cfront.Var) *heap.Object {
	i := slices.IndexFunc(im.All(), func(o *heap.Object) bool { return o.Kind == heap.Global && o.Var == v })
	if i < 0 {
		return nil
	}
	return im.All()[i]
}

// Calls returns a suite without cases over all arguments of f and the global variables in an image.
func Calls(p *lower.Program, f *cfront.Func, im *heap.Image) *Suite {
	s := &Suite{Prog: p, Entry: f, Args: indices(len(f.Params))}
	for _, o := range im.All() {
		if o.Kind == heap.Global {
			s.Globals = append(s.Globals, nameOf(o.Var))
		}
	}
	sortStrings(s.Globals)
	s.Globals = slices.Compact(s.Globals)
	return s
}

// Bounds of eachCall: calls, and objects in all their images together.
const (
	maxEarlier = 100
	maxPicture = 100_000
)

// Start is the input of a run.
type Start struct {
	Args  []string
	Stdin string
	Env   []string          // NAME=VALUE
	Spend func(steps int64) // called with costs while calls are observed in a run; may be nil
}

// spend reports a cost.
func (in *Start) spend(steps int64) {
	if in.Spend != nil {
		in.Spend(steps)
	}
}

// eachCall runs a program on the machine and passes each call of f to visit, as an image at its first statement, with
// the number of active calls of f. It stops when visit returns false, when the run ends, or when too much was captured.
// done says that visit stopped it.
func eachCall(ctx context.Context, p *lower.Program, f *cfront.Func, in Start, visit func(im *heap.Image, active int) (more bool, err error)) (done bool, err error) {
	t := sim.New(p, sim.Config{Name: "program", Args: in.Args, Env: in.Env, MaxSteps: 2_000_000})
	defer t.Close()
	t.Input(in.Stdin)
	t.EndInput()
	i, ok := p.FuncIndex(f)
	if !ok || p.IR.Main < 0 {
		return false, nil
	}
	stop, err := t.Start(ctx)
	if err != nil {
		return false, err
	}
	first := p.First(i).Next
	objects := 0
	defer func() { in.spend(budget.Run + t.Steps() + int64(objects)*budget.Object) }()
	for n := 0; n < maxEarlier; n++ {
		if n > 0 || stop.Stmt != first {
			if stop, err = t.Resume(ctx, target.Continue, map[int32]bool{first: true}); err != nil {
				return false, nil
			}
		}
		if stop.Stmt != first || stop.Reason != target.Breakpoint && stop.Reason != target.Stepped {
			return false, nil
		}
		now, err := target.Capture(t)
		if err != nil {
			return false, err
		}
		now.SetTypes(p.Tree)
		in.spend(budget.Image)
		if objects += now.Len(); objects > maxPicture {
			return false, nil
		}
		if more, err := visit(now, active(t, f)); err != nil || !more {
			return err == nil, err
		}
	}
	return false, nil
}

// EarlierCalls runs a program on the machine and returns the states of the calls of f before the one that an image
// shows at its first statement. Calls inside other calls of f are left out. met is false if no call in the run is that
// one.
func EarlierCalls(ctx context.Context, p *lower.Program, f *cfront.Func, in Start, im *heap.Image) (earlier []*State, met bool, err error) {
	want, err := CallIn(im, f)
	if err != nil {
		return nil, false, err
	}
	suite := Calls(p, f, im)
	text := func(s *State) string { return s.text(nil, suite.Globals, suite.Args) }
	met, err = eachCall(ctx, p, f, in, func(now *heap.Image, active int) (bool, error) {
		s, err := CallIn(now, f)
		if err != nil {
			return false, err
		}
		inside := active > 1
		if text(s) == text(want) {
			if inside { // the call around it has not ended
				earlier = earlier[:len(earlier)-1]
			}
			return false, nil
		}
		if !inside {
			s.Text = fmt.Sprintf("call %d of %s", len(earlier)+1, f.Name)
			earlier = append(earlier, s)
		}
		return true, nil
	})
	return earlier, met, err
}

// SameCall reports whether two images show calls of f that begin with the same state, as far as f can see.
func SameCall(p *lower.Program, f *cfront.Func, a, b *heap.Image) bool {
	x, err := CallIn(a, f)
	if err != nil {
		return false
	}
	y, err := CallIn(b, f)
	if err != nil {
		return false
	}
	of := Calls(p, f, a)
	return x.text(nil, of.Globals, of.Args) == y.text(nil, of.Globals, of.Args)
}

// Met runs a program on the machine and returns the different states in which f is called, of any shape and at most
// most. of names the run in the states' texts.
func Met(ctx context.Context, p *lower.Program, f *cfront.Func, in Start, of string, most int) ([]*State, error) {
	var states []*State
	seen, were := map[string]bool{}, map[int]*ctype.Type{}
	n := 0
	_, err := eachCall(ctx, p, f, in, func(now *heap.Image, _ int) (bool, error) {
		n++
		s, err := callIn(now, f, were)
		if err != nil {
			return false, err
		}
		if k := s.Identity(); !seen[k] {
			seen[k] = true
			s.Text = fmt.Sprintf("call %d of %s in %s", n, f.Name, of)
			states = append(states, s)
		}
		return len(states) < most, nil
	})
	return states, err
}

// Called runs a program on the machine and returns the states of the first calls of f, in order and at most most.
func Called(ctx context.Context, p *lower.Program, f *cfront.Func, in Start, most int) (states []*State, err error) {
	were := map[int]*ctype.Type{}
	_, err = eachCall(ctx, p, f, in, func(now *heap.Image, _ int) (bool, error) {
		s, err := callIn(now, f, were)
		if err != nil {
			return false, err
		}
		states = append(states, s)
		return len(states) < most, nil
	})
	return states, err
}

// active counts the calls of f that have not returned.
func active(t *sim.Target, f *cfront.Func) int {
	fs, err := t.Frames()
	if err != nil {
		return 0
	}
	n := 0
	for i := range fs {
		if fs[i].Func == f {
			n++
		}
	}
	return n
}
