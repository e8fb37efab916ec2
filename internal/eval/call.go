package eval

import (
	"errors"
	"fmt"
	"math"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file evaluates calls: those of library functions that only allocate or compute, and those of functions of the
// program, which are interpreted on the syntax tree.

// Caller is Memory in which calls can be evaluated.
type Caller interface {
	Memory
	Call(x *cfront.Call) (ctype.Word, error)
}

// Errors of calls.
var (
	ErrEnter = errors.New("a call whose result is not known yet")
	ErrSteps = errors.New("a function called runs for too long")
	ErrAlloc = errors.New("no fresh node is left")
)

// Heap is Memory that can allocate.
type Heap interface {
	Memory
	Malloc(size int64, zero bool) (ctype.Word, error)
	Free(addr ctype.Word) error
}

// Library is Memory that can call functions of the C library in a program that stands still. Arguments and results are
// scalars; a result that is none is 0.
type Library interface {
	CallLibrary(f *cfront.Func, types []*ctype.Type, args []ctype.Word) (ctype.Word, error)
}

// World is a Heap in which calls can be evaluated. A World in which only Heap is set interprets every function that has
// a body.
type World struct {
	Heap
	// Known lists the results of calls that were executed elsewhere, in the order in which they are evaluated.
	// Elsewhere reports which functions those are. If Known has no result left for a call of such a function,
	// evaluation stops with ErrEnter; Args then has the arguments and Entered the function.
	Known     []ctype.Word
	Elsewhere func(f *cfront.Func) bool
	Args      []ctype.Word
	Entered   *cfront.Func
	// Edited and Inserted, if set, patch the functions that are interpreted. Edited returns the change of an expression
	// statement, a condition or a returned value. Inserted returns what is inserted before statement i of a block.
	Edited   func(x cfront.Expr) (Change, bool)
	Inserted func(b *cfront.Block, i int) (Change, bool)
	// Temps are variables that a patch adds to the functions interpreted.
	Temps []*cfront.Var
	// Quiet makes functions that write to standard output do nothing.
	Quiet bool

	used    int
	steps   int
	frames  []*activation
	objects []*activation // structs and wide values that calls were given or have returned
	next    ctype.Word
	at      cfront.Stmt
}

// Change is a patch of one statement. New replaces the statement; nil leaves it as it is. With a Guard, the statement
// is executed only if Guard holds. With Delete it is not executed at all.
type Change struct {
	New, Guard cfront.Expr
	Delete     bool
	Return     bool // for an insertion: the function returns New, or nothing if New is nil
}

// maxSteps limits the statements interpreted, and the bytes handled by library functions, in one evaluation.
const maxSteps = 20_000

// scratch is the first address of the variables of interpreted functions. No program has addresses from there on.
const scratch = ctype.Word(0xFFE0) << 48

type activation struct {
	vars map[*cfront.Var]ctype.Word
	base ctype.Word
	data []byte
	set  []bool
	ret  ctype.Word
}

// Steps returns how many statements the last evaluation interpreted, plus the bytes that library functions handled.
func (w *World) Steps() int { return w.steps }

// Reset forgets the calls of an earlier evaluation.
func (w *World) Reset() {
	w.used, w.steps, w.frames, w.next, w.Args, w.Entered, w.objects = 0, 0, nil, 0, nil, nil, nil
}

func (w *World) local(a ctype.Word, n int64) (*activation, int64) {
	if a < scratch {
		return nil, 0
	}
	for i := len(w.frames) - 1; i >= 0; i-- {
		if f := w.frames[i]; f.holds(a, n) {
			return f, int64(a - f.base)
		}
	}
	for _, f := range w.objects {
		if f.holds(a, n) {
			return f, int64(a - f.base)
		}
	}
	return nil, 0
}

func (f *activation) holds(a ctype.Word, n int64) bool {
	off := a - f.base
	return a >= f.base && off <= ctype.Word(len(f.data)) && ctype.Word(n) <= ctype.Word(len(f.data))-off
}

// Own reports whether an address is in memory of the functions that are interpreted.
func (w *World) Own(a ctype.Word) bool {
	f, _ := w.local(a, 1)
	return f != nil
}

// object copies a struct or wide value that a function returns or is given to scratch memory. It returns the address of
// the copy.
func (w *World) object(x cfront.Expr) (ctype.Word, error) {
	n := x.Type().Size
	if x.Type().IsWide() {
		b, err := Bytes(w, x)
		if err != nil {
			return 0, err
		}
		o := &activation{base: scratch + w.next, data: b, set: make([]bool, n)}
		for i := range o.set {
			o.set[i] = true
		}
		w.next += ctype.Word(n+64) &^ 15
		w.objects = append(w.objects, o)
		return o.base, nil
	}
	from, err := Addr(w, x)
	if err != nil {
		return 0, err
	}
	o := &activation{base: scratch + w.next, data: make([]byte, n), set: make([]bool, n)}
	w.next += ctype.Word(n+64) &^ 15
	w.objects = append(w.objects, o)
	return o.base, copyTo(w, o.base, from, n)
}

// Load implements Memory.
func (w *World) Load(a ctype.Word, t *ctype.Type) (ctype.Word, bool) {
	if f, off := w.local(a, t.Size); f != nil {
		return ctype.Load(t, f.data[off:]), f.set[off]
	}
	return w.Heap.Load(a, t)
}

// Store implements Memory.
func (w *World) Store(a ctype.Word, t *ctype.Type, v ctype.Word) bool {
	if f, off := w.local(a, t.Size); f != nil {
		ctype.Store(t, f.data[off:], v)
		for i := off; i < off+t.Size; i++ {
			f.set[i] = true
		}
		return true
	}
	return w.Heap.Store(a, t, v)
}

// VarAddr implements Memory.
func (w *World) VarAddr(v *cfront.Var) (ctype.Word, bool) {
	if n := len(w.frames); n > 0 {
		if a, ok := w.frames[n-1].vars[v]; ok {
			return a, true
		}
		if v.Func != nil && v.Storage != cfront.Static || v.Storage == cfront.Local || v.Storage == cfront.Param {
			return 0, false
		}
	}
	return w.Heap.VarAddr(v)
}

// Literal implements Literals.
func (w *World) Literal(s *cfront.String) (ctype.Word, bool) {
	if l, ok := w.Heap.(Literals); ok {
		return l.Literal(s)
	}
	return 0, false
}

// Call implements Caller.
func (w *World) Call(x *cfront.Call) (ctype.Word, error) {
	f, err := w.called(x.Fun)
	if err != nil {
		return 0, err
	}
	elsewhere := len(w.frames) == 0 && w.Elsewhere != nil && w.Elsewhere(f)
	if elsewhere && w.used < len(w.Known) && !w.callsElsewhere(x.Args) {
		w.used++ // its arguments were evaluated when the call was entered
		return w.Known[w.used-1], nil
	}
	// gcc evaluates arguments from the last to the first.
	args := make([]ctype.Word, len(x.Args))
	for i := len(args) - 1; i >= 0; i-- {
		if t := x.Args[i].Type(); t.InMemory() && !elsewhere && f.Body != nil {
			a, err := w.object(x.Args[i])
			if err != nil {
				return 0, err
			}
			args[i] = a
			continue
		} else if !t.IsScalar() {
			return 0, fmt.Errorf("%w: an argument that is no scalar", ErrSupport)
		}
		if _, text := cfront.Skip(x.Args[i]).(*cfront.String); text && w.Quiet {
			continue
		}
		v, err := Value(w, x.Args[i])
		if err != nil {
			return 0, err
		}
		args[i] = v
	}
	if elsewhere {
		if w.used < len(w.Known) {
			w.used++
			return w.Known[w.used-1], nil
		}
		w.Args, w.Entered = args, f
		return 0, ErrEnter
	}
	if f.Body == nil {
		v, err := w.library(f.Name, args)
		if l, ok := w.Heap.(Library); ok && errors.Is(err, ErrSupport) {
			types := make([]*ctype.Type, len(args))
			for i, a := range x.Args {
				types[i] = a.Type()
			}
			return l.CallLibrary(f, types, args)
		}
		return v, err
	}
	return w.interpret(f, args)
}

// called returns the function that a call calls.
func (w *World) called(x cfront.Expr) (*cfront.Func, error) {
	if ref, ok := cfront.Skip(x).(*cfront.FuncRef); ok {
		return ref.Func, nil
	}
	if d, ok := cfront.Skip(x).(*cfront.Decay); ok {
		if ref, ok := d.X.(*cfront.FuncRef); ok {
			return ref.Func, nil
		}
	}
	fs, ok := w.Heap.(Functions)
	if !ok {
		return nil, fmt.Errorf("%w: a call through a pointer", ErrSupport)
	}
	a, err := Value(w, x)
	if err != nil {
		return nil, err
	}
	if f := fs.FuncAt(a); f != nil {
		return f, nil
	}
	if a < 4096 {
		return nil, fmt.Errorf("%s is null", cfront.Text(x))
	}
	return nil, fmt.Errorf("%w: %s points to no function of the program", ErrSupport, cfront.Text(x))
}

// FuncAddr implements Functions. It returns false if the Heap does not implement Functions.
func (w *World) FuncAddr(f *cfront.Func) (ctype.Word, bool) {
	if fs, ok := w.Heap.(Functions); ok {
		return fs.FuncAddr(f)
	}
	return 0, false
}

// FuncAt implements Functions.
func (w *World) FuncAt(a ctype.Word) *cfront.Func {
	if fs, ok := w.Heap.(Functions); ok {
		return fs.FuncAt(a)
	}
	return nil
}

// callsElsewhere reports whether expressions call functions that are executed elsewhere.
func (w *World) callsElsewhere(xs []cfront.Expr) bool {
	found := false
	for _, x := range xs {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if c, ok := y.(*cfront.Call); ok {
				if r, ok := cfront.Skip(c.Fun).(*cfront.FuncRef); ok && w.Elsewhere(r.Func) {
					found = true
				}
			}
			return !found
		})
	}
	return found
}

// library evaluates calls of library functions that only allocate or compute.
func (w *World) library(name string, args []ctype.Word) (ctype.Word, error) {
	switch {
	case name == "malloc" && len(args) == 1:
		return w.Malloc(int64(args[0]), false)
	case name == "calloc" && len(args) == 2:
		return w.Malloc(int64(args[0]*args[1]), true)
	case name == "free" && len(args) == 1:
		if args[0] == 0 {
			return 0, nil
		}
		return 0, w.Free(args[0])
	case name == "abs" && len(args) == 1:
		if int32(args[0]) < 0 {
			return ctype.Wrap(ctype.IntT, -args[0]), nil
		}
		return args[0], nil
	case name == "labs" && len(args) == 1:
		if int64(args[0]) < 0 {
			return -args[0], nil
		}
		return args[0], nil
	case (name == "toupper" || name == "tolower") && len(args) == 1:
		return letter(name, args[0]), nil
	case name == "difftime" && len(args) == 2:
		return ctype.OfFloat(ctype.DoubleT, float64(int64(args[0]-args[1]))), nil
	case exact[name] != nil && len(args) == 1:
		return ctype.OfFloat(ctype.DoubleT, exact[name](ctype.FloatOf(ctype.DoubleT, args[0]))), nil
	case name == "fmod" && len(args) == 2:
		return ctype.OfFloat(ctype.DoubleT, math.Mod(ctype.FloatOf(ctype.DoubleT, args[0]), ctype.FloatOf(ctype.DoubleT, args[1]))), nil
	case name == "strcmp" && len(args) == 2:
		return w.strcmp(args[0], args[1], maxSteps)
	case name == "strncmp" && len(args) == 3:
		return w.strcmp(args[0], args[1], args[2])
	case name == "strlen" && len(args) == 1:
		return w.strlen(args[0])
	case name == "strcpy" && len(args) == 2:
		n, err := w.strlen(args[1])
		if err != nil {
			return 0, err
		}
		return args[0], w.copyBytes(args[0], args[1], n+1)
	case name == "memcpy" && len(args) == 3:
		return args[0], w.copyBytes(args[0], args[1], args[2])
	case (name == "pthread_mutex_lock" || name == "pthread_mutex_unlock") && len(args) == 1:
		return w.mutex(name, args[0])
	case (name == "pthread_cond_signal" || name == "pthread_cond_broadcast") && len(args) == 1: // there is no other thread
		return 0, nil
	case w.Quiet && (name == "printf" || name == "puts" || name == "putchar" || name == "fflush"):
		return 0, nil
	}
	return 0, fmt.Errorf("%w: a call of %s", ErrSupport, name)
}

// exact has the mathematical functions with exactly one right result.
var exact = map[string]func(float64) float64{
	"sqrt": math.Sqrt, "fabs": math.Abs, "floor": math.Floor, "ceil": math.Ceil, "trunc": math.Trunc, "round": math.Round,
}

// letter computes toupper and tolower.
func letter(name string, w ctype.Word) ctype.Word {
	first := ctype.Word('a')
	if name == "tolower" {
		first = 'A'
	}
	if w >= first && w < first+26 {
		return w ^ 0x20
	}
	return w
}

func (w *World) strlen(a ctype.Word) (ctype.Word, error) {
	for n := ctype.Word(0); ; n++ {
		if w.steps++; w.steps > maxSteps {
			return 0, ErrSteps
		}
		x, ok := w.Load(a+n, ctype.UCharT)
		switch {
		case !ok || !w.inOne(a, n+1):
			return 0, accessError(a)
		case x == 0:
			return n, nil
		}
	}
}

// inOne reports whether the n bytes from an address on belong to one object. It returns true if the memory does not
// know.
func (w *World) inOne(a, n ctype.Word) bool {
	b, ok := w.Heap.(Bounded)
	if f, _ := w.local(a, 1); f != nil || !ok {
		return true
	}
	room, ok := b.Room(a)
	return !ok || n <= room
}

func (w *World) copyBytes(to, from, n ctype.Word) error {
	if n > 0 && !w.inOne(from, n) {
		return accessError(from)
	}
	if n > 0 && !w.inOne(to, n) {
		return accessError(to)
	}
	for i := range n {
		if w.steps++; w.steps > maxSteps {
			return ErrSteps
		}
		x, ok := w.Load(from+i, ctype.UCharT)
		if !ok {
			return accessError(from)
		}
		if !w.Store(to+i, ctype.UCharT, x) {
			return accessError(to)
		}
	}
	return nil
}

// strcmp compares strings, at most n characters of them.
func (w *World) strcmp(a, b, n ctype.Word) (ctype.Word, error) {
	for ; n > 0; n-- {
		if w.steps++; w.steps > maxSteps {
			return 0, ErrSteps
		}
		x, ok1 := w.Load(a, ctype.UCharT)
		y, ok2 := w.Load(b, ctype.UCharT)
		switch {
		case !ok1 || !ok2:
			return 0, ErrAccess
		case x != y:
			return ctype.Wrap(ctype.IntT, x-y), nil
		case x == 0:
			return 0, nil
		}
		a, b = a+1, b+1
	}
	return 0, nil
}

// Run calls a function with given arguments.
func (w *World) Run(f *cfront.Func, args []ctype.Word) (ctype.Word, error) {
	w.Reset()
	return w.interpret(f, args)
}

// At returns the statement that was executed last. If there was an error, it happened there.
func (w *World) At() cfront.Stmt { return w.at }

// interpret runs a function of the program.
func (w *World) interpret(f *cfront.Func, args []ctype.Word) (ctype.Word, error) {
	if len(args) != len(f.Params) || len(w.frames) > 200 {
		return 0, fmt.Errorf("%w: a call of %s", ErrSupport, f.Name)
	}
	size := int64(0)
	act := &activation{vars: map[*cfront.Var]ctype.Word{}, base: scratch + w.next}
	for _, vs := range [][]*cfront.Var{f.Params, f.Locals, w.Temps} {
		for _, v := range vs {
			if v.VLALen != nil {
				return 0, fmt.Errorf("%w: a variable-length array in %s", ErrSupport, f.Name)
			}
			size = (size + 15) &^ 15
			act.vars[v] = act.base + ctype.Word(size)
			size += v.Type.Size
		}
	}
	act.data, act.set = make([]byte, size), make([]bool, size)
	w.next += ctype.Word(size+64) &^ 15
	w.frames = append(w.frames, act)
	defer func() { w.frames = w.frames[:len(w.frames)-1] }()
	for i, p := range f.Params {
		if p.Type.InMemory() {
			if err := copyTo(w, act.vars[p], args[i], p.Type.Size); err != nil {
				return 0, err
			}
			continue
		}
		if !p.Type.IsScalar() {
			return 0, fmt.Errorf("%w: a parameter that is no scalar", ErrSupport)
		}
		v, _ := ctype.Convert(f.Params[i].Type, p.Type, args[i])
		w.Store(act.vars[p], p.Type, v)
	}
	if _, err := w.exec(f.Body); err != nil {
		return 0, err
	}
	return act.ret, nil
}

// flow says how a statement ended.
type flow uint8

const (
	onward flow = iota
	broken
	continued
	returned
)

func (w *World) exec(s cfront.Stmt) (flow, error) {
	if w.steps++; w.steps > maxSteps {
		return onward, ErrSteps
	}
	if _, block := s.(*cfront.Block); !block {
		w.at = s
	}
	switch s := s.(type) {
	case *cfront.Empty:
		return onward, nil
	case *cfront.ExprStmt:
		x, ok, err := w.edited(s.X)
		if err != nil || !ok {
			return onward, err
		}
		return onward, Do(w, x)
	case *cfront.Decl:
		return onward, w.decl(s)
	case *cfront.Block:
		for i, t := range s.List {
			if fl, err := w.insert(s, i); err != nil || fl != onward {
				return fl, err
			}
			if fl, err := w.exec(t); err != nil || fl != onward {
				return fl, err
			}
		}
		return w.insert(s, len(s.List))
	case *cfront.If:
		t, err := w.truth(s.Cond)
		switch {
		case err != nil:
			return onward, err
		case t:
			return w.exec(s.Then)
		case s.Else != nil:
			return w.exec(s.Else)
		}
		return onward, nil
	case *cfront.While:
		return w.loop(s.Cond, nil, s.Body, s.Do)
	case *cfront.For:
		if s.Init != nil {
			if _, err := w.exec(s.Init); err != nil {
				return onward, err
			}
		}
		return w.loop(s.Cond, s.Post, s.Body, false)
	case *cfront.Jump:
		switch s.Kind {
		case cfront.Break:
			return broken, nil
		case cfront.Continue:
			return continued, nil
		}
	case *cfront.Return:
		if s.X == nil {
			return returned, nil
		}
		if s.X.Type().Kind == ctype.Void {
			return returned, Do(w, s.X)
		}
		x, _, err := w.edited(s.X)
		if err != nil {
			return onward, err
		}
		value := Value
		if x.Type().InMemory() {
			value = func(_ Memory, x cfront.Expr) (ctype.Word, error) { return w.object(x) }
		}
		v, err := value(w, x)
		w.frames[len(w.frames)-1].ret = v
		return returned, err
	case *cfront.Switch:
		return w.choose(s)
	case *cfront.Case:
		return w.exec(s.Body)
	case *cfront.Label:
		return w.exec(s.Body)
	}
	return onward, fmt.Errorf("%w: a statement of a function called", ErrSupport)
}

// choose executes a switch. All its labels must be statements of its own block; other switches are not supported.
func (w *World) choose(s *cfront.Switch) (flow, error) {
	b, ok := s.Body.(*cfront.Block)
	if !ok {
		return onward, orSupport(nil)
	}
	x, _, err := w.edited(s.X)
	if err != nil {
		return onward, err
	}
	v, err := Value(w, x)
	if err != nil {
		return onward, err
	}
	n := 0
	cfront.WalkStmt(s.Body, func(t cfront.Stmt) {
		switch t.(type) {
		case *cfront.Case:
			n++
		case *cfront.Switch:
			n = math.MinInt32 // labels of the inner switch would be counted as its own
		}
	}, nil)
	at, other := -1, -1
	for i, t := range b.List {
		for c, ok := t.(*cfront.Case); ok; c, ok = t.(*cfront.Case) {
			n--
			if c.Default {
				other = i
			} else if at < 0 && int64(v) >= c.Lo && int64(v) <= c.Hi {
				at = i
			}
			t = c.Body
		}
	}
	if n != 0 { // a label is nested in another statement
		return onward, orSupport(nil)
	}
	if at < 0 {
		at = other
	}
	if at < 0 {
		return onward, nil
	}
	fl := onward
	for i := at; i <= len(b.List) && err == nil && fl == onward; i++ {
		if i > at {
			fl, err = w.insert(b, i)
		}
		if i < len(b.List) && err == nil && fl == onward {
			fl, err = w.exec(b.List[i])
		}
	}
	if fl == broken {
		fl = onward
	}
	return fl, err
}

func orSupport(err error) error {
	if err == nil {
		err = fmt.Errorf("%w: a statement of a function called", ErrSupport)
	}
	return err
}

func (w *World) loop(cond, post cfront.Expr, body cfront.Stmt, do bool) (flow, error) {
	for first := true; ; first = false {
		if cond != nil && !(do && first) {
			if t, err := w.truth(cond); err != nil || !t {
				return onward, err
			}
		}
		fl, err := w.exec(body)
		if err != nil || fl == returned {
			return fl, err
		}
		if fl == broken {
			return onward, nil
		}
		if post != nil {
			x, ok, err := w.edited(post)
			if err == nil && ok {
				err = Do(w, x)
			}
			if err != nil {
				return onward, err
			}
		}
	}
}

// edited returns the expression that a patch puts in place of x. It returns false if x is not executed.
func (w *World) edited(x cfront.Expr) (cfront.Expr, bool, error) {
	if w.Edited == nil {
		return x, true, nil
	}
	c, ok := w.Edited(x)
	if !ok {
		return x, true, nil
	}
	if c.Delete {
		return x, false, nil
	}
	if c.New != nil {
		x = c.New
	}
	if c.Guard == nil {
		return x, true, nil
	}
	t, err := Truth(w, c.Guard)
	return x, t, err
}

func (w *World) truth(x cfront.Expr) (bool, error) {
	x, ok, err := w.edited(x)
	if err != nil || !ok {
		return false, err
	}
	return Truth(w, x)
}

func (w *World) decl(s *cfront.Decl) error {
	if s.Cleanup != nil {
		return fmt.Errorf("%w: a variable with the attribute cleanup", ErrSupport)
	}
	if len(s.Init) == 1 && s.Var.Type.IsScalar() {
		x, _, err := w.edited(s.Init[0].X)
		if err != nil {
			return err
		}
		if x != s.Init[0].X {
			v, err := Value(w, x)
			if err != nil {
				return err
			}
			v, _ = ctype.Convert(x.Type(), s.Var.Type, v)
			a, _ := w.VarAddr(s.Var)
			w.Store(a, s.Var.Type, v)
			return nil
		}
	}
	return Init(w, s)
}

func (w *World) insert(b *cfront.Block, i int) (flow, error) {
	if w.Inserted == nil {
		return onward, nil
	}
	c, ok := w.Inserted(b, i)
	if !ok {
		return onward, nil
	}
	if c.Guard != nil {
		if t, err := Truth(w, c.Guard); err != nil || !t {
			return onward, err
		}
	}
	if !c.Return {
		return onward, Do(w, c.New)
	}
	if c.New == nil {
		return returned, nil
	}
	v, err := Value(w, c.New)
	w.frames[len(w.frames)-1].ret = v
	return returned, err
}

// Do evaluates an expression, which may be void, for its side effects.
func Do(m Memory, x cfront.Expr) error {
	if x.Type().IsWide() {
		_, err := Bytes(m, x)
		return err
	}
	_, err := Value(m, x)
	return err
}
