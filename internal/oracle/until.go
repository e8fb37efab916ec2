package oracle

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/plural"
)

// This file is about whole runs that end in their middle, where the picture of a stopped program is asserted. A call
// entered in a state that is already wrong cannot be judged by itself, but the run from its beginning can.

// Until is where a run ends: inside or after a call of a function.
type Until struct {
	Func   *cfront.Func
	Call   int         // number of the call, from 1; nested calls of the same function belong to it
	Stmt   int32       // statement about to be executed there
	Inside bool        // at the end of the call, not in the caller
	Visit  int         // in the middle of the call: when Stmt is next for the Visit-th time, from 1; 0: at the end
	Level  int         // with Visit: depth of calls below this one
	Want   *heap.Image // memory that is asserted
	Result *ctype.Word // result that is asserted; nil: none

	// Counts reports whether a variable of an active function is asserted; frame 0 is
	// the innermost.
	Counts func(v *cfront.Var, frame int) bool

	// Leads reports whether the target of a variable is asserted although the variable is not, as callers still read
	// it. nil: never.
	Leads func(v *cfront.Var, frame int) bool

	// Printed is what the program has printed so far; nil if that does not count.
	Printed *string

	Leaves bool // Run.Lost is needed

	// Begin is the memory at the call's first statement; nil if not known.
	Begin *heap.Image

	// Own maps a statement to the statement of the pictured program that it stands for; 0 if there is none. nil: each
	// stands for itself.
	Own func(stmt int32) int32
}

// AsDrawn returns what is wanted of a case that ends in its middle: no difference from what is asserted there.
func AsDrawn() *Run { return &Run{Steps: maxSteps, cells: []uint64{}} }

// progress is how far a run has come towards its end.
type progress struct {
	calls   int
	inside  int  // depth of the outermost active call; 0: none is active
	left    int  // depth of the last call that returned
	ended   bool // the last statement was the end of the call
	visits  int  // visits of Until.Stmt in the call
	reached bool
}

// at updates the progress at the beginning of a statement and reports whether the run ends there.
func (g *progress) at(u *Until, st *lower.Stmt, depth int) bool {
	if g.inside > 0 && depth < g.inside {
		g.left, g.inside = g.inside, 0
	}
	if st.Func == u.Func && (g.inside == 0 || depth == g.inside && g.ended) {
		g.inside = depth
		g.calls++
	}
	g.ended = st.Kind == lower.End && depth == g.inside
	switch {
	case g.calls < u.Call:
		return false
	case u.Visit > 0:
		if g.calls == u.Call && g.inside > 0 && depth-g.inside == u.Level && st.ID == u.Stmt {
			g.visits++
		}
		return g.visits >= u.Visit || g.calls > u.Call
	case u.Inside:
		return g.inside == depth && st.ID == u.Stmt
	}
	return g.calls > u.Call || g.inside == 0 && depth < g.left
}

// RunUntil runs a case until stop returns true at the beginning of a statement, or until the case ends. stop may be
// nil.
func (r *Runner) RunUntil(c *Case, stop func(stmt int32, library bool) bool) *machine.Fault {
	if c.Until == nil {
		return r.M.RunUntil(stop)
	}
	if r.come.reached {
		return nil
	}
	if stop == nil {
		stop = func(int32, bool) bool { return false }
	}
	return r.M.RunUntil(func(id int32, library bool) bool {
		if library || id <= 0 { // places have negative numbers
			return stop(id, library)
		}
		own := id
		if c.Until.Own != nil {
			if own = c.Until.Own(id); own == 0 {
				return stop(id, library)
			}
		}
		if st := r.Suite.Prog.Stmts[own]; st != nil && r.come.at(c.Until, st, r.M.Depth()) {
			r.come.reached = true
			return true
		}
		return stop(id, library)
	})
}

// ended lists the differences between what is asserted and the machine, where the run of a case has stopped.
func (r *Runner) ended(c *Case) []string {
	u := c.Until
	if !r.come.reached {
		return []string{fmt.Sprintf("call %d of %s is never made", u.Call, u.Func.Name)}
	}
	at := r.M.CurrentStmt()
	if u.Own != nil && at > 0 {
		at = u.Own(at)
	}
	if at != u.Stmt {
		return []string{fmt.Sprintf("another way after call %d of %s", u.Call, u.Func.Name)}
	}
	if u.Printed != nil && *u.Printed != r.out.String() {
		return []string{"something else is printed before"}
	}
	return pictured(r.Suite.Prog, u.Want, r.M, u.Counts, u.Leads, u.Result, u.Func)
}

// CallNumber returns the number of the call of f, for Until.Call, whose beginning an image shows, in the run of a
// program with edits. It is 0 if there is none.
func CallNumber(ctx context.Context, p *lower.Program, f *cfront.Func, in Start, edits []*lower.Overlay, im *heap.Image) int {
	if edits == nil {
		edits = []*lower.Overlay{}
	}
	r, err := NewRunner(&Suite{Prog: p, Env: in.Env})
	if err != nil {
		return 0
	}
	c := &Case{Args: in.Args, Stdin: in.Stdin, Until: &Until{Func: f, Call: maxEarlier}}
	if r.Begin(c, edits) != nil {
		return 0
	}
	defer r.End()
	found, calls := 0, 0
	defer func() { in.spend(budget.Run + r.M.Steps() + int64(calls)*budget.Image) }()
	every := func(*cfront.Var, int) bool { return true } // to distinguish calls in a loop
	r.RunUntil(c, func(id int32, library bool) bool {
		if library || r.come.calls == calls || ctx.Err() != nil {
			return ctx.Err() != nil
		}
		calls = r.come.calls
		if len(pictured(p, im, r.M, every, nil, nil, f)) == 0 {
			found = calls
		}
		return found > 0
	})
	return found
}

// Visit runs a program with edits until it is in the state that an image shows, about to execute the statement from. It
// returns how often the statement stmt of main was next before that, and how often from was, including the last time.
// visits is -1 if the run does not reach that state.
func Visit(ctx context.Context, p *lower.Program, in Start, edits []*lower.Overlay, from int32, im *heap.Image, stmt int32) (visits, began int) {
	if edits == nil {
		edits = []*lower.Overlay{}
	}
	r, err := NewRunner(&Suite{Prog: p, Env: in.Env})
	if err != nil {
		return -1, 0
	}
	c := &Case{Args: in.Args, Stdin: in.Stdin}
	if r.Begin(c, edits) != nil {
		return -1, 0
	}
	defer r.End()
	looks, found, depth := 0, -1, r.M.Depth()
	defer func() { in.spend(budget.Run + r.M.Steps() + int64(looks)*budget.Image) }()
	main := p.Stmts[from].Func
	every := func(*cfront.Var, int) bool { return true }
	r.M.RunUntil(func(id int32, library bool) bool {
		if ctx.Err() != nil || looks > maxLooks {
			return true
		}
		if library || id <= 0 || r.M.Depth() != depth {
			return false
		}
		if id == from {
			began++
			if looks++; len(pictured(p, im, r.M, every, nil, nil, main)) == 0 {
				found = visits
				return true
			}
		}
		if id == stmt {
			visits++
		}
		return false
	})
	return found, began
}

// maxLooks bounds how often Visit compares the machine with an image.
const maxLooks = 2_000

// picture compares an image with a machine.
type picture struct {
	want  *heap.Image
	m     *machine.Machine
	types map[ctype.Word]*ctype.Type // types of the image's objects
	pairs map[ctype.Word]ctype.Word  // objects of the image, and the machine's object that corresponds
	// back is the inverse of pairs.
	back  map[ctype.Word]ctype.Word
	todo  []paired
	out   []string
	named ctype.Word // address of argv[0] in the image, which differs here; 0 if there is none
}

type paired struct {
	name string
	o    *heap.Object
	at   ctype.Word
	elem *ctype.Type
}

// maxDiffers bounds the differences that are listed.
const maxDiffers = 40

// pictured lists the differences between an image and a stopped machine. Where the image does not know a value, any
// value is accepted.
func pictured(p *lower.Program, want *heap.Image, m *machine.Machine, counts, leads func(*cfront.Var, int) bool, result *ctype.Word, f *cfront.Func) []string {
	k := &picture{want: want, m: m, types: typesIn(want), pairs: map[ctype.Word]ctype.Word{}, back: map[ctype.Word]ctype.Word{}}
	var frames []machine.FrameInfo
	for _, c := range m.Calls() {
		if !c.Library {
			frames = append(frames, c)
		}
	}
	same := len(frames) == len(want.Frames)
	for i := 0; same && i < len(frames); i++ {
		same = frames[i].Func.Decl == any(want.Frames[i].Func)
	}
	if !same {
		return []string{"other functions are active"}
	}
	k.named = programName(want)
	for _, o := range want.All() {
		switch {
		case o.Kind == heap.Global:
			if i, ok := p.GlobalIndex(o.Var); ok {
				k.variable(o, m.GlobalAddr(i), true)
			}
		case o.Kind == heap.Local && o.Frame >= 0 && o.Frame < len(frames):
			c := frames[o.Frame]
			for i, x := range c.Func.Objects {
				if x.Var == any(o.Var) {
					k.variable(o, m.ObjectAddr(c, i), counts(o.Var, o.Frame))
				}
			}
			if o.Var.VLALen != nil {
				k.array(o, c, counts(o.Var, o.Frame))
			}
		}
	}
	if result != nil {
		w, ok := m.Result()
		switch t := f.Type.Result; {
		case ok && t.Kind == ctype.Pointer:
			k.pointer("the result", *result, w, t.Elem)
		case !ok || w != *result:
			k.differ("the result is %d", int64(w))
		}
	}
	done := k.objects(0)
	if leads != nil {
		for _, o := range want.All() {
			if o.Kind == heap.Local && o.Frame >= 0 && leads(o.Var, o.Frame) && !counts(o.Var, o.Frame) && o.Var.Type.Kind == ctype.Pointer {
				k.led(o)
			}
		}
		k.objects(done)
	}
	live := 0
	for _, b := range m.HeapBlocks() {
		if !b.Freed {
			live++
		}
	}
	for _, o := range want.All() {
		if o.Kind == heap.Node && o.Live {
			live--
		}
	}
	if live > 0 {
		k.differ("%s of memory", plural.N(live, "more block"))
	}
	return k.out
}

// programName returns the address of the program's name in an image. The name is the user's in a session and another
// one in runs. It is 0 if main's arguments are not in the image.
func programName(im *heap.Image) ctype.Word {
	if len(im.Frames) == 0 {
		return 0
	}
	main := im.Frames[len(im.Frames)-1].Func
	if main.Name != "main" || len(main.Params) < 2 {
		return 0
	}
	for _, o := range im.All() {
		if o.Kind != heap.Local || o.Var != main.Params[1] || o.Frame != len(im.Frames)-1 {
			continue
		}
		w, _ := im.Load(o.Addr, o.Var.Type)
		if v := im.Find(w); v != nil {
			first, _ := im.Load(v.Addr, o.Var.Type)
			if t := im.Find(first); t != nil && t.Kind == heap.Static {
				return t.Addr
			}
		}
	}
	return 0
}

func (k *picture) differ(format string, args ...any) {
	if len(k.out) < maxDiffers {
		k.out = append(k.out, fmt.Sprintf(format, args...))
	}
}

// variable notes where a variable is, and compares its value if it counts.
func (k *picture) variable(o *heap.Object, at ctype.Word, counts bool) {
	k.pairs[o.Addr], k.back[at] = at, o.Addr
	if counts {
		k.value(o.Var.Name, o.Addr, at, o.TypeOf())
	}
}

// array does what variable does, for an array of variable length.
func (k *picture) array(o *heap.Object, c machine.FrameInfo, counts bool) {
	r, ok := c.Func.VarReg[o.Var]
	if !ok {
		return
	}
	a, size, ok := k.m.Array(c, r)
	switch {
	case ok && size == int64(len(o.Data)):
		k.variable(o, a, counts)
	case counts && o.Undef == nil:
		k.differ("%s has another length", o.Var.Name)
	}
}

// objects compares the blocks that were reached, from the i-th on, and returns how many there are now.
func (k *picture) objects(i int) int {
	for ; i < len(k.todo); i++ {
		k.object(k.todo[i])
	}
	return i
}

// led follows a pointer that is not compared itself. If it points to a node both in the image and in the machine, and
// neither is paired with another one yet, the two are paired.
func (k *picture) led(v *heap.Object) {
	at, known := k.pairs[v.Addr]
	w, ok := k.want.Load(v.Addr, v.Var.Type)
	var buf [8]byte
	if !known || !ok || !k.want.Known(v.Addr, v.Var.Type.Size) || !k.m.Read(at, buf[:]) {
		return
	}
	g := ctype.Load(v.Var.Type, buf[:])
	o, b := k.want.Find(w), k.m.Block(id(g))
	_, off := ctype.SplitPointer(g)
	if w < 4096 || g < 4096 || o == nil || o.Kind != heap.Node || !o.Live || b == nil || b.Freed || int64(w-o.Addr) != int64(off) {
		return
	}
	base := g - ctype.Word(off)
	_, met := k.pairs[o.Addr]
	_, taken := k.back[base]
	if !met && !taken {
		k.pairs[o.Addr], k.back[base] = base, o.Addr
		k.todo = append(k.todo, paired{v.Var.Name, o, base, v.Var.Type.Elem})
	}
}

// object compares a block of memory: by its type if that is known, else word by word.
func (k *picture) object(x paired) {
	if x.o.Addr == k.named {
		return
	}
	t := k.types[x.o.Addr]
	if t == nil {
		t = x.elem
	}
	size := int64(len(x.o.Data))
	if b := k.m.Block(id(x.at)); b != nil {
		size = min(size, b.Size)
	}
	if t == nil || t.Size <= 1 || t.Size > size { // bytes may hold anything
		k.words(x.name, x.o.Addr, x.at, size)
		return
	}
	whole := size - size%t.Size
	for off := int64(0); off < whole; off += t.Size {
		name := x.name
		if size > t.Size {
			name = fmt.Sprintf("%s[%d]", x.name, off/t.Size)
		}
		k.value(name, x.o.Addr+ctype.Word(off), x.at+ctype.Word(off), t)
	}
	k.words(x.name, x.o.Addr+ctype.Word(whole), x.at+ctype.Word(whole), size-whole)
}

func id(w ctype.Word) uint32 { i, _ := ctype.SplitPointer(w); return i }

// value compares the values of type t at two addresses.
func (k *picture) value(name string, want, got ctype.Word, t *ctype.Type) {
	if len(k.out) >= maxDiffers {
		return
	}
	switch {
	case t.Kind == ctype.Array && t.Elem.Size == 1:
		k.words(name, want, got, t.Size)
	case t.Kind == ctype.Array:
		for i := int64(0); i < t.Len; i++ {
			off := ctype.Word(i * t.Elem.Size)
			k.value(fmt.Sprintf("%s[%d]", name, i), want+off, got+off, t.Elem)
		}
	case t.Kind == ctype.Struct && !slices.ContainsFunc(t.Fields, func(f ctype.Field) bool { return f.BitLen > 0 }):
		for _, f := range t.Fields {
			k.value(name+"."+f.Name, want+ctype.Word(f.Offset), got+ctype.Word(f.Offset), f.Type)
		}
	case !t.IsScalar():
		k.words(name, want, got, t.Size)
	case !k.want.Known(want, t.Size):
	default:
		w, ok := k.want.Load(want, t)
		if !ok {
			return
		}
		var buf [8]byte
		if !k.m.Read(got, buf[:t.Size]) || !k.m.Initialized(got, t.Size) {
			k.differ("%s is never set", name)
			return
		}
		g := ctype.Load(t, buf[:])
		if t.Kind != ctype.Pointer {
			if a, ok := k.want.Untagged(w, t); ok && w != g { // the same tag on another address
				k.pointer(name, a, g^w^a, nil)
			} else if w != g {
				k.differ("%s is %d", name, int64(g))
			}
			return
		}
		k.pointer(name, w, g, t.Elem)
	}
}

// words compares memory whose type is unknown, or that has several types. Words that look like pointers are compared as
// pointers.
func (k *picture) words(name string, want, got ctype.Word, size int64) {
	const word = 8
	for off := int64(0); off < size; {
		a, b := want+ctype.Word(off), got+ctype.Word(off)
		if off+word <= size && k.want.Known(a, word) {
			w, ok := k.want.Load(a, ctype.ULongT)
			var buf [word]byte
			if ok && w >= 4096 && k.want.Find(w) != nil && k.m.Read(b, buf[:]) && k.m.Block(id(ctype.Load(ctype.ULongT, buf[:]))) != nil {
				k.pointer(fmt.Sprintf("%s+%d", name, off), w, ctype.Load(ctype.ULongT, buf[:]), nil)
				off += word
				continue
			}
		}
		k.value(fmt.Sprintf("%s+%d", name, off), a, b, ctype.UCharT)
		off++
	}
}

// pointer compares two pointers.
func (k *picture) pointer(name string, w, g ctype.Word, elem *ctype.Type) {
	if w < 4096 || g < 4096 { // small words are no pointers, whatever their type
		if w != g {
			k.differ("%s points elsewhere", name)
		}
		return
	}
	o, b := k.want.Find(w), k.m.Block(id(g))
	live := b != nil && !b.Freed
	if o == nil || !o.Live {
		f := ""
		if o == nil && k.want.FuncOf != nil {
			f = k.want.FuncOf(w)
		}
		there := k.m.FuncName(g)
		if there == "" {
			there = k.m.StreamName(g)
		}
		_, off := ctype.SplitPointer(g)
		// Outside the block, neither points to anything.
		if f != there || f == "" && live && off >= 0 && int64(off) <= b.Size {
			k.differ("%s points elsewhere", name)
		}
		return
	}
	_, off := ctype.SplitPointer(g)
	if !live || int64(w-o.Addr) != int64(off) {
		k.differ("%s points elsewhere", name)
		return
	}
	base := g - ctype.Word(off)
	x, met := k.pairs[o.Addr]
	y, taken := k.back[base]
	if met && x != base || taken && y != o.Addr {
		k.differ("%s points elsewhere", name)
		return
	}
	if !met {
		k.pairs[o.Addr], k.back[base] = base, o.Addr
		k.todo = append(k.todo, paired{strings.TrimPrefix(name, "*"), o, base, elem})
	}
}
