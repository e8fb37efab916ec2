package session

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/target"
)

// Command is one entry of the command table. The manual is made from it.
type Command struct {
	Name    string
	Alias   string
	Args    string
	Help    string
	Example string

	run  func(s *Session, ctx context.Context, args string) error
	undo bool // changes the program or the specification
}

// Commands is the table of all commands, in the order of the manual.
func Commands() []Command { return table }

var table []Command

func init() {
	table = []Command{
		{"start", "", "[ARG...] [< FILE]", "run the program and stop at the first statement of main. With ARG or < FILE it gets other arguments or another input, and what is asserted still counts; start -- runs it without arguments", "start -v list.txt < input.txt", (*Session).start, true},
		{"next", "n", "[N]", "execute the next statement, calls included, N times", "next 3", (*Session).next, true},
		{"step", "s", "[N]", "execute the next statement; if it calls a function of the program, stop inside. N repeats that", "step", (*Session).step, true},
		{"finish", "", "", "run until the current function returns, and show the result", "finish", (*Session).finish, true},
		{"continue", "c", "[N]", "run to the next breakpoint or to the end; with N, to the Nth breakpoint", "continue 3", (*Session).cont_, true},
		{"until", "", "LINE", "run to a line of the current file", "until 30", (*Session).until, true},
		{"break", "b", "LINE|FUNC|FILE:LINE|FILE:FUNC [if EXPR] [times N]", "set a breakpoint. With if, the program stops only when EXPR holds; with times, from the Nth visit on. break -LINE removes a breakpoint, break alone lists them", "break 31 if current->data > 4", (*Session).breakAt, true},
		{"watch", "", "[-]ENTITY", "stop when a variable or field changes. watch -ENTITY removes the watch, watch alone lists them", "watch n3->next", (*Session).watch, true},
		{"when", "", "ENTITY", "go back to just before the statement that last changed a variable or field", "when n3->next", (*Session).when, true},
		{"enter", "", "", "enter the loop or branch, whatever its condition says", "enter", (*Session).enter, true},
		{"leave", "", "", "leave the loop or skip the branch, whatever its condition says", "leave", (*Session).leave, true},
		{"flip", "", "", "at a condition, go the other way than it says", "flip", (*Session).flip, true},
		{"skip", "", "", "pass over the next statement without executing it, because it crashes or would spoil the picture; a repair must still make it right", "skip", (*Session).skip, true},
		{"goto", "", "LINE[:COLUMN]", "continue at another statement of the function, without executing anything; assertions after it begin there", "goto 31", (*Session).gotoCmd, true},
		{"change", "", "ENTITY VALUE", "correct the picture: set a variable or field. VALUE is a node, null, a number or new (a fresh node); change n3 freed frees a node", "change n4->prev n3", (*Session).change, true},
		{"spec", "", "", "assert that the picture is right as it is now; this makes a checkpoint", "spec", (*Session).spec, true},
		{"checkpoints", "", "", "draw the asserted pictures (checkpoints) and which follows from which", "checkpoints", (*Session).checkpoints, false},
		{"resume", "", "K", "go back to checkpoint K, with its assertions and patches", "resume 2", (*Session).resume, true},
		{"compare", "", "K", "list the differences between checkpoint K and the picture now", "compare 0", (*Session).compare, false},
		{"track", "", "[ENTITY... | --all]", "let spec assert only these variables or fields; --all: everything again. track alone shows what is tracked", "track current head", (*Session).track, true},
		{"untrack", "", "ENTITY...", "leave these variables, nodes or fields out of every assertion", "untrack data", (*Session).untrack, true},
		{"concrete", "", "[-]LINE|FUNC", "execute a line or function in one step and keep it out of repairs; concrete -LINE or -FUNC undoes that", "concrete 12", (*Session).concreteCmd, true},
		{"locate", "", "[table]", "rank the suspicious statements. locate table prints the values that each statement got and would have needed. At a terminal, a long search goes on in the background after a first ranking; type locate again for the final one", "locate table", (*Session).locate, false},
		{"lock", "", "LINE", "keep a line out of every repair: gulo does not change it, nor insert anything directly before or after it", "lock 31", (*Session).lock, true},
		{"unlock", "", "LINE", "allow repairs to change a locked line again", "unlock 31", (*Session).unlock, true},
		{"keep", "", "[-]FUNC | [-]shape", "require that FUNC, a predicate of the program, holds after the function under repair, or (shape) that lists stay lists and trees stay trees; keep -FUNC and keep -shape end that", "keep is_sorted", (*Session).keepCmd, true},
		{"hint", "", "", "give a hint about the mistake; each hint says more than the one before", "hint", (*Session).hint, false},
		{"repair", "", "[--scope FUNC|A-B] [--slots N] [--no-locate] [--no-verify] [--limit TIME]", "find the smallest patch that meets every assertion, and apply it. A patch that fails on many inputs on which the program as written does not fail is shown, but not applied. --scope searches only a function or lines A to B; --slots inserts up to N statements (default 2); --no-locate skips the ranking and searches every statement. --limit is the time for the whole search, such as 60s: by the clock at a terminal, and in a script by counted work, so that a busy machine finds the same. Without --limit the search may take minutes. --no-verify takes the smallest patch for the statements stepped through and does not try it on other inputs; this takes milliseconds. At a terminal, a search longer than half a second shows its first repair and goes on in the background; type repair again for the result, or repair --wait to wait from the start", "repair --limit 60s", (*Session).repair, true},
		{"patches", "", "", "list the repairs that the last search found, best first", "patches", (*Session).patches, false},
		{"choose", "", "N", "apply repair N of the list that patches prints", "choose 2", (*Session).choose, true},
		{"unpatch", "", "", "take the patches out of the running program", "unpatch", (*Session).unpatch, true},
		{"diff", "d", "", "show the patch as a unified diff", "diff", (*Session).diff, false},
		{"rewrite", "", "[FILE]", "write the patched source; without FILE print it", "rewrite fixed.c", (*Session).rewrite, false},
		{"share", "", "FILE", "write the session as one HTML file that needs no gulo: the source, a picture of every state of the run, and a time line", "share session.html", (*Session).share, false},
		{"state", "", "[NODE...] [depth N]|text|svg FILE|dot FILE", "draw the memory: all of it, or only around these nodes, or with depth only N links away from them (or from the variables). svg and dot write the picture to FILE; text is the default", "state n7 depth 1", (*Session).stateCmd, false},
		{"focus", "", "[NODE|POINTER... | off]", "draw pictures around these nodes from now on, when the heap is too large to draw whole. A pointer stays the centre when it moves to another node. off draws around the variables of the active functions again", "focus n7", (*Session).focusCmd, false},
		{"view", "", "[BLOCK|TYPE as TYPE | BLOCK|TYPE off | file FILE | off]", "draw a block as TYPE from now on, or all blocks of one type as another type. A pointer names its block, with a pointer type as in a cast: view p as struct node *. file reads a .natvis file or gdb pretty-printers (.py), whose text stands in the boxes after ≡, or the types of a .c or .h file, such as a plugin's. off ends views; view alone lists them", "view n12 as struct node", (*Session).viewCmd, false},
		{"tidy", "", "", "lay out all nodes anew; otherwise a node keeps its place", "tidy", (*Session).tidy, false},
		{"print", "p", "[/x|/o|/t|/d|/u|/c] EXPR", "evaluate a C expression. Functions of the program are called on a copy of the memory, so that nothing changes. /x prints a number in hexadecimal, /o octal, /t binary, /d signed, /u unsigned, /c as a character", "print length(head->next)", (*Session).print, false},
		{"type", "", "EXPR|TYPE", "print the type of an expression, or the members of a structure", "type struct node", (*Session).typeCmd, false},
		{"where", "bt", "[full]", "print the call stack; full adds the variables of each function", "where full", (*Session).whereCmd, false},
		{"threads", "", "", "list the threads and where each one is", "threads", (*Session).threadsCmd, false},
		{"thread", "", "N", "step thread N from now on; the others stand still unless it waits for them", "thread 2", (*Session).threadCmd, true},
		{"follow", "", "[child|parent]", "choose the process that the session stays in at the next fork: the parent (the default) or the child; the other one runs on its own. follow alone says which process the session is in, and what the others do. The child of vfork, posix_spawn, system or popen cannot be followed: it becomes another program at once", "follow child", (*Session).followCmd, false},
		{"up", "", "[N]", "select the calling function: its variables can be typed without its name, and list shows it", "up", (*Session).up, false},
		{"down", "", "[N]", "go back from a calling function to the one that it called", "down", (*Session).down, false},
		{"list", "l", "", "show the source around the next statement", "list", (*Session).list, false},
		{"input", "", "TEXT | --end", "give the program a line on its standard input; --end ends the input. While the program waits for input, a line that is not a command goes to it, too", "input 42", (*Session).input, true},
		{"keys", "", "KEYS", "send keys to the program, without a newline. KEYS are plain text, or a C string in quotation marks, and names: <Enter> <Esc> <Tab> <BS> <Up> <PageDown> <F1> <C-x> <M-x>, and <lt> for <. keys ctrl-q is the same as keys <C-q>. While the program stands still, keys wait until it continues", "keys ab<Up><Enter>", (*Session).keys, true},
		{"screen", "", "[ROWSxCOLUMNS]", "show the screen of a program that has a terminal of its own (gulo debug --screen); with a size, resize that terminal", "screen 30x100", (*Session).screenCmd, true},
		{"expect", "", "[TEXT | < FILE | -]", "assert what this run should print, from its beginning to its end. TEXT is plain text, or a C string in quotation marks, where \\n ends a line; < FILE takes the text from a file. repair then looks for edits with which the run prints that and shows what you drew. expect alone prints the output and what is asserted; expect - asserts nothing of the output", `expect "3 2 1\n"`, (*Session).expect, true},
		{"rules", "", "[on|off NAME]", "list the memory rules that this session checks (gulo check --debug), or switch one on or off", "rules off double_free", (*Session).rules, false},
		{"undo", "u", "", "undo the last command; after a crash, go back to just before the statement that crashed", "undo", func(s *Session, ctx context.Context, _ string) error { return s.undoShow(ctx) }, false},
		{"help", "h", "[COMMAND]", "list all commands, or describe one of them", "help change", (*Session).help, false},
		{"quit", "q", "", "end the session", "quit", func(*Session, context.Context, string) error { return errQuit }, false},
	}
}

// elsewhere maps names of other debuggers, and plain words, to commands.
var elsewhere = map[string]string{
	"r": "start", "set": "change", "bt": "where", "backtrace": "where", "stack": "where", "frame": "where", "q": "quit",
	"assert": "spec", "fix": "repair", "save": "rewrite", "write": "rewrite", "draw": "state", "show": "state", "display": "watch", "delete": "break",
}

// meant returns the command that a mistyped or foreign name may mean; "" if none is near.
func meant(name string) string {
	if c := elsewhere[name]; c != "" {
		return c
	}
	best, dist := "", min(2, len(name)/2)+1
	for i := range table {
		if d := editDistance(table[i].Name, name); d < dist {
			best, dist = table[i].Name, d
		}
	}
	return best
}

// synonyms are names that everybody tries.
var synonyms = map[string]string{"exit": "quit", "?": "help", "run": "start"}

// isCommand reports whether a line begins with the name of a command in full, or an alias.
func isCommand(text string) bool {
	name, _, _ := strings.Cut(asHere(text), " ")
	return synonyms[name] != "" || slices.ContainsFunc(table, func(c Command) bool { return c.Name == name || c.Alias != "" && c.Alias == name })
}

// find returns the command with a name, an alias or a unique prefix.
func find(name string) (*Command, error) {
	name = cmp.Or(synonyms[name], name)
	var hits []*Command
	for i := range table {
		c := &table[i]
		if c.Name == name || c.Alias != "" && c.Alias == name {
			return c, nil
		}
		if strings.HasPrefix(c.Name, name) {
			hits = append(hits, c)
		}
	}
	switch len(hits) {
	case 1:
		return hits[0], nil
	case 0:
		if c := meant(name); c != "" {
			return nil, errorf("unknown command %q; is it %s? help lists the commands", name, c)
		}
		return nil, errorf("unknown command %q; help lists the commands", name)
	}
	var names []string
	for _, c := range hits {
		names = append(names, c.Name)
	}
	return nil, errorf("%q could be %s", name, strings.Join(names, " or "))
}

// command executes one command; quiet leaves out the picture.
func (s *Session) command(ctx context.Context, text string, quiet bool) error {
	text = asHere(text)
	name, args, _ := strings.Cut(text, " ")
	c, err := find(name)
	if err != nil {
		return err
	}
	if s.waiting && between[c.Name] {
		return s.running()
	}
	if args = strings.TrimSpace(args); c.Args == "" && args != "" {
		return errorf("%s takes no argument, and %q is one", c.Name, args)
	}
	s.endChase(c)
	n := len(s.history)
	undo := c.undo && !(s.cfg.KeepBreaks && (c.Name == "break" || c.Name == "watch"))
	if undo {
		s.remember(text)
	}
	at := s.out.Len()
	err = c.run(s, ctx, strings.TrimSpace(args))
	if err != nil && undo && len(s.history) > n {
		s.history = s.history[:n] // nothing was changed
	}
	if quiet && err == nil {
		kept := s.out.String()[:at]
		s.out.Reset()
		s.out.WriteString(kept)
		s.flushProgram()
	}
	return err
}

// Again returns what an empty line repeats after another line: steps, as in gdb; "" for anything else. Repeating a
// command that runs the program from its start would throw everything away.
func Again(line string) string {
	line, _, _ = strings.Cut(line, "#")
	list := splitCommands(line)
	for _, text := range list {
		name, _, _ := strings.Cut(asHere(text), " ")
		c, err := find(name)
		if err != nil || !slices.Contains([]string{"next", "step", "finish", "continue", "until", "enter", "leave", "up", "down", "list"}, c.Name) {
			return ""
		}
	}
	return strings.Join(list, "; ")
}

// Words completes the last word of a line: commands first, then entities.
func (s *Session) Words(line string) []string {
	i := strings.LastIndexAny(line, "; ") + 1
	word := line[i:]
	var out []string
	if strings.TrimSpace(line[:i]) == "" || strings.HasSuffix(strings.TrimSpace(line[:i]), ";") {
		for _, c := range table {
			if strings.HasPrefix(c.Name, word) {
				out = append(out, line[:i]+c.Name)
			}
		}
		return out
	}
	var names []string
	if s.graph != nil {
		names = s.graph.Keys()
		for _, n := range s.graph.Nodes {
			names = append(names, n.Name())
		}
	}
	for _, f := range s.prog.Tree.Funcs {
		names = append(names, f.Name)
	}
	sort.Strings(names)
	for _, k := range append(names, "null", "new") {
		if strings.HasPrefix(k, word) {
			out = append(out, line[:i]+k)
		}
	}
	return out
}

// StartAt runs the program from its start until a statement is reached for the
// n-th time, and returns the picture there.
func (s *Session) StartAt(ctx context.Context, stmt int32, times int) (string, error) {
	s.out.Reset()
	if err := s.start(ctx, ""); err != nil {
		return "", err
	}
	s.out.Reset()
	if s.stop.Stmt == stmt {
		times--
	}
	ctx, cancel := context.WithTimeout(ctx, max(s.cfg.Limit, 60*time.Second))
	defer cancel()
	for ; times > 0; times-- {
		s.seen, s.shot = nil, nil
		stop, err := s.tgt.Resume(ctx, target.Continue, map[int32]bool{stmt: true})
		if err := s.arrived(stop, err); err != nil {
			return "", err
		}
		if stop.Reason != target.Breakpoint {
			break
		}
	}
	if s.stop.Reason == target.Breakpoint {
		s.stop.Reason = target.Stepped
	}
	err := s.show()
	return s.out.String(), err
}

// Rules are memory rules that watch the program.
type Rules interface {
	Rules() (names []string, on map[string]bool)
	Enable(name string, on bool)
}

// rules lists the memory rules, or switches one.
func (s *Session) rules(_ context.Context, args string) error {
	if s.cfg.Rules == nil {
		return errorf("this session checks no memory rules; gulo check --debug opens one that does")
	}
	names, on := s.cfg.Rules.Rules()
	f := strings.Fields(args)
	switch {
	case len(f) == 0:
		for _, n := range names {
			state := "on"
			if !on[n] {
				state = "off"
			}
			s.printf("%-24s %s\n", n, state)
		}
		return nil
	case len(f) != 2 || f[0] != "on" && f[0] != "off":
		return errorf("rules [on|off NAME]")
	case !slices.Contains(names, f[1]):
		return errorf("there is no rule %s; rules lists them", f[1])
	}
	s.cfg.Rules.Enable(f[1], f[0] == "on")
	s.printf("%s is %s\n", f[1], f[0])
	return nil
}

// staysInside reports whether a recorded function other than main has a breakpoint inside: then what leads there is
// kept, for an assertion. In main the first spec is a starting picture.
func (s *Session) staysInside() bool {
	for id := range s.breaks {
		if st := s.prog.Stmts[id]; s.watched[st.Func] && st.Func.Name != "main" && (!s.isFirst(st) || !s.atEntry[id]) {
			return true
		}
	}
	return false
}

// run lets the program run in a mode until it halts, and then calls then.
func (s *Session) run(ctx context.Context, mode target.Mode, then func(context.Context) error) error {
	if err := s.running(); err != nil {
		return err
	}
	s.settle()
	g := &goal{mode: mode, depth: s.stop.Depth}
	if mode == target.Continue && len(s.watched) > 0 && len(s.scope) == 0 && !s.staysInside() {
		s.cut() // nothing is asserted of what was recorded
		s.watched = nil
	}
	return s.reach(ctx, g, func(ctx context.Context) error {
		s.attend()
		return then(ctx)
	})
}

func (s *Session) show() error {
	if s.stop.Reason != target.Exited {
		if err := s.refresh(); err != nil {
			return err
		}
	}
	s.report()
	return nil
}

// settle starts a new segment if the user has changed the picture without a spec.
func (s *Session) settle() {
	if len(s.fresh) > 0 {
		s.unpass()
		if s.call != nil {
			s.call.dirty = true
		}
		if s.open != nil && len(s.open.Items) > 0 {
			s.unsaid = append(s.unsaid, fmt.Sprintf("%s at %s", s.freshNames(), s.place1()))
		}
		s.fresh, s.texts = map[string]bool{}, nil
		if s.open != nil {
			s.begin()
		}
	}
}

// freshNames lists what was changed since the last assertion.
func (s *recorder) freshNames() string {
	var out []string
	for k := range s.fresh {
		out = append(out, k)
	}
	sort.Strings(out)
	return joinAnd(out)
}

// place1 names the place of the next statement.
func (s *inferior) place1() string {
	if st := s.stmt(); st != nil {
		p := st.Range.Position()
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return "the end"
}

func (s *Session) next(ctx context.Context, args string) error {
	n, err := times("next", "statements", args)
	if err != nil {
		return err
	}
	if err := s.running(); err != nil {
		return err
	}
	s.settle()
	return s.nextStatements(ctx, n, s.stop.Thread)
}

// times parses how often a command is to be done; 1 if args is empty.
func times(command, what, args string) (int, error) {
	if args == "" {
		return 1, nil
	}
	n, err := strconv.Atoi(args)
	if err != nil || n < 1 || n > 1_000_000 {
		return 0, errorf("%s wants a number of %s, not %q", command, what, args)
	}
	return n, nil
}

func (s *Session) nextStatements(ctx context.Context, n, thread int) error {
	if n == 0 || s.running() != nil || s.stop.Thread != thread {
		return s.show()
	}
	return s.reach(ctx, &goal{mode: target.Next, depth: s.stop.Depth}, func(ctx context.Context) error {
		s.attend()
		return s.nextStatements(ctx, n-1, thread)
	})
}

// step goes into a function, which then is one under repair.
func (s *Session) step(ctx context.Context, args string) error {
	n, err := times("step", "statements", args)
	if err != nil {
		return err
	}
	if err := s.running(); err != nil {
		return err
	}
	s.settle()
	return s.steps(ctx, n)
}

func (s *Session) steps(ctx context.Context, n int) error {
	if n == 0 || s.running() != nil {
		return s.show()
	}
	depth := s.stop.Depth
	g := &goal{mode: target.Into, depth: depth}
	return s.reach(ctx, g, func(ctx context.Context) error {
		if st := s.stmt(); st != nil && s.stop.Depth > depth && s.stop.Reason == target.Stepped {
			s.scope[st.Func] = true
			if a := s.top(); a == nil || a.depth != s.stop.Depth || len(s.watched) > 0 {
				s.watched = nil
				s.begin()
			}
		}
		s.attend()
		return s.steps(ctx, n-1)
	})
}

func (s *Session) cont_(ctx context.Context, args string) error {
	if done, err := s.letGo(ctx); done || err != nil {
		return err
	}
	n, err := times("continue", "halts", args)
	if err != nil {
		return err
	}
	if s.waiting && s.stop.Timed { // its read has a timeout
		return s.goOnReading(ctx)
	}
	return s.continued(ctx, n)
}

// continued runs on until the program has halted n times.
func (s *Session) continued(ctx context.Context, n int) error {
	return s.run(ctx, target.Continue, func(ctx context.Context) error {
		if n == 1 || s.stop.Reason != target.Stepped {
			return s.show()
		}
		return s.continued(ctx, n-1)
	})
}

func (s *Session) until(ctx context.Context, args string) error {
	id, err := s.place(args)
	if err != nil {
		return err
	}
	id = s.again(id)
	if err := s.running(); err != nil {
		return err
	}
	back := s.breakOnce(id, args)
	err = s.run(ctx, target.Continue, func(context.Context) error {
		back()
		return s.unreached(id, s.show())
	})
	if s.suspended != nil {
		s.suspended.drop = back
	} else {
		back()
	}
	return err
}

// breakOnce makes the program halt at a statement unconditionally until back is called.
func (s *inferior) breakOnce(id int32, place string) (back func()) {
	cond, conditional := s.conds[id]
	at, _ := s.functionPlace(place)
	line := s.atEntry[id] && at != id // place is a line: halt there also when a loop comes back to it
	if line {
		delete(s.atEntry, id)
	}
	was := s.breaks[id]
	s.breaks[id] = true
	delete(s.conds, id)
	return func() {
		if line {
			s.atEntry[id] = true
		}
		if conditional {
			s.conds[id] = cond
		}
		if !was {
			delete(s.breaks, id)
		}
	}
}

// unreached says so if the program ended or crashed before it reached a statement. It returns err.
func (s *inferior) unreached(id int32, err error) error {
	line := s.prog.Stmts[id].Range.Position().Line
	switch {
	case err != nil || !s.started || s.stop.Stmt == id && s.stop.Reason == target.Crashed:
	case s.stop.Reason == target.Exited:
		s.printf("line %d was not reached; undo goes back\n", line)
	case s.stop.Reason == target.Crashed:
		s.printf("line %d was not reached\n", line)
	}
	return err
}

// again returns where until halts. Inside a for loop, the line of its head means its condition: the next round, not
// another beginning of the loop.
func (s *drawing) again(id int32) int32 {
	st, now := s.prog.Stmts[id], s.stmt()
	if now == nil || s.stop.Inside || now.Func != st.Func {
		return id
	}
	for _, c := range s.prog.Stmts {
		if c == nil || c.Kind != lower.Cond || c.Func != st.Func {
			continue
		}
		loop, ok := c.Node.(*cfront.For)
		if !ok {
			continue
		}
		r, in := loop.Range(), now.Range
		head := r.File == st.Range.File && r.Start <= st.Range.Start && st.Range.End <= c.Range.Start
		if head && r.File == in.File && r.Start <= in.Start && in.End <= r.End {
			return c.ID
		}
	}
	return id
}

// functionPlace finds the first statement of FUNC or FILE:FUNC; 0 when there is no
// such function.
func (s *inferior) functionPlace(arg string) (int32, error) {
	file, name := "", arg
	if i := strings.LastIndexByte(arg, ':'); i >= 0 {
		file, name = arg[:i], arg[i+1:]
	}
	var ids []int32
	var where []string
	for _, f := range s.prog.Tree.Funcs {
		if f.Name != name || f.Body == nil {
			continue
		}
		at := f.Range.File.Name
		if file != "" && at != file && !strings.HasSuffix(at, "/"+file) {
			continue
		}
		if i, ok := s.prog.FuncIndex(f); ok {
			if e := s.prog.First(i); e.Next != 0 {
				ids = append(ids, e.Next)
				where = append(where, filepath.Base(at)+":"+name)
			}
		}
	}
	switch len(ids) {
	case 0:
		return 0, nil
	case 1:
		return ids[0], nil
	}
	return 0, errorf("there are several functions %s: say which one, %s", name, strings.Join(where, " or "))
}

// place finds the statement that LINE, FILE:LINE or FUNC means.
func (s *drawing) place(arg string) (int32, error) {
	if arg == "" {
		return 0, errorf("where? give a line number or the name of a function")
	}
	if id, err := s.functionPlace(arg); id != 0 || err != nil {
		return id, err
	}
	file, num := "", arg
	if i := strings.LastIndexByte(arg, ':'); i >= 0 {
		file, num = arg[:i], arg[i+1:]
	} else if st := s.standing(); st != nil {
		file = st.Range.File.Name
	} else {
		file = s.prog.Tree.Files[0].Name
	}
	line, err := strconv.Atoi(num)
	if err != nil {
		return 0, errorf("no function or line %q", arg)
	}
	var best *lower.Stmt
	for _, st := range s.prog.Stmts {
		if st == nil || !st.Stop || st.Range.File.Name != file && !strings.HasSuffix(st.Range.File.Name, "/"+file) {
			continue
		}
		p := st.Range.Position()
		if p.Line >= line && (best == nil || st.Range.Start < best.Range.Start) {
			best = st
		}
	}
	if best == nil {
		return 0, errorf("no statement at or after line %d of %s", line, file)
	}
	return best.ID, nil
}

func (s *Session) breakAt(ctx context.Context, args string) error {
	if args == "" {
		var ids []int
		for id := range s.breaks {
			ids = append(ids, int(id))
		}
		sort.Ints(ids)
		for _, id := range ids {
			s.printf("%s: %s%s\n", s.prog.Stmts[id].Range, Show(s.prog.Stmts[id]), s.conds[int32(id)])
		}
		if len(ids) == 0 {
			s.printf("no breakpoints\n")
		}
		return nil
	}
	remove := strings.HasPrefix(args, "-")
	at, cond, err := parseCondition(strings.TrimPrefix(args, "-"))
	if err != nil {
		return err
	}
	id, err := s.place(at)
	if err != nil {
		return err
	}
	st := s.prog.Stmts[id]
	p := st.Range.Position()
	if remove {
		if !s.breaks[id] {
			return errorf("there is no breakpoint at %s:%d; break lists those there are", p.File, p.Line)
		}
		delete(s.breaks, id)
		delete(s.conds, id)
		s.printf("breakpoint removed at %s:%d\n", p.File, p.Line)
		return nil
	}
	if err := s.read(&cond, st); err != nil {
		return err
	}
	s.breaks[id] = true
	if fid, _ := s.functionPlace(at); fid == id || s.isFirst(st) && !s.returnedTo(st) {
		s.atEntry[id] = true
	} else {
		delete(s.atEntry, id)
	}
	delete(s.conds, id)
	if cond.x != nil || cond.times > 1 {
		s.conds[id] = cond
	}
	s.printf("breakpoint at %s:%d: %s%s\n", p.File, p.Line, Show(st), cond)
	return nil
}

// returnedTo reports whether the program can come to a statement from another one of its function.
func (s *inferior) returnedTo(st *lower.Stmt) bool {
	for _, other := range s.prog.Stmts {
		if other == nil || other.Func != st.Func || !other.Stop {
			continue
		}
		for _, e := range s.prog.Edges(other) {
			if e.Next == st.ID {
				return true
			}
		}
	}
	return false
}

// force executes the next condition with the decision that decide returns.
func (s *Session) force(ctx context.Context, what string, decide func(st *lower.Stmt) (int8, error)) error {
	if err := s.running(); err != nil {
		return err
	}
	st := s.stmt()
	if s.stop.Inside {
		return s.errInside()
	}
	if st != nil && what != "flip" && st.Kind != lower.Cond {
		// At the initialization or the last part of a for loop: go on to its condition.
		if l, ok := s.loopOf(st); ok {
			for i := 0; i < 3 && s.stmt() != nil && s.stmt().ID != l; i++ {
				s.settle()
				if err := s.advance(ctx, &goal{mode: target.Next, depth: s.stop.Depth}); err != nil {
					return err
				}
			}
			st = s.stmt()
		}
	}
	if st == nil || st.Kind != lower.Cond {
		return errorf("%s works at the condition of a loop or branch; the next statement is %s", what, s.Prompted())
	}
	if st.Macro {
		return errorf("%s comes out of a macro; its parts cannot be decided one by one", Show(st))
	}
	d, err := decide(st)
	if err != nil {
		return err
	}
	s.settle()
	s.pending[st.ID] = d
	if s.open == nil && s.scope[st.Func] {
		s.begin()
	}
	if err := s.single(ctx, false); err != nil {
		return err
	}
	return s.show()
}

// loopOf returns the condition of the for loop that a statement begins or
// continues.
func (s *inferior) loopOf(st *lower.Stmt) (int32, bool) {
	for _, e := range s.prog.Edges(st) {
		if e.Next != 0 {
			n := s.prog.Stmts[e.Next]
			if n.Kind == lower.Cond && n.Loop && (st.Kind == lower.Post || st.Kind == lower.Decl || st.Kind == lower.Expr) {
				if f, ok := n.Node.(*cfront.For); ok && (f.Post != nil && st.Kind == lower.Post && n.Node == st.Node || st.Kind != lower.Post && f.Init != nil && f.Init.Range().Start <= st.Range.Start && st.Range.End <= f.Init.Range().End+1) {
					return n.ID, true
				}
			}
		}
	}
	return 0, false
}

func (s *Session) enter(ctx context.Context, args string) error {
	return s.force(ctx, "enter", func(*lower.Stmt) (int8, error) { return 1, nil })
}

func (s *Session) leave(ctx context.Context, args string) error {
	return s.force(ctx, "leave", func(*lower.Stmt) (int8, error) { return 0, nil })
}

func (s *Session) flip(ctx context.Context, args string) error {
	return s.force(ctx, "flip", func(st *lower.Stmt) (int8, error) {
		d, err := s.decision(st)
		if err != nil {
			return 0, errorf("cannot tell what the condition says: %v", err)
		}
		return 1 - d, nil
	})
}

func (s *drawing) list(ctx context.Context, args string) error {
	st := s.standing()
	if st == nil {
		return errorf("the program is at no statement of the source")
	}
	at := st.Range.Position().Line
	for l := max(at-5, 1); l <= min(at+5, st.Range.File.Lines()); l++ {
		mark := "  "
		if l == at {
			mark = "=>"
		}
		fmt.Fprintf(&s.out, "%s %4d  %s\n", mark, l, st.Range.File.Line(l)) // source is not wrapped
	}
	return nil
}
