// Package architecture is a walk through gulo along the data. The symbols it
// names are referenced below, so it cannot name what is gone.
//
// A C file becomes source.File: bytes with a line map. cfront.Load asks gcc
// whether it is C, lets cpp.Preprocess read it with the system's headers and
// modernc.org/cc/v4 parse the tokens, and rebuilds a typed tree
// in which every node knows its bytes and every conversion is visible
// (cfront.Program). lower.Open keeps large programs, written by package pickle. lower.Lower turns the tree into ir.Program, basic blocks of
// three-address instructions, and makes the location map: lower.Stmt is what a
// debugger stops at, lower.Gap a place where a statement could be inserted,
// Program.Edges where control can go.
//
// machine.New runs the ir; it is the meaning of C here. A value is a
// ctype.Word, and ctype.Binary is the only definition of arithmetic, shared
// with eval.Value, which evaluates tree expressions over any memory.
// A machine.Machine stands on layers that see only what is below (loaded, control,
// recording, memory), and has a C library in parts, each with its own state: stdio,
// fileSystem, signals, mappings and others, beside threads and processes (decision 53).
// What knows nothing of it stands in packages below: posixre.Compile, extmath.Elementary, random.New.
//
// target.Target is a running program. target/gdb compiles the user's files (as
// cfront.Options say; package project takes them from a build), rewrites the line
// table so that gdb's lines are statements, and drives gdb over MI; target/sim is
// the machine. Neither sees the other.
//
// session.Session is one debug session on a Target. After every command its
// target.Camera takes a heap.Image, a copy of the reachable memory, which shares with
// the image before what has not changed (heap.Film), and a heap.Grapher makes it a
// heap.Graph, laid out by draw.Layout, which never moves a node once placed.
// While the user steps through a function it records spec.Segment: a state,
// the statements, the decisions, and the state asserted by spec.
//
// On repair, gradient.Locate ranks statements by forward and backward
// execution of the segments. space.New lists what may be edited, and
// repair.Trace executes a segment with or without edits. repair/trace's Solve
// searches edits by enumeration; proof.Solve asks sat.Solver (gini) or
// smt.Process (z3); Replay checks each answer once more. testgen.Infer and
// oracle.Trials run the candidates on generated heaps. A repair.Patch is applied by the session statement by statement in the running program, and
// by patch.Rewrite to the bytes of the source.
//
// Without a session, a job.Job says what is asked: a program, all that is known of what is
// right (job.Spec) and what may change. Its texts are read once (job.Texts). pipeline.Fix asks
// the engines of its table (pipeline.Engines), each a pipeline.Repairer, one after the other
// and answers with a report.Report; the campaign, the bench and the command line call it. campaign.Queue hands many jobs to workers; sandbox.Run
// is for strangers' programs. fault.New injects faults, spectrum.Rank localizes by
// coverage, bench.Sweep plays sessions over thousands of faulty programs. gate.Measure asks about
// programs that others wrote, and mine.Run which edits are what people corrected. user.Find says where a user of a session
// stops who knows what the right program shows, and a user.User draws that.
//
// Examples: of a reference or tests cases.Make makes a cases.Set: suites of calls that a
// search sees, and others that are held back. cases.OfRuns makes one of whole runs with
// cases.Explore, which varies the run in hand in front of the reference. Two engines search
// by them. states.Fix asks natural.Solve for edits that meet all calls; Program.Overlay and
// Machine.Overlay run candidates. runs.New begins a runs.Search, which does so with whole
// runs, and asks schema.Solve: textedit.New lists edits of the text, a schema is one program with
// all of them, and native.Build compiles it (with tcc where that is there, see decision 25) with a harness that calls its main many times in one child process.
// Beside a reference, or other right programs (job.Spec.Right), takeover.Solve takes statements of it over, after small edits.
// declared.Try takes macros and initializers from the reference. effects.Rank localizes by
// such edits.
//
// Whatever an engine finds ends in package judge: judge.Judge holds it against the cases
// that were held back, and judge.Whole the word that nothing is wrong against the runs in
// hand; native.Link compiles a repair with gcc's
// sanitizers, judge.Calls builds the states of the cases in its memory and calls the
// function there; whole runs are run the same way and, beside a reference, thousands more
// (cases.More). A logic.Comparer is asked whether functions do what the reference's do on all
// inputs; of numbers on which they do not cases.Aim makes whole runs. trust.Facts says in words what an answer rests on.
//
// logic.Fix works by logic, for programs of numbers. symbolic.Engine executes the
// ir on terms (smt.Terms), all ways at once or, for logic.Explore, path by path;
// template.Components lists what may be wrong, and the values of components are
// symbols of their own (ir.Hole). diagnosis.Diagnose finds the sets of components
// that could make the failing inputs pass, by HittingSets of conflicts that
// smt.Solver proves; template.Solve looks for expressions in their place, first
// template.Neighbours, then template.Templates. What is found is compiled, run
// natively and executed on symbols once more.
//
// pwp.Fix works from contracts: contract.Read and contract.Of parse conditions,
// oracle.Watch holds calls against them on the machine. evidence.Record makes the
// error trace of a failing test, whose Trace.AllStates are path-based weakest
// preconditions and actual states; States.Evidences are where they clash, and
// modify.Modifications (package repair/modify) removes them. pwp.Wholes are whole runs like
// the one in hand: those that break the contract have to keep it with a repair, and those
// that keep it should do what they do.
//
// locate.Locate asks all localization methods (locate.Methods) about one specification: a
// locate.Localizer answers for those that look at the same cases. A case
// whose end is known, by a reference or because the contract leaves one value only
// (Trace.Wanted), is a postcondition for evidence.RecordWanted and a session that
// nobody types for the gradient; locate.Combine makes one ranking.
//
// Memory rules are parsed and checked by rules.Parse and rules.Check and turned
// into rules.Plan. calculus.Debugger evaluates plans on the machine, whose
// machine.Monitor it is; gen.Generate makes C of them. check.Build compiles that
// with the runtime (rt.Files), cmd/gulo-instrument puts calls of it into LLVM
// bitcode, and check.CC is the compiler that does both for whole programs.
// check.Run runs a program on either engine, check.FirstError finds the moment at
// which a session is opened. slice.Examine counts what a dynamic slice would have
// shown instead.
//
// shell.Interactive and shell.Script are the terminal's views. web.Server shows
// the same session to a browser and dap.Serve to an editor: both send command
// lines and draw session.View, whose draw.Picture has the layout's coordinates.
// app.Main is the command line. internal/archtest/imports.txt has the packages in this order, on floors:
// imports go down, and it says who may import whom.
package architecture

import (
	"gulo/internal/app"
	"gulo/internal/bench"
	"gulo/internal/bench/gate"
	"gulo/internal/campaign"
	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/check"
	"gulo/internal/contract"
	"gulo/internal/cpp"
	"gulo/internal/ctype"
	"gulo/internal/dap"
	"gulo/internal/draw"
	"gulo/internal/eval"
	"gulo/internal/fault"
	"gulo/internal/heap"
	"gulo/internal/ir"
	"gulo/internal/job"
	"gulo/internal/judge"
	"gulo/internal/locate"
	"gulo/internal/locate/diagnosis"
	"gulo/internal/locate/effects"
	"gulo/internal/locate/evidence"
	"gulo/internal/locate/gradient"
	"gulo/internal/locate/spectrum"
	"gulo/internal/logic"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/machine/extmath"
	"gulo/internal/machine/posixre"
	"gulo/internal/machine/random"
	"gulo/internal/mine"
	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/pipeline"
	"gulo/internal/project"
	"gulo/internal/pwp"
	"gulo/internal/repair"
	"gulo/internal/repair/declared"
	"gulo/internal/repair/modify"
	"gulo/internal/repair/natural"
	"gulo/internal/repair/proof"
	"gulo/internal/repair/runs"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/space"
	"gulo/internal/repair/states"
	"gulo/internal/repair/takeover"
	"gulo/internal/repair/template"
	"gulo/internal/repair/textedit"
	"gulo/internal/repair/trace"
	"gulo/internal/report"
	"gulo/internal/rules"
	"gulo/internal/rules/calculus"
	"gulo/internal/rules/gen"
	"gulo/internal/rules/rt"
	"gulo/internal/sandbox"
	"gulo/internal/sat"
	"gulo/internal/session"
	"gulo/internal/shell"
	"gulo/internal/slice"
	"gulo/internal/smt"
	"gulo/internal/source"
	"gulo/internal/spec"
	"gulo/internal/symbolic"
	"gulo/internal/target"
	"gulo/internal/testgen"
	"gulo/internal/trust"
	"gulo/internal/user"
	"gulo/internal/web"
)

var (
	_ source.File
	_ cfront.Program
	_ = cfront.Load
	_ = cpp.Preprocess
	_ = lower.Lower
	_ = lower.Open
	_ lower.Stmt
	_ lower.Gap
	_ = (*lower.Program).Edges
	_ ir.Program
	_ = machine.New
	_ = posixre.Compile
	_ = extmath.Elementary
	_ = random.New
	_ ctype.Word
	_ = ctype.Binary
	_ = eval.Value
	_ target.Target
	_ target.Camera
	_ session.Session
	_ heap.Image
	_ heap.Film
	_ heap.Grapher
	_ heap.Graph
	_ draw.Layout
	_ spec.Segment
	_ = gradient.Locate
	_ = trace.Solve
	_ = trace.Replay
	_ = space.New
	_ repair.Trace
	_ = proof.Solve
	_ sat.Solver
	_ smt.Process
	_ = testgen.Infer
	_ oracle.Trials
	_ repair.Patch
	_ = patch.Rewrite
	_ = shell.Interactive
	_ = shell.Script
	_ = states.Fix
	_ = pipeline.Fix
	_ = pipeline.Engines
	_ pipeline.Repairer
	_ job.Texts
	_ = project.Open
	_ job.Job
	_ job.Spec
	_ report.Report
	_ judge.Calls
	_ judge.Judge
	_ judge.Whole
	_ cases.Set
	_ = cases.Make
	_ = cases.OfRuns
	_ runs.Search
	_ = declared.Try
	_ = effects.Rank
	_ = native.Link
	_ = cases.More
	_ logic.Comparer
	_ cases.Aim
	_ = runs.New
	_ = cases.Explore
	_ = schema.Solve
	_ = textedit.New
	_ = takeover.Solve
	_ = native.Build
	_ trust.Facts
	_ oracle.Suite
	_ = natural.Solve
	_ = (*lower.Program).Overlay
	_ = (*machine.Machine).Overlay
	_ campaign.Queue
	_ = sandbox.Run
	_ = fault.New
	_ = spectrum.Rank
	_ = bench.Sweep
	_ = gate.Measure
	_ = mine.Run
	_ = user.Find
	_ user.User
	_ = pwp.Fix
	_ = contract.Read
	_ = contract.Of
	_ oracle.Watch
	_ = evidence.Record
	_ = (*evidence.Trace).AllStates
	_ = (*evidence.States).Evidences
	_ = modify.Modifications
	_ = locate.Locate
	_ = locate.Combine
	_ = locate.Methods
	_ locate.Localizer
	_ = evidence.RecordWanted
	_ = (*evidence.Trace).Wanted
	_ = logic.Fix
	_ = logic.Explore
	_ symbolic.Engine
	_ smt.Terms
	_ smt.Solver
	_ = ir.Hole
	_ = diagnosis.Diagnose
	_ = diagnosis.HittingSets
	_ = template.Components
	_ = template.Neighbours
	_ = template.Templates
	_ = template.Solve
	_ = rules.Parse
	_ = rules.Check
	_ rules.Plan
	_ calculus.Debugger
	_ machine.Monitor
	_ = gen.Generate
	_ = check.Build
	_ = rt.Files
	_ = check.CC
	_ = check.Run
	_ = check.FirstError
	_ = slice.Examine
	_ web.Server
	_ = dap.Serve
	_ session.View
	_ draw.Picture
	_ = app.Main
)
