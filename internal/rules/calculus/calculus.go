// Package calculus evaluates memory rules on the abstract machine: the executable form of the calculus of Wang, Neamtiu
// and Gupta (ISMM 2013, section 3). A Debugger watches a machine and keeps the state Σ that rules read. Before each
// reduction it evaluates the detectors for that reduction, in the order of the rule file. Detectors see only the
// events, never the machine's own checks, so that the two can be compared.
package calculus

import (
	"fmt"
	"slices"

	"gulo/internal/ctype"
	"gulo/internal/machine"
	"gulo/internal/rules"
)

// Firing is a rule that fired.
type Firing struct {
	Rule    string
	Means   string // the rule's explanation
	Stmt    int32  // the statement about to be executed
	Func    string
	Pointer uint64
	Access  int64 // bytes about to be accessed at Pointer; 0 if it is not an access
	Write   bool
	Offset  int64            // of Pointer in its block; without a block, the address
	Calls   []int32          // statements whose calls led there, the innermost first
	Names   []string         // of the pointers whose chains the rule asks for
	Chains  [][]machine.Link // chains of these pointers, the newest link first
	Block   uint64           // the block concerned; 0 if none
	Found   bool             // the rule looks for blocks, and this is one of those found
	Kind    machine.BlockKind
	Name    string // of the variable that the block is
	Made    int32  // statement that made the block
	Ended   int32  // statement that ended the block; 0 while it is live
	Var     any    // declaration of the variable that the block is (*cfront.Var)
	Size    int64

	MadeCalls, EndedCalls []int32 // for a heap block: calls that led to Made and Ended
	Loss                  *Loss   // for a lost block, with Options.Losses
	Time                  int64
	Point                 int64 // number of the detection point, counted from 1
}

// Options configure a debugger.
type Options struct {
	Rules    []*rules.File
	Names    map[string]string // the function for the name ts
	Keep     bool              // continue after a finding
	Strict   bool              // copying uninitialized memory counts as reading it
	Disabled map[string]bool   // rules that are switched off
	Losses   bool              // record where the last pointer to a lost block was lost
}

// block is a block of the abstract machine: in H, S or G, or in F once it has ended.
type block struct {
	info    rules.BlockInfo
	kind    machine.BlockKind
	made    int32 // statement that made it
	end     int32 // statement that ended it
	ended   bool
	calls   [2][]int32 // for a heap block: calls that led to these two
	name    string
	v       any            // the declaration
	freed   []*rules.Event // free events of the block
	malloc  *rules.Event
	written []int64 // for each byte of a live block: time of the last write; 0 for none
}

// Debugger watches one machine. It implements machine.Monitor and rules.State.
type Debugger struct {
	Findings []Firing

	o         Options
	m         *machine.Machine
	detectors []*rules.Detector
	needs     rules.Tracker
	blocks    map[uint64]*block
	parts     map[uint64]uint64 // from ids of the further cells of a large block to the id of its first
	order     map[machine.BlockKind][]uint64
	events    [6][]*rules.Event
	funcs     map[string]uint64
	time      int64
	points    int64                     // detection points passed so far
	value     uint64                    // argument or result at the current point
	freeing   uint64                    // argument of the last free
	deferred  []Firing                  // findings that are reported if the last loaded value is used
	chains    map[uint64][]machine.Link // chains of the pointers that freed blocks
	losses    map[uint64]Loss           // latest loss of a pointer, by block; with Options.Losses
}

// New compiles the rules and returns a debugger for them.
func New(o Options) (*Debugger, error) {
	d := &Debugger{o: o, blocks: map[uint64]*block{}, parts: map[uint64]uint64{}, order: map[machine.BlockKind][]uint64{}, funcs: map[string]uint64{}, chains: map[uint64][]machine.Link{}, losses: map[uint64]Loss{}}
	for _, f := range o.Rules {
		for _, r := range f.Rules {
			x, err := rules.Compile(f, r, rules.Options{Names: o.Names, Func: d.number})
			if err != nil {
				return nil, err
			}
			d.detectors = append(d.detectors, x)
			d.needs |= x.Needs
		}
	}
	return d, nil
}

// Attach tells the debugger which machine it watches: the one whose Config.Monitor it is.
func (d *Debugger) Attach(m *machine.Machine) { d.m = m }

// Enable switches a rule on or off while the program runs.
func (d *Debugger) Enable(rule string, on bool) {
	if d.o.Disabled == nil {
		d.o.Disabled = map[string]bool{}
	}
	d.o.Disabled[rule] = !on
}

func (d *Debugger) number(name string) uint64 {
	n, ok := d.funcs[name]
	if !ok {
		n = uint64(len(d.funcs) + 1)
		d.funcs[name] = n
	}
	return n
}

func (d *Debugger) tick() int64 { d.time++; return d.time }

func (d *Debugger) record(kind rules.EventKind, need rules.Tracker, args ...uint64) *rules.Event {
	e := &rules.Event{Time: d.tick(), Kind: kind}
	copy(e.Args[:], args)
	if d.needs&need != 0 {
		d.events[kind] = append(d.events[kind], e)
	}
	return e
}

// ask evaluates the detectors of a point. Rules about written values are not evaluated when bytes are only moved. If
// they fire when a value is loaded, they are reported when it is used.
func (d *Debugger) ask(k rules.PointKind, fn string, v uint64, n int64, access machine.AccessKind) *machine.Fault {
	d.points++
	d.value = v
	for _, x := range d.detectors {
		later := (access == machine.MoveAccess || access == machine.LoadAccess) && !d.o.Strict && !x.AskMoved()
		if !x.At(k, fn) || d.o.Disabled[x.Rule.Name] || later && (access == machine.MoveAccess || d.deferred != nil) {
			continue
		}
		ps, ok := x.Fires(d, v, n)
		if !ok {
			continue
		}
		f := Firing{Rule: x.Rule.Name, Means: x.Rule.Means, Pointer: v, Time: d.time, Point: d.points}
		if k == rules.DerefR || k == rules.DerefW {
			_, f.Offset, _ = d.Locate(v)
			f.Access, f.Write = n, k == rules.DerefW
		}
		if d.m != nil {
			f.Stmt, f.Calls = d.m.At(), d.m.Callers(mostCalls)
			f.Names = x.Rule.Chains
			for i, p := range ps {
				if x.Rule.Chains[i] == x.Rule.Point.Var {
					f.Chains = append(f.Chains, d.m.Origin(v))
				} else {
					f.Chains = append(f.Chains, d.chains[p])
				}
			}
		}
		if later {
			d.deferred = d.findings(f, x)
			continue
		}
		d.Findings = append(d.Findings, d.findings(f, x)...)
		if !d.o.Keep && d.m != nil {
			return d.m.Fault(machine.FaultKind(x.Rule.Name), v, fmt.Sprintf("rule %s fires", x.Rule.Name))
		}
	}
	return nil
}

// mostCalls bounds the calls that are reported for a place.
const mostCalls = 10

// findings returns the findings of a rule that fires: one for every block concerned.
func (d *Debugger) findings(f Firing, x *rules.Detector) (out []Firing) {
	bids := x.Blocks(d)
	f.Found = len(bids) > 0
	lost := d.lost(bids)
	if len(bids) == 0 {
		if id, _, ok := d.Locate(f.Pointer); ok {
			bids = []uint64{id}
		}
	}
	for _, id := range bids {
		f.Block, f.Loss = id, lost[id]
		if b := d.blocks[id]; b != nil {
			f.Made, f.Size, f.Kind, f.Name, f.Var = b.made, b.info.Size, b.kind, b.name, b.v
			if d.m != nil && !b.ended && d.m.Block(uint32(id)) != nil {
				x := d.m.Block(uint32(id))
				f.Name, f.Var = x.Name, x.Var
			}
			f.Ended, f.MadeCalls, f.EndedCalls = b.end, b.calls[0], b.calls[1]
		}
		out = append(out, f)
	}
	if len(bids) == 0 {
		out = append(out, f)
	}
	return out
}

// Deferred implements machine.Monitor.
func (d *Debugger) Deferred() any {
	if d.deferred == nil {
		return nil
	}
	out := d.deferred
	d.deferred = nil
	return out
}

// Used implements machine.Monitor: a rule that fired when a value was loaded is reported at the place where the value
// is used.
func (d *Debugger) Used(note any, ways []machine.Link) *machine.Fault {
	list := slices.Clone(note.([]Firing))
	d.points++
	for i := range list {
		f := &list[i]
		f.Stmt, f.Calls, f.Time, f.Point = d.m.At(), d.m.Callers(mostCalls), d.time, d.points
		if len(f.Chains) > 0 {
			f.Chains = slices.Clone(f.Chains)
			f.Chains[0] = slices.Concat(ways, f.Chains[0])
		}
	}
	d.Findings = append(d.Findings, list...)
	if d.o.Keep {
		return nil
	}
	return d.m.Fault(machine.FaultKind(list[0].Rule), list[0].Pointer, fmt.Sprintf("rule %s fires", list[0].Rule))
}

// Accessing implements machine.Monitor.
func (d *Debugger) Accessing(p ctype.Word, n int64, kind machine.AccessKind) *machine.Fault {
	if n <= 0 {
		return nil
	}
	k := rules.DerefR
	if kind == machine.WriteAccess {
		k = rules.DerefW
	}
	d.deferred = nil
	if f := d.ask(k, "", p, n, kind); f != nil {
		return f
	}
	if k == rules.DerefW {
		d.overwritten(p, n)
	}
	return nil
}

// Freeing implements machine.Monitor.
func (d *Debugger) Freeing(p ctype.Word) *machine.Fault {
	if f := d.ask(rules.Free, "", p, 0, machine.ReadAccess); f != nil {
		return f
	}
	d.freeing = p
	return nil
}

// Calling implements machine.Monitor.
func (d *Debugger) Calling(name string, args []ctype.Word) *machine.Fault {
	var v uint64
	if len(args) > 0 {
		v = args[0]
	}
	if f := d.ask(rules.Call, name, v, 0, machine.ReadAccess); f != nil {
		return f
	}
	d.record(rules.EvCall, rules.TrackCalls, d.number(name), v)
	return nil
}

// Returning implements machine.Monitor.
func (d *Debugger) Returning(name string, v ctype.Word) *machine.Fault {
	if f := d.ask(rules.Ret, name, v, 0, machine.ReadAccess); f != nil {
		return f
	}
	d.record(rules.EvRet, rules.TrackRets, d.number(name), v)
	return nil
}

// Made implements machine.Monitor.
func (d *Debugger) Made(x *machine.Block) {
	id := uint64(x.ID)
	b := &block{info: rules.BlockInfo{Begin: x.Addr, Size: x.Size, Time: d.tick()}, kind: x.Kind}
	if d.m != nil {
		b.made = d.m.At()
		if x.Kind == machine.Heap {
			b.calls[0] = d.m.Callers(mostCalls)
		}
	}
	if d.needs&rules.TrackLastWrite != 0 {
		b.written = make([]int64, x.Size)
	}
	d.blocks[id] = b
	for i := 1; i < ctype.Cells(x.ID, x.Size); i++ {
		d.parts[id+uint64(i)] = id
	}
	d.order[x.Kind] = append(d.order[x.Kind], id)
	if x.Kind == machine.Heap {
		b.malloc = d.record(rules.EvMalloc, rules.TrackMalloc, uint64(x.Size), id)
		b.info.Time = b.malloc.Time
	}
}

// Ended implements machine.Monitor.
func (d *Debugger) Ended(x *machine.Block) {
	id := x.ID
	b := d.blocks[uint64(id)]
	if b == nil {
		return
	}
	d.gone(x)
	b.ended, b.written, b.name, b.v = true, nil, x.Name, x.Var
	if d.m != nil {
		b.end = d.m.At()
	}
	if b.kind != machine.Heap {
		return
	}
	if d.m != nil {
		b.calls[1] = d.m.Callers(mostCalls)
	}
	p := d.freeing
	b.freed = append(b.freed, d.record(rules.EvFree, rules.TrackFree, p, uint64(id)))
	if d.needs&rules.TrackChains != 0 && d.m != nil {
		d.chains[p] = d.m.Origin(p)
	}
}

// Wrote implements machine.Monitor.
func (d *Debugger) Wrote(p ctype.Word, n int64) {
	_, off, ok := d.Locate(p)
	if !ok {
		return
	}
	b := d.near(p)
	t := d.tick()
	for i := off; i < off+n && i < int64(len(b.written)); i++ {
		if i >= 0 {
			b.written[i] = t
		}
	}
	if d.needs&rules.TrackWrites != 0 {
		e := &rules.Event{Time: t, Kind: rules.EvWrite, Args: [3]uint64{p}}
		if v, ok := d.Value(p); ok {
			e.Args[1] = v
		}
		d.events[rules.EvWrite] = append(d.events[rules.EvWrite], e)
	}
}

// Copied implements machine.Monitor: uninitialized bytes remain uninitialized.
func (d *Debugger) Copied(dst, src ctype.Word, n int64) {
	_, so, _ := d.Locate(src)
	_, do, _ := d.Locate(dst)
	s, t := d.near(src), d.near(dst)
	if s == nil || t == nil || t.written == nil {
		return
	}
	from := make([]int64, n)
	for i := range from {
		from[i] = d.time
		if s.written != nil {
			from[i] = s.written[so+int64(i)]
		}
	}
	copy(t.written[do:], from)
}

// Unset implements machine.Monitor.
func (d *Debugger) Unset(p ctype.Word, n int64) {
	if _, off, ok := d.Locate(p); ok {
		b := d.near(p)
		for i := max(off, 0); i < min(off+n, int64(len(b.written))); i++ {
			b.written[i] = 0
		}
	}
}

// Locate implements rules.State.
func (d *Debugger) Locate(p uint64) (uint64, int64, bool) {
	part, off := ctype.SplitPointer(p)
	id := uint64(part)
	if first, ok := d.parts[id]; ok {
		id = first
	}
	b := d.blocks[id]
	if b == nil {
		return id, int64(off), false
	}
	return id, int64(p - b.info.Begin), true
}

// near returns the block to which an address belongs, even if it is outside of it; nil if there is none.
func (d *Debugger) near(p uint64) *block {
	id, _, _ := d.Locate(p)
	return d.blocks[id]
}

// nullPage is the distance from NULL up to which a pointer counts as NULL.
const nullPage = 1 << 16

// IsNull implements rules.State.
func (d *Debugger) IsNull(p uint64) bool {
	id, off := ctype.SplitPointer(p)
	return id == 0 && off >= 0 && off < nullPage
}

// Block implements rules.State.
func (d *Debugger) Block(bid uint64) (rules.BlockInfo, bool) {
	b := d.blocks[bid]
	if b == nil {
		return rules.BlockInfo{}, false
	}
	return b.info, true
}

func (b *block) in(s rules.Set) bool {
	switch s {
	case rules.Heap:
		return b.kind == machine.Heap && !b.ended
	case rules.Stack:
		return b.kind == machine.Stack && !b.ended
	case rules.Globals:
		return b.kind == machine.Global
	case rules.Freed:
		return b.ended
	}
	return false
}

// Member implements rules.State.
func (d *Debugger) Member(s rules.Set, bid uint64) bool {
	b := d.blocks[bid]
	return b != nil && b.in(s)
}

// Blocks implements rules.State.
func (d *Debugger) Blocks(s rules.Set, yield func(bid uint64) bool) {
	kinds := []machine.BlockKind{machine.Heap}
	switch s {
	case rules.Stack:
		kinds[0] = machine.Stack
	case rules.Globals:
		kinds[0] = machine.Global
	case rules.Freed:
		kinds = append(kinds, machine.Stack)
	}
	for _, k := range kinds {
		for _, id := range d.order[k] {
			if d.blocks[id].in(s) && !yield(id) {
				return
			}
		}
	}
}

// Pointers implements rules.State: it lists the pointers that can be reached from variables and from passed or returned
// values, also through the heap.
func (d *Debugger) Pointers(yield func(p uint64) bool) {
	if d.m == nil {
		return
	}
	seen := map[uint32]bool{}
	var todo []uint32
	stopped := false
	visit := func(w ctype.Word) bool {
		bid, _, ok := d.Locate(w)
		if !ok {
			return true
		}
		id, b := uint32(bid), d.blocks[bid]
		if !yield(w) {
			stopped = true
			return false
		}
		if b.kind == machine.Heap && !b.ended && !seen[id] {
			seen[id] = true
			todo = append(todo, id)
		}
		return true
	}
	if visit(d.value) {
		d.m.Roots(visit)
	}
	for len(todo) > 0 && !stopped {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		d.m.Words(id, visit)
	}
}

// Events implements rules.State.
func (d *Debugger) Events(kind rules.EventKind, back bool, only rules.Filter, yield func(*rules.Event) bool) {
	list := d.events[kind]
	switch {
	case kind == rules.EvWrite && back && only.HasAt:
		d.lastWrite(only.At, yield)
		return
	case only.Bid != 0:
		list = nil
		if b := d.blocks[only.Bid]; b != nil && kind == rules.EvMalloc && b.malloc != nil {
			list = []*rules.Event{b.malloc}
		} else if b != nil && kind == rules.EvFree {
			list = b.freed
		}
	}
	if back {
		list = slices.Clone(list)
		slices.Reverse(list)
	}
	for _, e := range list {
		if only.HasFn && e.Args[0] != only.Func || only.HasAt && e.Args[0] != only.At {
			continue
		}
		if !yield(e) {
			return
		}
	}
}

func (d *Debugger) lastWrite(p uint64, yield func(*rules.Event) bool) {
	_, off, _ := d.Locate(p)
	b := d.near(p)
	if b == nil || off < 0 || off >= int64(len(b.written)) || b.written[off] == 0 {
		return
	}
	v, _ := d.Value(p)
	yield(&rules.Event{Time: b.written[off], Kind: rules.EvWrite, Args: [3]uint64{p, v}})
}

// Value implements rules.State.
func (d *Debugger) Value(p uint64) (uint64, bool) {
	var w [8]byte
	if d.m == nil {
		return 0, false
	}
	for n := 8; n > 0; n /= 2 {
		if d.m.Read(p, w[:n]) {
			return ctype.Load(ctype.ULongT, w[:]), true
		}
	}
	return 0, false
}

// Contents implements rules.State.
func (d *Debugger) Contents(bid uint64) ([]byte, bool) {
	b := d.blocks[bid]
	if b == nil || d.m == nil {
		return nil, false
	}
	data := make([]byte, b.info.Size)
	return data, d.m.Read(b.info.Begin, data)
}
