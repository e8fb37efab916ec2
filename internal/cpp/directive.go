package cpp

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// This file executes directives and defines the built-in macros.

// directive executes the directive at the current place of a file.
func (p *pp) directive(r *reader) {
	hash := r.toks[r.i]
	r.i++
	line := r.rest()
	n := len(r.conds)
	active := n == 0 || r.conds[n-1].active
	if len(line) == 0 {
		return
	}
	name := line[0]
	if name.Kind == Number && active { // # 12 "file", as in the output of preprocessors
		p.lineDirective(r, hash, line)
		return
	}
	switch name.Text {
	case "if", "ifdef", "ifndef":
		p.open(r, name, line[1:], active)
		return
	case "elif", "elifdef", "elifndef", "else":
		if n > 0 {
			p.branch(&r.conds[n-1], name, line[1:])
			if r.conds[n-1].guard {
				r.guarded, r.conds[n-1].guard = -1, false
			}
		}
		return
	case "endif":
		if n > 0 {
			if r.conds[n-1].guard && r.guarded == 1 {
				r.guarded = 2
			}
			r.conds = r.conds[:n-1]
		}
		return
	}
	if n == 0 {
		r.guarded = -1
	}
	if !active {
		return
	}
	switch name.Text {
	case "define":
		p.define(line[1:])
	case "undef":
		if len(line) > 1 {
			delete(p.macros, line[1].Text)
		}
	case "include", "include_next", "import":
		h, quote := p.header(name, line[1:])
		p.include(h, quote, name.Text == "include_next", name.Text == "import", name)
	case "line":
		p.lineDirective(r, hash, p.expandList(line[1:]))
	case "pragma":
		p.pragma(line[1:])
	case "error":
		p.fail(name, "#error is reached")
	}
}

// open executes #if, #ifdef and #ifndef.
func (p *pp) open(r *reader, name Token, rest []Token, active bool) {
	c := cond{outer: active}
	if active {
		switch name.Text {
		case "if":
			c.active = p.evaluate(name, rest)
		default:
			c.active = len(rest) > 0 && p.defined(rest[0].Text) == (name.Text == "ifdef")
		}
	}
	if len(r.conds) == 0 {
		g := ""
		switch {
		case name.Text == "ifndef" && len(rest) == 1:
			g = rest[0].Text
		case name.Text == "if" && len(rest) >= 3 && rest[0].is("!") && rest[1].Text == "defined":
			if k := len(rest); k == 3 {
				g = rest[2].Text
			} else if k == 5 && rest[2].is("(") {
				g = rest[3].Text
			}
		}
		if r.guarded == 0 && g != "" {
			c.guard, r.guarded, r.guard = true, 1, g
		} else {
			r.guarded = -1
		}
	}
	c.taken = c.active
	r.conds = append(r.conds, c)
}

// branch executes #elif, #elifdef, #elifndef and #else.
func (p *pp) branch(c *cond, name Token, rest []Token) {
	if !c.outer || c.taken {
		c.active = false
		return
	}
	switch name.Text {
	case "else":
		c.active = true
	case "elif":
		c.active = p.evaluate(name, rest)
	default:
		c.active = len(rest) > 0 && p.defined(rest[0].Text) == (name.Text == "elifdef")
	}
	c.taken = c.active
}

var operators = map[string]bool{"__has_include": true, "__has_include_next": true, "__has_attribute": true, "__has_cpp_attribute": true, "__has_c_attribute": true, "__has_builtin": true, "_Pragma": false}

func (p *pp) defined(name string) bool { return p.macros[name] != nil || operators[name] }

// header returns the name that an #include directive gives.
func (p *pp) header(at Token, toks []Token) (name string, quote bool) {
	if h, ok := p.angled(toks); ok {
		return h, false
	}
	if len(toks) == 0 || toks[0].Kind != String {
		toks = p.expandList(toks)
		if len(toks) > 0 && toks[0].is("<") {
			var b strings.Builder
			for i, t := range toks[1:] {
				if t.is(">") {
					return b.String(), false
				}
				if i > 0 && t.flag&flagSpace != 0 {
					b.WriteByte(' ')
				}
				b.WriteString(t.Text)
			}
		}
	}
	if len(toks) == 0 || toks[0].Kind != String {
		p.fail(at, "#include of what is no name")
	}
	return strings.Trim(toks[0].Text, `"`), true
}

// angled reads <name> from the text of the file, which keeps the white space in it. It returns false for anything else.
func (p *pp) angled(toks []Token) (string, bool) {
	if len(toks) == 0 || !toks[0].is("<") || toks[0].Exp != 0 {
		return "", false
	}
	text := p.unit.Files[toks[0].File].Text[toks[0].Off+1:]
	for i, c := range text {
		switch c {
		case '>':
			return string(text[:i]), true
		case '\n':
			return "", false
		}
	}
	return "", false
}

// lineDirective executes #line. It changes __LINE__ and __FILE__ and is noted in Unit.Lines; positions of tokens do not
// change.
func (p *pp) lineDirective(r *reader, hash Token, toks []Token) {
	if len(toks) == 0 {
		return
	}
	n, err := strconv.Atoi(toks[0].Text)
	if err != nil {
		return
	}
	f := p.unit.Files[r.file]
	at := f.Position(int(hash.Off)).Line + 1
	r.delta = n - at
	if len(toks) > 1 && toks[1].Kind == String {
		if s, err := strconv.Unquote(toks[1].Text); err == nil {
			r.name = s
		}
	}
	name := r.name
	if name == "" {
		name = f.Name
	}
	p.unit.Lines = append(p.unit.Lines, Line{File: r.file, At: at, Num: n, Name: name})
}

// pragma executes a #pragma with the tokens after its name, or appends it to Unit.Pragmas.
func (p *pp) pragma(toks []Token) {
	if len(toks) == 0 {
		return
	}
	arg := func() string {
		if len(toks) > 2 && toks[2].Kind == String {
			return strings.Trim(toks[2].Text, `"`)
		}
		return ""
	}
	switch toks[0].Text {
	case "once":
		p.once[p.unit.Files[p.src[len(p.src)-1].file].File] = true
		return
	case "push_macro":
		p.saved[arg()] = append(p.saved[arg()], p.macros[arg()])
		return
	case "pop_macro":
		if s := p.saved[arg()]; len(s) > 0 {
			if p.macros[arg()] = s[len(s)-1]; s[len(s)-1] == nil {
				delete(p.macros, arg())
			}
			p.saved[arg()] = s[:len(s)-1]
		}
		return
	case "GCC":
		if len(toks) > 1 && toks[1].Text == "system_header" {
			p.unit.Files[p.src[len(p.src)-1].file].System = true
			return
		}
	case "STDC":
	default:
		toks = p.expandList(toks)
	}
	p.unit.Pragmas = append(p.unit.Pragmas, Pragma{At: len(p.unit.Tokens), Toks: append([]Token{}, toks...)})
}

// pragmaOperator executes _Pragma("..."), whose name has been read.
func (p *pp) pragmaOperator(at Token) {
	var text string
	for depth := 0; ; {
		t, ok := p.expanded()
		if !ok {
			return
		}
		if t.Kind == String {
			text = strings.TrimSuffix(strings.TrimLeft(t.Text, `LUu8"`), `"`)
		}
		if t.is("(") {
			depth++
		}
		if t.is(")") {
			if depth--; depth <= 0 {
				break
			}
		}
	}
	text = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(text)
	toks := lex(text, at.File, lineComments)
	for i := range toks {
		toks[i].Off, toks[i].Len, toks[i].Exp = at.Off, at.Len, at.Exp
		toks[i].flag &^= flagLine
	}
	p.pragma(toks)
}

// builtins defines the macros whose values are computed when they are used, such as __LINE__.
func (p *pp) builtins() {
	dynamic := func(name string, f func(t Token) (Kind, string)) {
		p.macros[name] = &macro{name: name, dynamic: func(p *pp, t Token) []Token {
			k, s := f(t)
			return []Token{{Kind: k, Text: s}}
		}}
	}
	number := func(f func(t Token) int) func(t Token) (Kind, string) {
		return func(t Token) (Kind, string) { return Number, strconv.Itoa(f(t)) }
	}
	dynamic("__LINE__", number(p.line))
	dynamic("__COUNTER__", number(func(Token) int { p.count++; return p.count - 1 }))
	dynamic("__INCLUDE_LEVEL__", number(func(Token) int { return len(p.src) - 1 }))
	dynamic("__FILE__", func(Token) (Kind, string) {
		r := p.src[len(p.src)-1]
		if r.name != "" {
			return String, strconv.Quote(r.name)
		}
		return String, strconv.Quote(p.unit.Files[r.file].Path)
	})
	dynamic("__BASE_FILE__", func(Token) (Kind, string) { return String, strconv.Quote(p.first) })
	dynamic("__FILE_NAME__", func(Token) (Kind, string) {
		return String, strconv.Quote(filepath.Base(p.unit.Files[p.src[len(p.src)-1].file].Path))
	})
	at := func(name, layout string, when func() (time.Time, bool)) {
		dynamic(name, func(Token) (Kind, string) {
			p.unit.Dated = true
			now, ok := when()
			if !ok {
				return String, `"??? ??? ?? ??:??:?? ????"`
			}
			return String, strconv.Quote(now.Format(layout))
		})
	}
	now := sync.OnceValues(started)
	at("__DATE__", "Jan _2 2006", now)
	at("__TIME__", "15:04:05", now)
	at("__TIMESTAMP__", "Mon Jan _2 15:04:05 2006", func() (time.Time, bool) {
		st, err := os.Stat(p.unit.Files[p.src[len(p.src)-1].file].Name)
		if err != nil {
			return time.Time{}, false
		}
		return st.ModTime(), true
	})
}

// started returns the time for __DATE__ and __TIME__: the current time, or SOURCE_DATE_EPOCH, which
// reproducible builds set.
func started() (time.Time, bool) {
	if n, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil && n >= 0 {
		return time.Unix(n, 0).UTC(), true
	}
	return time.Now(), true
}
