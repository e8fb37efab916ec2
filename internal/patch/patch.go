// Package patch turns edits into text: changes of exact bytes of the user's file, and unified diffs. Everything else
// stays byte-identical.
package patch

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/repair"
	"gulo/internal/source"

	"github.com/aymanbagabas/go-udiff"
)

// change replaces bytes of a file.
type change struct {
	r    source.Range
	text string
}

// Rewrite returns the changed text of every file that the patch touches, by
// file name.
func Rewrite(p *lower.Program, pt *repair.Patch) (map[string]string, error) {
	byFile := map[*source.File][]change{}
	for _, e := range pt.Edits() {
		if e.Stmt == 0 && p.Gaps[e.Gap].Block.Implicit {
			b := p.Gaps[e.Gap].Block
			byFile[b.Range().File] = append(byFile[b.Range().File], braced(b, p.Gaps[e.Gap].Index, e)...)
			continue
		}
		c, err := render(p, e)
		if err != nil {
			return nil, err
		}
		byFile[c.r.File] = append(byFile[c.r.File], c)
	}
	for _, v := range pt.Temps() {
		c := declare(v)
		byFile[c.r.File] = append([]change{c}, byFile[c.r.File]...)
	}
	out := map[string]string{}
	for f, cs := range byFile {
		s, err := apply(f, cs)
		if err != nil {
			return nil, err
		}
		out[f.Name] = s
	}
	return out, nil
}

// apply makes changes that do not overlap. Insertions at the same place keep their order.
func apply(f *source.File, cs []change) (string, error) {
	sort.SliceStable(cs, func(i, j int) bool {
		if cs[i].r.Start != cs[j].r.Start {
			return cs[i].r.Start < cs[j].r.Start
		}
		return cs[i].r.End < cs[j].r.End // an insertion precedes a change at the same place
	})
	var b strings.Builder
	at := 0
	for _, c := range cs {
		if c.r.Start < at {
			return "", fmt.Errorf("patch: two edits of %s overlap at %s", f.Name, c.r)
		}
		b.Write(f.Text[at:c.r.Start])
		b.WriteString(f.Written(c.text))
		at = c.r.End
	}
	b.Write(f.Text[at:])
	return b.String(), nil
}

func render(p *lower.Program, e *repair.Edit) (change, error) {
	if e.Stmt == 0 {
		return insertion(p.Gaps[e.Gap], e), nil
	}
	s := p.Stmts[e.Stmt]
	switch s.Kind {
	case lower.Cond:
		return change{s.X.Range(), condText(s, e)}, nil
	case lower.Decl:
		if e.New == nil || len(s.Decl.Init) != 1 {
			return change{}, fmt.Errorf("patch: cannot edit the declaration at %s", s.Range)
		}
		return change{s.Decl.Init[0].X.Range(), cfront.Text(e.New)}, nil
	case lower.Post:
		switch {
		case e.Delete:
			return change{s.X.Range(), ""}, nil
		case e.Guard != nil:
			return change{s.X.Range(), conditional(s, e)}, nil
		}
		return narrow(s.X, e.New), nil
	case lower.Expr:
		return statement(s, e), nil
	case lower.Return:
		return change{s.X.Range(), cfront.Text(e.New)}, nil
	}
	return change{}, fmt.Errorf("patch: cannot edit the statement at %s", s.Range)
}

func condText(s *lower.Stmt, e *repair.Edit) string {
	if e.Delete {
		return "0"
	}
	return strip(cfront.Text(e.New), s.X.Range().Text())
}

// strip removes outer parentheses if the replaced text had none.
func strip(s, old string) string {
	if strings.HasPrefix(s, "(") && !strings.HasPrefix(old, "(") && matching(s) == len(s)-1 {
		return s[1 : len(s)-1]
	}
	return s
}

func matching(s string) int {
	depth := 0
	for i, c := range s {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// narrow changes as few bytes of an assignment as possible: only one side if the other stays.
func narrow(old, new cfront.Expr) change {
	a, ok1 := old.(*cfront.Assign)
	b, ok2 := new.(*cfront.Assign)
	if ok1 && ok2 && a.HasOp == b.HasOp && (!a.HasOp || a.Op == b.Op) {
		same := func(x, y cfront.Expr) bool {
			return source.Squeeze(cfront.Text(x)) == source.Squeeze(cfront.Text(y))
		}
		l, r := cfront.Skip(b.L), skip(b.R)
		switch {
		case same(a.L, l) && skip(a.R).Editable():
			return change{skip(a.R).Range(), cfront.Text(r)}
		case same(skip(a.R), r) && a.L.Editable():
			return change{a.L.Range(), cfront.Text(l)}
		}
	}
	return change{old.Range(), cfront.Text(new)}
}

func skip(x cfront.Expr) cfront.Expr {
	if c, ok := x.(*cfront.Cast); ok && c.Implicit {
		return skip(c.X)
	}
	return x
}

func statement(s *lower.Stmt, e *repair.Edit) change {
	r := s.Range
	head := !strings.HasSuffix(r.Text(), ";") // the head of a for
	switch {
	case e.Delete && head:
		return change{r, ""}
	case e.Delete:
		return deletion(r)
	case e.Guard == nil:
		return narrow(s.X, e.New)
	case head:
		return change{r, conditional(s, e)}
	}
	text := r.Text()
	if e.New != nil {
		text = cfront.Text(e.New) + ";"
	}
	f := r.File
	indent := f.Indent(r.Start)
	step := "    "
	if strings.HasPrefix(indent, "\t") {
		step = "\t"
	}
	if elseFollows(r) { // the else would belong to the new if
		return change{r, "{ if (" + cfront.Text(e.Guard) + ") " + text + " }"}
	}
	if strings.TrimSpace(f.Line(r.Position().Line)) == strings.TrimSpace(r.Text()) {
		return change{r, "if (" + cfront.Text(e.Guard) + ")\n" + indent + step + text}
	}
	return change{r, "if (" + cfront.Text(e.Guard) + ") " + text}
}

// elseFollows reports whether the next word of the text is else.
func elseFollows(r source.Range) bool {
	text := string(r.File.Text[r.End:])
	for {
		text = strings.TrimLeft(text, " \t\r\n\\")
		end := ""
		switch {
		case strings.HasPrefix(text, "//"), strings.HasPrefix(text, "#"):
			end = "\n"
		case strings.HasPrefix(text, "/*"):
			end = "*/"
		default:
			rest, ok := strings.CutPrefix(text, "else")
			return ok && (rest == "" || !strings.ContainsRune(rest[:1], '_') && strings.ToLower(rest[:1]) == strings.ToUpper(rest[:1]) && !(rest[0] >= '0' && rest[0] <= '9'))
		}
		_, rest, ok := strings.Cut(text, end)
		if !ok {
			return false
		}
		text = rest
	}
}

// conditional writes a guarded expression in the head of a for, where no statement is possible.
func conditional(s *lower.Stmt, e *repair.Edit) string {
	x := s.X
	if e.New != nil {
		x = e.New
	}
	guard, text := cfront.Text(e.Guard), cfront.Text(x)
	if x.Type().IsScalar() {
		return "(" + guard + ") && (" + text + ")"
	}
	return "(" + guard + ") ? (void)(" + text + ") : (void)0"
}

// deletion removes a statement. If it is alone on its line, and not the body of an if or a loop, the line is removed;
// otherwise an empty statement remains.
func deletion(r source.Range) change {
	f := r.File
	line := f.Position(r.Start).Line
	if strings.TrimSpace(f.Line(line)) != r.Text() || line == 1 {
		return change{r, ";"}
	}
	prev := strings.TrimSpace(f.Line(line - 1))
	if prev != "" && !strings.ContainsAny(prev[len(prev)-1:], ";{}/") {
		return change{r, ";"}
	}
	start, _ := f.Offset(line, 1)
	end, ok := f.Offset(line+1, 1)
	if !ok {
		end = len(f.Text)
	}
	return change{source.Range{File: f, Start: start, End: end}, ""}
}

func insertion(g *lower.Gap, e *repair.Edit) change {
	text := e.Inserted()
	list := g.Block.List
	f := g.Block.Range().File
	index := g.Index
	for index > 0 && list[index-1].Range().File == nil { // a declaration without text of its own, for the size of an array
		index--
	}
	for index == 0 && len(list) > 0 && list[0].Range().File == nil {
		list = list[1:]
	}
	switch {
	case index > 0:
		prev := declOrStmt(list[index-1])
		at := source.Range{File: f, Start: prev.End, End: prev.End}
		if startsLine(prev) {
			return change{at, "\n" + f.Indent(prev.Start) + text}
		}
		return change{at, " " + text}
	case len(list) > 0:
		next := declOrStmt(list[0])
		at := source.Range{File: f, Start: next.Start, End: next.Start}
		if startsLine(next) {
			return change{at, text + "\n" + f.Indent(next.Start)}
		}
		return change{at, text + " "}
	}
	open := g.Block.Range().Start + 1
	return change{source.Range{File: f, Start: open, End: open}, " " + text}
}

// braced inserts into a block without braces: braces are added, or a lone semicolon is replaced by the statement.
func braced(b *cfront.Block, index int, e *repair.Edit) []change {
	r := ended(b.Range())
	f := r.File
	text := e.Inserted()
	if len(b.List) == 0 {
		return []change{{r, text}}
	}
	open, close := source.Range{File: f, Start: r.Start, End: r.Start}, source.Range{File: f, Start: r.End, End: r.End}
	if !startsLine(r) || commented(r) {
		if index == 0 {
			return []change{{open, "{ " + text + " "}, {close, " }"}}
		}
		return []change{{open, "{ "}, {close, " " + text + " }"}}
	}
	at := r.Start
	for at > 0 && strings.ContainsRune(" \t\r\n", rune(f.Text[at-1])) {
		at--
	}
	brace := change{source.Range{File: f, Start: at, End: at}, " {"}
	indent := f.Indent(r.Start)
	outer := f.Indent(at - 1)
	if index == 0 {
		return []change{brace, {open, text + "\n" + indent}, {close, "\n" + outer + "}"}}
	}
	return []change{brace, {close, "\n" + indent + text + "\n" + outer + "}"}}
}

// commented reports whether the line before is empty or ends in a comment, or does not exist.
func commented(r source.Range) bool {
	line := r.Position().Line
	if line == 1 {
		return true
	}
	prev := strings.TrimSpace(r.File.Line(line - 1))
	return prev == "" || strings.Contains(prev, "//") || strings.HasSuffix(prev, "*/")
}

// declare inserts the declaration of a temporary at the beginning of its function.
func declare(v *cfront.Var) change {
	body := v.Func.Body.Range()
	f := body.File
	at := source.Range{File: f, Start: body.Start + 1, End: body.Start + 1}
	text := v.Type.Decl(v.Name) + ";"
	if list := v.Func.Body.List; len(list) > 0 {
		if r := declOrStmt(list[0]); startsLine(r) {
			return change{source.Range{File: f, Start: r.Start, End: r.Start}, text + "\n" + f.Indent(r.Start)}
		}
	}
	return change{at, " " + text}
}

// declOrStmt returns the range of a statement with its final semicolon; for a declaration, all of it.
func declOrStmt(s cfront.Stmt) source.Range {
	if d, ok := s.(*cfront.Decl); ok && d.Word.Valid() {
		return ended(d.Word)
	}
	return ended(s.Range())
}

// ended extends the range of a statement by its semicolon, which does not belong to a macro's expansion.
func ended(r source.Range) source.Range {
	t := r.File.Text
	if r.End == r.Start || t[r.End-1] == ';' || t[r.End-1] == '}' {
		return r
	}
	for i := r.End; i < len(t); i++ {
		switch {
		case t[i] == ';':
			r.End = i + 1
			return r
		case t[i] == ' ' || t[i] == '\t' || t[i] == '\n' || t[i] == '\r':
		case strings.HasPrefix(string(t[i:min(i+2, len(t))]), "/*"):
			k := strings.Index(string(t[i:]), "*/")
			if k < 0 {
				return r
			}
			i += k + 1
		default:
			return r
		}
	}
	return r
}

func startsLine(r source.Range) bool {
	start, _ := r.File.Offset(r.Position().Line, 1)
	return strings.TrimSpace(string(r.File.Text[start:r.Start])) == ""
}

// Diff returns the unified diff of a patch over all files.
func Diff(p *lower.Program, pt *repair.Patch) (string, error) {
	texts, err := Rewrite(p, pt)
	if err != nil {
		return "", err
	}
	return DiffTexts(p, texts)
}

// DiffTexts returns the unified diff of new texts of a program's files.
func DiffTexts(p *lower.Program, texts map[string]string) (string, error) {
	var names []string
	for n := range texts {
		names = append(names, n)
	}
	sort.Strings(names)
	out := ""
	for _, n := range names {
		f := FileOf(p, n)
		if f == nil {
			return "", fmt.Errorf("patch: the program has no file %s", n)
		}
		out += Unified(n, string(f.Text), texts[n])
	}
	return out, nil
}

var hunkHead = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// Unified returns the unified diff of two texts of a file. udiff ignores lines between two changes of a hunk when it
// counts, so that the positions of later hunks in the new text are corrected here.
func Unified(name, before, after string) string {
	name = DiffName(name)
	lines := strings.Split(udiff.Unified("a/"+name, "b/"+name, before, after), "\n")
	count := func(s string) int {
		if s == "" {
			return 1
		}
		n, _ := strconv.Atoi(s)
		return n
	}
	more := 0 // lines by which the new text before a hunk is longer
	for i, l := range lines {
		m := hunkHead.FindStringSubmatch(l)
		if m == nil || m[2] == "0" || m[4] == "0" { // of an empty file
			continue
		}
		from, _ := strconv.Atoi(m[1])
		lines[i] = strings.Replace(l, "+"+m[3], "+"+strconv.Itoa(from+more), 1)
		more += count(m[4]) - count(m[2])
	}
	return strings.Join(lines, "\n")
}

// DiffName returns a file's name for a diff: relative to the current folder if the file is below it, else absolute
// without the leading slash. patch -p1 and git apply can read both; they refuse names with two dots.
func DiffName(name string) string {
	if clean := filepath.Clean(name); filepath.IsLocal(clean) {
		return clean
	}
	if abs, err := filepath.Abs(name); err == nil {
		name = abs
	}
	if here, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(here, name); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return strings.TrimPrefix(filepath.Clean(name), "/")
}

// FileOf returns a program's file by name, also an included one; nil if there is none.
func FileOf(p *lower.Program, name string) *source.File {
	for _, f := range p.Tree.Files {
		if f.Name == name {
			return f
		}
	}
	for _, f := range p.Tree.Funcs {
		if f.Whole.File != nil && f.Whole.File.Name == name {
			return f.Whole.File
		}
	}
	for _, v := range p.Tree.Globals {
		if v.Range.File != nil && v.Range.File.Name == name {
			return v.Range.File
		}
	}
	return nil
}
