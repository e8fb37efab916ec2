package runs

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/oracle"
	"gulo/internal/repair/textedit"
	"gulo/internal/report"
)

// This file recognizes programs that are no attempt at the task: nothing is searched for them.

// Causes for programs that do nothing of their task. Package campaign counts them separately.
const (
	noAttempt   = "not an attempt at this: "
	unattempted = noAttempt + "the program reads nothing and prints nothing"
	fixedText   = noAttempt + "the program reads nothing, and what it prints is fixed text"
	unrelated   = noAttempt + "the program leaves input unread in every test, and what it prints has nothing in common with what is wanted"
)

// Unattempted returns the answer for a program that is no attempt; nil for others. Such a program neither reads nor
// prints anything although most runs expect output, or reads nothing and prints only fixed text although the runs
// expect different outputs, or is for another task.
func (w *Search) Unattempted() (*report.Report, error) {
	wanted, silent := map[string]bool{}, 0
	for _, c := range w.t.Given.Cases {
		if wanted[c.Want.Output] = true; c.Want.Output == "" {
			silent++
		}
	}
	if 2*silent >= len(w.t.Given.Cases) {
		return nil, nil
	}
	uses, reads := usesNothing, false
	for _, fn := range w.t.Prog.Tree.Funcs {
		if fn.Body != nil {
			uses = max(uses, usesLibrary(fn))
		}
		reads = reads || fn.Name == "main" && len(fn.Params) > 0
	}
	why := unattempted
	switch {
	case silent > 0 && uses != usesNothing: // a program that prints nothing in some run may be wrong only in that
		return nil, nil
	case uses == usesMore || uses == usesText && (reads || len(wanted) == 1):
		other, err := w.elsewhere()
		if err != nil || !other {
			return nil, err
		}
		why = unrelated
	case uses == usesText:
		why = fixedText
	}
	rep, err := w.report()
	if err != nil {
		return nil, err
	}
	rep.Failing, rep.Result, rep.Cause = len(w.t.Given.Cases), report.None, why
	rep.Millis = w.millis()
	return rep, nil
}

// leastElsewhere is the number of runs in hand from which on a program can be said to be for another task.
const leastElsewhere = 2

// elsewhere reports whether a program is for another task. In every run in hand it ends without an error before it has
// read all input, and it prints something; but it never prints, and could not print, a kind of word that is expected:
// numbers, words or signs. Programs that meet a run are left alone. So are those with text between values in a scanf
// format ("%d,%d"), because such a call stops early in honest attempts, too.
func (w *Search) elsewhere() (bool, error) {
	var hand []*oracle.Case
	wanted := map[string]bool{}
	for _, c := range w.t.Given.Cases {
		if w.t.Ref != nil && !slices.ContainsFunc(w.t.InHand(), func(in cases.Input) bool { return in.Stdin == c.Stdin && slices.Equal(in.Args, c.Args) }) {
			continue // a generated run
		}
		hand = append(hand, c)
		for _, word := range strings.Fields(c.Want.Output) {
			wanted[kindOf(word)] = true
		}
	}
	if len(hand) < leastElsewhere || w.couldPrint(wanted) {
		return false, nil
	}
	run, err := oracle.NewRunner(&oracle.Suite{Prog: w.t.Prog, Cases: hand})
	if err != nil {
		return false, err
	}
	for _, c := range hand {
		r, err := run.Run(c, nil)
		if err != nil {
			return false, err
		}
		rest := c.Stdin[max(len(c.Stdin)-r.Rest, 0):]
		if r.Fault != nil || strings.TrimSpace(rest) == "" || !foreign(r.Output, c.Want.Output) || slices.ContainsFunc(r.Misread, waitsForText) {
			return false, nil
		}
	}
	return true, nil
}

// couldPrint reports whether the program's text has a call that may print one of these kinds of words. A call that
// prints characters or texts that are not literals may print any.
func (w *Search) couldPrint(kinds map[string]bool) bool {
	could := false
	for _, fn := range w.t.Prog.Tree.Funcs {
		if fn.Body == nil {
			continue
		}
		cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				switch y := y.(type) {
				case *cfront.String:
					text := strings.TrimRight(string(y.Bytes), "\x00")
					could = could || strings.Contains(text, "%c")
					for _, word := range strings.Fields(valueOf.ReplaceAllStringFunc(text, sample)) {
						could = could || kinds[kindOf(word)]
					}
				case *cfront.Call:
					if f, ok := y.Fun.(*cfront.FuncRef); ok && strings.HasSuffix(f.Func.Name, "scanf") {
						return false
					}
					could = could || printsAny(y)
				}
				return !could
			})
		})
	}
	return could
}

// sample returns a word such as a conversion of printf prints.
func sample(conversion string) string {
	if strings.HasSuffix(conversion, "s") {
		return "text"
	}
	return "1"
}

// printsAny reports whether a call prints arbitrary characters or texts, such as putchar(c) or an array of characters.
func printsAny(c *cfront.Call) bool {
	f, ok := c.Fun.(*cfront.FuncRef)
	if !ok {
		return true
	}
	if f.Func.Body != nil || !slices.Contains(printing, f.Func.Name) {
		return false
	}
	for _, a := range c.Args {
		x := cfront.Skip(a)
		switch x.(type) {
		case *cfront.String, *cfront.Const:
		default:
			if t := x.Type(); f.Func.Name != "printf" || t.Kind == ctype.Array || t.Kind == ctype.Pointer {
				return true
			}
		}
	}
	return false
}

// printing are the functions that print.
var printing = []string{"printf", "puts", "putchar", "putc", "fputc", "fputs", "fprintf", "fwrite", "write"}

// foreign reports whether a text has words, but none of a kind that occurs in another text.
func foreign(got, want string) bool {
	kinds := map[string]bool{}
	for _, word := range strings.Fields(want) {
		kinds[kindOf(word)] = true
	}
	return strings.TrimSpace(got) != "" && !slices.ContainsFunc(strings.Fields(got), func(word string) bool { return kinds[kindOf(word)] })
}

// kindOf returns the kind of a word: N for a number, L for a word with letters, otherwise its signs, with N for numbers
// between them.
func kindOf(word string) string {
	switch {
	case realOrWhole.MatchString(word):
		return "N"
	case strings.ContainsFunc(word, unicode.IsLetter):
		return "L"
	case !strings.ContainsAny(word, "0123456789"):
		return word[:1]
	}
	return integer.ReplaceAllString(word, "N")
}

var realOrWhole = regexp.MustCompile(`^[-+]?[0-9]+(?:\.[0-9]+)?$`)

// waitsForText reports whether a scanf format has text between its values.
func waitsForText(format string) bool {
	return strings.TrimSpace(textedit.Conversion.ReplaceAllString(strings.TrimSuffix(format, " at the end"), "")) != ""
}

// IsUnattempted reports whether a report says that a program is no attempt at the task.
func IsUnattempted(rep *report.Report) bool {
	return rep != nil && strings.HasPrefix(rep.Cause, noAttempt)
}

// library is what a function uses of the library.
type library int

const (
	usesNothing library = iota
	usesText            // calls that print fixed text
	usesMore
)

// usesLibrary returns what a function uses that is not defined in the program, or that a macro or inline assembly may
// hide.
func usesLibrary(fn *cfront.Func) library {
	most := usesNothing
	printed := map[*cfront.FuncRef]bool{}
	cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
		switch st.(type) {
		case *cfront.ExprStmt, *cfront.Decl, *cfront.Block, *cfront.If, *cfront.While, *cfront.For, *cfront.Switch, *cfront.Case,
			*cfront.Label, *cfront.Return, *cfront.Jump, *cfront.Empty:
		default:
			most = usesMore
		}
	}, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			switch y := y.(type) {
			case *cfront.Call:
				if f, ok := y.Fun.(*cfront.FuncRef); ok && f.Func.Body == nil && printsText(f.Func.Name, y.Args) {
					printed[f] = true
					most = max(most, usesText)
				}
			case *cfront.FuncRef:
				if y.Func.Body == nil && !printed[y] {
					most = usesMore
				}
			}
			return true
		})
	})
	return most
}

// printsText reports whether a call prints only a literal text.
func printsText(name string, args []cfront.Expr) bool {
	if len(args) != 1 || name != "printf" && name != "puts" {
		return false
	}
	s, ok := cfront.Skip(args[0]).(*cfront.String)
	return ok && (name == "puts" || !strings.Contains(strings.ReplaceAll(s.Range().Text(), "%%", ""), "%"))
}
