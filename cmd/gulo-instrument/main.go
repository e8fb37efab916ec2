//go:build llvm19

// Command gulo-instrument inserts what a generated memory debugger needs into one file of LLVM bitcode: gulo cc calls
// it between the front end and the code generator. It is a program of its own so that gulo itself needs no LLVM.
//
// It first cleans the code up, but only a little, so that each instruction keeps its place in the source. Then it
// inserts calls of the functions in rules/rt/src/inline.c and runtime.c. Clang inlines the fast paths and optimizes
// afterwards.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"strings"

	"gulo/internal/rules/gen"

	"tinygo.org/x/go-llvm"
)

type config = gen.Config

func main() {
	conf := flag.String("config", "", "what to insert, as JSON")
	inline := flag.String("inline", "", "bitcode of the fast paths")
	library := flag.String("library", "", "file with the names of functions of the C library")
	trace := flag.String("trace", "", "make the program write what it executes, and its instructions to this file")
	out := flag.String("o", "", "where to write")
	flag.Parse()
	llvm.ParseCommandLineOptions([]string{os.Args[0], "--disable-licm-promotion"}, "")
	if err := run(*conf, *inline, *library, flag.Arg(0), *out, *trace); err != nil {
		fmt.Fprintln(os.Stderr, "gulo-instrument:", err)
		os.Exit(1)
	}
}

func run(conf, inline, library, in, out, trace string) error {
	text, err := os.ReadFile(conf)
	if err != nil {
		return err
	}
	var c config
	if err := json.Unmarshal(text, &c); err != nil {
		return err
	}
	ctx := llvm.NewContext()
	m, err := load(ctx, in)
	if err != nil {
		return err
	}
	pinned, unset, steps, err := optimize(ctx, m, c)
	if err != nil {
		return err
	}
	own := defined(m)
	rt, err := load(ctx, inline)
	if err != nil {
		return err
	}
	if err := llvm.LinkModules(m, rt); err != nil {
		return err
	}
	names, err := readLibrary(library)
	if err != nil {
		return err
	}
	x := newModule(ctx, m, c, names, pinned)
	x.steps = steps
	if trace != "" {
		t, err := newTracer(x, trace)
		if err != nil {
			return err
		}
		for _, f := range own {
			if err := t.function(f); err != nil {
				return err
			}
		}
		if err := t.out.Close(); err != nil {
			return err
		}
	}
	x.instrument(own)
	for _, l := range unset { // clang would take what was never written for undefined, and its use for what cannot happen
		l.SetVolatile(true)
	}
	if err := llvm.VerifyModule(m, llvm.ReturnStatusAction); err != nil {
		return errors.New("bad code: " + err.Error())
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	if err := llvm.WriteBitcodeToFile(m, f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func load(ctx llvm.Context, path string) (llvm.Module, error) {
	buf, err := llvm.NewMemoryBufferFromFile(path)
	if err != nil {
		return llvm.Module{}, err
	}
	return ctx.ParseIR(buf)
}

func defined(m llvm.Module) []llvm.Value {
	var out []llvm.Value
	for f := m.FirstFunction(); !f.IsNil(); f = llvm.NextFunction(f) {
		if !f.IsDeclaration() {
			out = append(out, f)
		}
	}
	return out
}

// promote and cleanup are what is done before checks are inserted: variables whose address is
// not used become registers, and what is computed twice is computed once. More
// would take errors away before they are seen (stores that nothing reads, copies
// of constants), or put reads where the program has none.
const (
	promote = "function(sroa)"
	cleanup = "function(early-cse<memssa>,simplifycfg)"
)

// invariant moves loop-invariant loads in front of their loop where the loop is sure to execute them, so that they
// are tested once. Stores stay.
const invariant = "function(loop-simplify,loop(loop-rotate),loop-mssa(licm<no-allowspeculation>),simplifycfg)"

// optimize runs the cleanup on a module. It returns the variables that pin kept in memory, the loads of those that
// may not have been written there, and the assignments that pointers go through.
func optimize(ctx llvm.Context, m llvm.Module, conf config) (pinned map[llvm.Value]bool, unset []llvm.Value, steps map[use][]llvm.Metadata, err error) {
	for _, f := range defined(m) {
		for b := f.FirstBasicBlock(); !b.IsNil(); b = llvm.NextBasicBlock(b) {
			for i := b.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
				nameWhole(i)
			}
		}
	}
	expandAlloca(ctx, m)
	markValues(ctx, m)
	markBounds(ctx, m)
	pins, held := pin(ctx, m, conf.Written && conf.Stack)
	if conf.Chains {
		copySteps(ctx, m)
	}
	asan := llvm.AttributeKindID("sanitize_address") // no speculated loads
	for _, f := range defined(m) {
		f.AddFunctionAttr(ctx.CreateEnumAttribute(asan, 0))
	}
	o := llvm.NewPassBuilderOptions()
	defer o.Dispose()
	if err := m.RunPasses(promote, llvm.TargetMachine{}, o); err != nil {
		return nil, nil, nil, err
	}
	dropSteps(m)
	kept := markUnused(ctx, m)
	if err := m.RunPasses(cleanup, llvm.TargetMachine{}, o); err != nil {
		return nil, nil, nil, err
	}
	places := map[llvm.Value]llvm.Metadata{}
	for _, f := range defined(m) {
		maps.Copy(places, loads(f))
	}
	if err := m.RunPasses(invariant, llvm.TargetMachine{}, o); err != nil {
		return nil, nil, nil, err
	}
	for _, f := range defined(m) {
		for i := range loads(f) {
			// A load that is moved loses its place, but stays the same instruction.
			if l, ok := places[i]; ok && i.InstructionDebugLoc().IsNil() {
				i.InstructionSetDebugLoc(l)
			}
		}
	}
	steps = takeSteps(m)
	for _, f := range defined(m) {
		f.RemoveEnumFunctionAttribute(asan)
	}
	for _, s := range held {
		s.SetVolatile(false)
	}
	pinned = map[llvm.Value]bool{}
	for u := pins.FirstUse(); !u.IsNil(); u = pins.FirstUse() {
		pinned[u.User().Operand(0)] = true
		u.User().EraseFromParentAsInstruction()
	}
	pins.EraseFromParentAsFunction()
	unmark(kept)
	for _, f := range defined(m) {
		if conf.Written && conf.Stack {
			x := &function{module: &module{data: llvm.NewTargetData(m.DataLayout())}}
			_, reads := x.unset(f)
			unset = append(unset, reads...)
		}
	}
	return pinned, unset, steps, nil
}

// loads lists the loads of a function with their places.
func loads(f llvm.Value) map[llvm.Value]llvm.Metadata {
	out := map[llvm.Value]llvm.Metadata{}
	for b := f.FirstBasicBlock(); !b.IsNil(); b = llvm.NextBasicBlock(b) {
		for i := b.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
			if !i.IsALoadInst().IsNil() {
				out[i] = i.InstructionDebugLoc()
			}
		}
	}
	return out
}

// pin calls gulo_pin with the address of each variable that must stay in memory: one whose address escapes, or that
// is accessed at a constant offset outside of it. Otherwise cleanup would follow the address and take the wrong
// access for one that cannot happen. With unset, pin also keeps variables that may be read before they are written.
// It then makes volatile, and returns, the loads of bit-fields, and those of variables that a struct from another
// function is stored to, if they may be read before or their address escapes. These loads are to stay volatile until
// cleanup is done, so that a value that was not written is seen where it is read.
func pin(ctx llvm.Context, m llvm.Module, unset bool) (pins llvm.Value, held []llvm.Value) {
	t := llvm.FunctionType(ctx.VoidType(), []llvm.Type{llvm.PointerType(ctx.Int8Type(), 0)}, false)
	f := llvm.AddFunction(m, "gulo_pin", t)
	x := &function{module: &module{data: llvm.NewTargetData(m.DataLayout())}}
	b := ctx.NewBuilder()
	defer b.Dispose()
	for _, g := range defined(m) {
		may := map[llvm.Value]bool{}
		if unset {
			may, _ = x.unset(g)
		}
		given := map[llvm.Value]bool{}
		for b := g.FirstBasicBlock(); unset && !b.IsNil(); b = llvm.NextBasicBlock(b) {
			for i := b.FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
				if !i.IsAStoreInst().IsNil() && ofStruct(i.Operand(0)) {
					base, _ := x.fixed(i.Operand(1))
					given[base] = may[base] || !base.IsAAllocaInst().IsNil() && escapes(base)
				}
			}
		}
		for i := range loads(g) {
			if base, _ := x.fixed(i.Operand(0)); unset && (given[base] || strings.HasPrefix(i.Name(), "bf.load")) && !i.IsVolatile() {
				i.SetVolatile(true)
				held = append(held, i)
			}
		}
		for i := g.FirstBasicBlock().FirstInstruction(); !i.IsNil(); i = llvm.NextInstruction(i) {
			if i.IsAAllocaInst().IsNil() || !may[i] && !escapes(i) && !x.accessedOutside(i) {
				continue
			}
			b.SetInsertPointBefore(g.FirstBasicBlock().LastInstruction())
			c := b.CreateCall(t, f, []llvm.Value{i}, "")
			if l := g.FirstBasicBlock().LastInstruction().InstructionDebugLoc(); !l.IsNil() {
				c.InstructionSetDebugLoc(l)
			}
		}
	}
	return f, held
}
