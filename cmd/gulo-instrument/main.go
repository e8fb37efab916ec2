//go:build llvm19

// Command gulo-instrument inserts what a generated memory debugger needs into one
// file of LLVM bitcode: gulo cc calls it between the front end and the code
// generator. It is a program of its own so that gulo itself needs no LLVM.
//
// It optimizes first (as clang -O1, but without speculating loads and without
// inlining, so that places are those of the source), then inserts calls of the
// functions in rules/rt/src/inline.c and runtime.c; clang inlines the fast paths.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"

	"tinygo.org/x/go-llvm"
)

// config is gen.Config.
type config struct {
	Deref   string   `json:"deref"`
	Written bool     `json:"written"`
	Meta    bool     `json:"meta"`
	Chains  bool     `json:"chains"`
	Free    bool     `json:"free"`
	Stack   bool     `json:"stack"`
	Globals bool     `json:"globals"`
	Funcs   []string `json:"funcs"`
}

func main() {
	conf := flag.String("config", "", "what to insert, as JSON")
	inline := flag.String("inline", "", "bitcode of the fast paths")
	out := flag.String("o", "", "where to write")
	flag.Parse()
	if err := run(*conf, *inline, flag.Arg(0), *out); err != nil {
		fmt.Fprintln(os.Stderr, "gulo-instrument:", err)
		os.Exit(1)
	}
}

func run(conf, inline, in, out string) error {
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
	if err := optimize(ctx, m); err != nil {
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
	newModule(ctx, m, c).instrument(own)
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

// optimize runs -O1 without what makes checks wrong or places unknown:
// sanitize_address keeps LLVM from speculating loads, noinline from inlining.
func optimize(ctx llvm.Context, m llvm.Module) error {
	asan, noinline, always := llvm.AttributeKindID("sanitize_address"), llvm.AttributeKindID("noinline"), llvm.AttributeKindID("alwaysinline")
	var added []llvm.Value
	for _, f := range defined(m) {
		f.AddFunctionAttr(ctx.CreateEnumAttribute(asan, 0))
		if f.GetEnumFunctionAttribute(always).IsNil() && f.GetEnumFunctionAttribute(noinline).IsNil() {
			f.AddFunctionAttr(ctx.CreateEnumAttribute(noinline, 0))
			added = append(added, f)
		}
	}
	o := llvm.NewPassBuilderOptions()
	defer o.Dispose()
	if err := m.RunPasses("default<O1>", llvm.TargetMachine{}, o); err != nil {
		return err
	}
	for _, f := range defined(m) {
		f.RemoveEnumFunctionAttribute(asan)
	}
	still := map[llvm.Value]bool{}
	for _, f := range defined(m) {
		still[f] = true
	}
	for _, f := range added {
		if still[f] {
			f.RemoveEnumFunctionAttribute(noinline)
		}
	}
	return nil
}
