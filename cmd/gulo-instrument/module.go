//go:build llvm19

package main

import (
	"strings"

	"tinygo.org/x/go-llvm"
)

// module is a file being instrumented.
type module struct {
	ctx  llvm.Context
	m    llvm.Module
	c    config
	data llvm.TargetData
	b    llvm.Builder

	ptr, i64, i32, i8, void llvm.Type
	site                    llvm.Type
	never                   llvm.Value // the latest steps of a new site: none
	strings                 map[string]llvm.Value
	funcs                   map[string]llvm.Value
	types                   map[string]llvm.Type
	globals                 map[llvm.Value]llvm.Value // meta word of each global variable
	watched                 map[string]int
	library                 map[string]bool
	pinned                  map[llvm.Value]bool // variables whose address the source uses
	calm                    map[llvm.Value]bool // functions that end no block but their own locals
	wrappers                map[llvm.Value]wrapped
	redeclared              map[llvm.Value]bool // library functions that the program declares itself
	steps                   map[use][]llvm.Metadata
	ways                    map[string]llvm.Value // steps that were made, by what they are
	units                   map[[2]string]llvm.Value
	copied                  map[llvm.Value]bool // global variables that may hold an uninitialized value (copies.go)
}

func newModule(ctx llvm.Context, m llvm.Module, c config, library map[string]bool, pinned map[llvm.Value]bool) *module {
	x := &module{
		ctx: ctx, m: m, c: c, data: llvm.NewTargetData(m.DataLayout()), b: ctx.NewBuilder(),
		i64: ctx.Int64Type(), i32: ctx.Int32Type(), i8: ctx.Int8Type(), void: ctx.VoidType(),
		strings: map[string]llvm.Value{}, funcs: map[string]llvm.Value{}, types: map[string]llvm.Type{}, globals: map[llvm.Value]llvm.Value{}, watched: map[string]int{}, library: library, pinned: pinned,
		wrappers: map[llvm.Value]wrapped{}, redeclared: map[llvm.Value]bool{}, ways: map[string]llvm.Value{}, units: map[[2]string]llvm.Value{},
	}
	x.copied = x.copiedTo()
	x.ptr = llvm.PointerType(ctx.Int8Type(), 0)
	x.site = ctx.StructCreateNamed("gulo_site")
	x.site.StructSetBody([]llvm.Type{x.ptr, x.ptr, x.ptr, x.i32, x.i32, x.i32, x.i32, llvm.ArrayType(x.i64, 3)}, false)
	ones := llvm.ConstAllOnes(x.i64)
	x.never = llvm.ConstArray(x.i64, []llvm.Value{ones, ones, ones})
	for i, f := range c.Funcs {
		x.watched[f] = i + 1
	}
	x.declare()
	return x
}

// runtime lists the functions of the runtime that are called, with their results and arguments: p is a pointer, l 64
// bits, i 32 bits, v nothing, and a dot stands for more arguments. Those in inline.c become internal.
var runtime = map[string]string{
	"gulo_check": "vpllpi", "gulo_check_null": "vpllpi", "gulo_check_always": "vpllpi", "gulo_check_written": "vpllp", "gulo_wrote": "vpl", "gulo_copied": "vppll",
	"gulo_read": "ipllp", "gulo_used": "vip", "gulo_spread": "vipl", "gulo_copy_word": "vpplp",
	"gulo_load_meta": "lpp", "gulo_store_meta": "vpplp", "gulo_get_arg": "lip", "gulo_set_arg": "viplp", "gulo_get_result": "lp", "gulo_set_result": "vplp",
	"gulo_made_null": "lp", "gulo_before_extern": "v",
	"gulo_malloc": "plp", "gulo_calloc": "pllp", "gulo_realloc": "ppllp", "gulo_free": "vplp", "gulo_global": "vplpp", "gulo_thread_local": "lplpp",
	"gulo_rounds": "llllli", "gulo_inside": "iippllll", "gulo_inside_written": "iippl",
	"gulo_check_unless": "vipllpi", "gulo_check_written_unless": "vipllp", "gulo_read_unless": "iipllp", "gulo_wrote_unless": "vipl",
	"gulo_locals": "i", "gulo_local": "lplp", "gulo_local_array": "lplp", "gulo_end_local": "vlip", "gulo_end_locals": "vi", "gulo_unwind": "vip",
	"gulo_copy": "vpplllp", "gulo_fill": "vpllp", "gulo_touch": "vpllpi", "gulo_enter": "vilp", "gulo_leave": "vilpp", "gulo_exits": "vilp", "gulo_alive": "vp",
	"gulo_string": "vpllp", "gulo_wide_string": "vpllp", "gulo_string_copy": "vpplllip", "gulo_compared": "vpplllip", "gulo_unknown": "vplp", "gulo_printed": "vpiiplp", "gulo_vprinted": "vppp", "gulo_vmeasure": "lpp", "gulo_written_text": "vpilp",
	"gulo_scan": "iipppi.", "gulo_vscan": "iipppp", "gulo_room": "pplli", "gulo_came": "vppillllp", "gulo_line_room": "vppllp", "gulo_line_came": "vplp", "gulo_given": "vpllp",
	"gulo_near": "lll", "gulo_aligned": "pllp", "gulo_pvalloc": "pllp", "gulo_usable": "lplp", "gulo_reallocarray": "pplllp", "gulo_posix_memalign": "iplllp", "gulo_qsort": "vpllplp", "gulo_bsearch": "pppllpllp", "gulo_gets": "pplp", "gulo_token": "pppplllp", "gulo_next_field": "pppllp", "gulo_mark_written": "vpl", "gulo_from_library": "lpip", "gulo_out": "vpllp", "gulo_in": "vpllp", "gulo_request": "vpllp", "gulo_string_given": "vplp", "gulo_out_pointer": "vplp",
	"gulo_mapped": "lplp", "gulo_unmapped": "vplp", "gulo_filled": "vplp", "gulo_own_pointer": "vpp", "gulo_foreign_memory": "vpl", "gulo_until": "vpillp", "gulo_left_by": "vp", "gulo_foreign": "vpplp",
	"gulo_calling": "vpp", "gulo_called": "pp", "gulo_called_library": "pppp", "gulo_left_through": "vpp",
	"gulo_get_second": "lp", "gulo_set_second": "vplp", "gulo_set_listed": "viplp", "gulo_list_for": "vpi", "gulo_list_copy": "vipl", "gulo_list_of": "vpp", "gulo_list_start": "vpp",
	"gulo_part_bits": "lpll", "gulo_parts_for": "vpl", "gulo_copy_for": "vipl", "gulo_parts_of": "lp", "gulo_by_value": "vplpi", "gulo_result_by": "vpl", "gulo_result_of": "lp", "gulo_stored_part": "vpll",
	"gulo_initial": "vpl", "gulo_kept_there": "vl", "gulo_apart": "vplplp", "gulo_string_apart": "vplpp", "gulo_wide_string_apart": "vplpp", "gulo_wide_until": "vpillp", "gulo_polled": "vpllp", "gulo_gathered": "vpllp", "gulo_message": "vplp", "gulo_number": "vpilp", "gulo_string_until": "vpilp", "gulo_printed_apart": "vpippilp", "gulo_thread": "ippppllp", "gulo_end_scope": "vlp", "gulo_begin_scope": "vpll",
	"gulo_address": "vpllp", "gulo_length_given": "lpplp", "gulo_option": "vpllp", "gulo_members": "vpplp", "gulo_strings": "vplp", "gulo_file_times": "vplp", "gulo_file_set": "vpllp", "gulo_file_command": "vpllp", "gulo_process_option": "vpllp",
	"gulo_event": "vplp", "gulo_shared_state": "vplllp", "gulo_semaphores": "vpiilp", "gulo_queued": "vpllp", "gulo_jump": "vplp", "gulo_host": "vplilp", "gulo_readv": "lipilp", "gulo_preadv": "lipillp", "gulo_recvmsg": "lipilp",
	"gulo_valued_end": "vipp", "gulo_value_used": "vpp", "gulo_index": "vlllp", "gulo_not_null": "vpip", "gulo_depth_here": "i", "gulo_call_begins": "vip", "gulo_call_ends": "vi",
}

// inlined are defined in inline.c.
var inlined = []string{
	"gulo_check", "gulo_check_null", "gulo_check_always", "gulo_check_written", "gulo_wrote", "gulo_copied", "gulo_read", "gulo_used", "gulo_spread", "gulo_copy_word",
	"gulo_load_meta", "gulo_store_meta", "gulo_get_arg", "gulo_set_arg", "gulo_get_result", "gulo_set_result", "gulo_made_null", "gulo_before_extern",
	"gulo_rounds", "gulo_inside", "gulo_inside_written", "gulo_check_unless", "gulo_check_written_unless", "gulo_read_unless", "gulo_wrote_unless",
	"gulo_left_by", "gulo_foreign", "gulo_calling", "gulo_called", "gulo_left_through", "gulo_valued_end", "gulo_value_used", "gulo_index", "gulo_not_null", "gulo_locals", "gulo_local", "gulo_local_array", "gulo_end_local", "gulo_end_locals",
	"gulo_get_second", "gulo_set_second", "gulo_set_listed", "gulo_list_for", "gulo_part_bits", "gulo_parts_for", "gulo_copy_for", "gulo_parts_of", "gulo_result_by", "gulo_result_of", "gulo_stored_part",
	"gulo_end_scope", "gulo_begin_scope", "gulo_depth_here", "gulo_call_begins", "gulo_call_ends",
}

func (x *module) declare() {
	kinds := map[byte]llvm.Type{'v': x.void, 'p': x.ptr, 'l': x.i64, 'i': x.i32}
	for name, sig := range runtime {
		var args []llvm.Type
		sig, more := strings.CutSuffix(sig, ".")
		for _, k := range []byte(sig[1:]) {
			args = append(args, kinds[k])
		}
		t := llvm.FunctionType(kinds[sig[0]], args, more)
		f := x.m.NamedFunction(name)
		if f.IsNil() {
			f = llvm.AddFunction(x.m, name, t)
		}
		x.funcs[name], x.types[name] = f, t
	}
	// The slow paths change nothing that the program sees: what was loaded before need not be loaded again. There are
	// two bits for each of: what arguments point to, memory that the program cannot reach, and all other memory; 1
	// means read, 3 read and written.
	const slow = 1 | 3<<2 | 1<<4
	kind := llvm.AttributeKindID("memory")
	for _, n := range []string{"gulo_slow", "gulo_unwritten", "gulo_note", "gulo_use", "gulo_link", "gulo_bytes_written"} {
		if f := x.m.NamedFunction(n); !f.IsNil() {
			effect := uint64(slow)
			switch n {
			case "gulo_link":
				effect |= 2 // the site's latest steps
			case "gulo_bytes_written":
				effect = 1 | 1<<2 | 1<<4 // only reads, so that a call whose answer is not used goes away
				f.AddFunctionAttr(x.ctx.CreateEnumAttribute(llvm.AttributeKindID("willreturn"), 0))
			}
			f.RemoveEnumFunctionAttribute(kind)
			f.AddFunctionAttr(x.ctx.CreateEnumAttribute(kind, effect))
			f.AddFunctionAttr(x.ctx.CreateEnumAttribute(llvm.AttributeKindID("nounwind"), 0))
		}
	}
	for _, n := range inlined {
		x.funcs[n].SetLinkage(llvm.InternalLinkage)
	}
}

func (x *module) instrument(own []llvm.Value) {
	if x.c.Globals {
		x.registerGlobals()
	}
	x.returning(own)
	own = append(own, x.taken()...)
	x.calm = x.quiet(own)
	for _, f := range own {
		if x.watched[f.Name()] != 0 {
			x.mark("gulo_watched_" + f.Name())
		}
		newFunction(x, f).instrument()
	}
}

// mark makes a symbol that says that something is in the program.
func (x *module) mark(name string) {
	g := llvm.AddGlobal(x.m, x.i8, name)
	g.SetInitializer(llvm.ConstInt(x.i8, 1, false))
	g.SetLinkage(llvm.WeakAnyLinkage)
}

func (x *module) c32(n int) llvm.Value    { return llvm.ConstInt(x.i32, uint64(n), false) }
func (x *module) c64(n uint64) llvm.Value { return llvm.ConstInt(x.i64, n, false) }

func isPointer(v llvm.Value) bool { return v.Type().TypeKind() == llvm.PointerTypeKind }

// text returns a constant string.
func (x *module) text(s string) llvm.Value {
	if v, ok := x.strings[s]; ok {
		return v
	}
	c := x.ctx.ConstString(s, true)
	g := llvm.AddGlobal(x.m, c.Type(), "gulo.text")
	g.SetInitializer(c)
	g.SetLinkage(llvm.PrivateLinkage)
	g.SetGlobalConstant(true)
	x.strings[s] = g
	return g
}

// place makes a site.
func (x *module) place(file, fn, what string, line, column uint) llvm.Value {
	return x.newSite(x.placed(file, fn, what, line, column, llvm.ConstPointerNull(x.ptr)))
}

func (x *module) newSite(c llvm.Value) llvm.Value {
	g := llvm.AddGlobal(x.m, x.site, "gulo.site")
	g.SetInitializer(c)
	g.SetLinkage(llvm.PrivateLinkage)
	g.SetSection("gulosites")
	g.SetAlignment(64)
	return g
}

// placed is what a site holds; via is the first of the steps to it.
func (x *module) placed(file, fn, what string, line, column uint, via llvm.Value) llvm.Value {
	in, ok := x.units[[2]string{file, fn}]
	if !ok {
		c := x.ctx.ConstStruct([]llvm.Value{x.text(file), x.text(fn)}, false)
		in = llvm.AddGlobal(x.m, c.Type(), "gulo.unit")
		in.SetInitializer(c)
		in.SetLinkage(llvm.PrivateLinkage)
		in.SetGlobalConstant(true)
		x.units[[2]string{file, fn}] = in
	}
	return llvm.ConstNamedStruct(x.site, []llvm.Value{in, x.text(what), via, x.c32(int(line)), x.c32(int(column)), x.c32(0), x.c32(0), x.never})
}

// registerGlobals gives every global variable a block, in a constructor.
func (x *module) registerGlobals() {
	t := llvm.FunctionType(x.void, nil, false)
	f := llvm.AddFunction(x.m, "gulo.globals", t)
	f.SetLinkage(llvm.InternalLinkage)
	b := llvm.AddBasicBlock(f, "")
	x.b.SetInsertPointAtEnd(b)
	any := false
	for g := x.m.FirstGlobal(); !g.IsNil(); g = llvm.NextGlobal(g) {
		if !ours(g) {
			continue
		}
		m := llvm.AddGlobal(x.m, x.i64, "gulo.meta")
		m.SetInitializer(x.c64(0))
		m.SetLinkage(llvm.InternalLinkage)
		x.globals[g] = m
		size := x.data.TypeAllocSize(g.GlobalValueType())
		what := "variable " + g.Name()
		if strings.HasPrefix(g.Name(), ".str") {
			what = "a string"
		}
		file, line := declaration(g)
		x.b.CreateCall(x.types["gulo_global"], x.funcs["gulo_global"], []llvm.Value{g, x.c64(size), m, x.place(file, "", what, line, 0)}, "")
		any = true
	}
	x.initial()
	x.b.CreateRetVoid()
	if !any {
		f.EraseFromParentAsFunction()
		return
	}
	// Before all other constructors but the runtime's own.
	entry := x.ctx.StructType([]llvm.Type{x.i32, x.ptr, x.ptr}, false)
	one := x.ctx.ConstStruct([]llvm.Value{x.c32(102), f, llvm.ConstPointerNull(x.ptr)}, false)
	list := []llvm.Value{one}
	if old := x.m.NamedGlobal("llvm.global_ctors"); !old.IsNil() {
		init := old.Initializer()
		for i := 0; i < init.OperandsCount(); i++ {
			list = append(list, init.Operand(i))
		}
		old.EraseFromParentAsGlobal()
	}
	g := llvm.AddGlobal(x.m, llvm.ArrayType(entry, len(list)), "llvm.global_ctors")
	g.SetInitializer(llvm.ConstArray(entry, list))
	g.SetLinkage(llvm.AppendingLinkage)
}

// initial registers the pointers that global variables are initialized with.
func (x *module) initial() {
	var list []llvm.Value
	entry := x.ctx.StructType([]llvm.Type{x.ptr, x.ptr}, false)
	f := &function{module: x}
	var walk func(g, c llvm.Value, off uint64)
	walk = func(g, c llvm.Value, off uint64) {
		switch {
		case isPointer(c):
			if base, _ := f.fixed(c); !x.globals[base].IsNil() && !base.IsThreadLocal() {
				at := llvm.ConstGEP(x.i8, g, []llvm.Value{x.c64(off)})
				list = append(list, x.ctx.ConstStruct([]llvm.Value{at, x.globals[base]}, false))
			}
		case c.Type().TypeKind() == llvm.StructTypeKind:
			for k := range c.OperandsCount() {
				walk(g, c.Operand(k), off+x.data.ElementOffset(c.Type(), k))
			}
		case c.Type().TypeKind() == llvm.ArrayTypeKind:
			size := x.data.TypeAllocSize(c.Type().ElementType())
			for k := range c.OperandsCount() {
				walk(g, c.Operand(k), off+uint64(k)*size)
			}
		}
	}
	for g := x.m.FirstGlobal(); !g.IsNil(); g = llvm.NextGlobal(g) {
		if ours(g) && !x.globals[g].IsNil() && !g.Initializer().IsNil() {
			walk(g, g.Initializer(), 0)
		}
	}
	if len(list) == 0 {
		return
	}
	table := llvm.AddGlobal(x.m, llvm.ArrayType(entry, len(list)), "gulo.initial")
	table.SetInitializer(llvm.ConstArray(entry, list))
	table.SetLinkage(llvm.PrivateLinkage)
	x.b.CreateCall(x.types["gulo_initial"], x.funcs["gulo_initial"], []llvm.Value{table, x.c64(uint64(len(list)))}, "")
}

// quiet returns the functions that free nothing, and call none that may.
func (x *module) quiet(own []llvm.Value) map[llvm.Value]bool {
	out := map[llvm.Value]bool{}
	for f := x.m.FirstFunction(); !f.IsNil(); f = llvm.NextFunction(f) {
		n := f.Name()
		_, known := modelOf(n)
		known = known || movers[n]
		out[f] = strings.HasPrefix(n, "llvm.") || isMark[n] || known && !ending[plain(n)] && x.ofLibrary(f)
	}
	callsOnly := func(f llvm.Value) bool {
		for b := f.FirstBasicBlock(); !b.IsNil(); b = llvm.NextBasicBlock(b) {
			for i := b.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
				if !i.IsACallInst().IsNil() && !out[callee(i)] {
					return false
				}
			}
		}
		return true
	}
	for again := true; again; {
		again = false
		for _, f := range own {
			if !out[f] && callsOnly(f) {
				out[f], again = true, true
			}
		}
	}
	return out
}

// ours reports whether a global is a variable that the program defines. Thread-local variables, and those in a
// section of their own, are left out.
func ours(g llvm.Value) bool {
	n := g.Name()
	return !g.IsDeclaration() && !strings.HasPrefix(n, "llvm.") && !strings.HasPrefix(n, "gulo") && !strings.HasPrefix(n, "__start_") && !g.IsThreadLocal() && g.Section() == ""
}

// threadLocal returns the variable that a pointer is this thread's instance of.
func threadLocal(v llvm.Value) (llvm.Value, bool) {
	if !v.IsACallInst().IsNil() && strings.HasPrefix(callee(v).Name(), "llvm.threadlocal.address") {
		return v.Operand(0), true
	}
	return v, false
}

// ownBlock returns the variable in which a thread keeps the block of its instance of g.
func (x *module) ownBlock(g llvm.Value) llvm.Value {
	if own, ok := x.globals[g]; ok {
		return own
	}
	t := llvm.ArrayType(x.i64, 2)
	own := llvm.AddGlobal(x.m, t, "gulo.own")
	own.SetInitializer(llvm.ConstNull(t))
	own.SetLinkage(llvm.InternalLinkage)
	own.SetThreadLocal(true)
	x.globals[g] = own
	return own
}
