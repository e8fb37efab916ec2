package cfront

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"gulo/internal/cpp"
	"gulo/internal/source"

	"modernc.org/cc/v4"
)

// This file preprocesses a translation unit and renders its tokens as a text for the parser.
// Positions in that text are translated back to tokens, and from there to the source range
// and macro call that a token comes from.

// unit is one translation unit.
type unit struct {
	*cpp.Unit
	name  string
	text  []byte  // for the parser
	start []int32 // where each token begins in text
	index []int32 // the number in Tokens of each token in text
	files []*source.File
	whole *translation

	builtins string         // declarations of gcc's built-in functions that the unit uses
	pieces   []*piece       // parts of text that are parsed separately
	starts   map[string]int // offsets of pieces in text, by name; nil if there is only one
}

// predefined replaces syntax that the parser does not have by syntax that it has.
const predefined = `
#define __NO_CTYPE 1
#define __builtin_va_arg(va, type) (*(__typeof__(type)*)__builtin_va_arg_impl(va))
#define __builtin_va_copy(dst, src) ((void)(*(dst) = *(src)))
#define __builtin_offsetof(type, ...) ((__SIZE_TYPE__)&(((type*)0)->__VA_ARGS__))
#define __builtin_types_compatible_p(t1, t2) __ccgo__types_compatible_p((t1){}, (t2){})
#define __FUNCTION__ __func__
#define __PRETTY_FUNCTION__ __func__
#define __builtin_FUNCTION() __func__
#define __builtin_FILE() __FILE__
`

// preprocess preprocesses a main file. The text for the parser is made later, by write. asked waits for
// gcc's answer about the file if gcc is asked only now.
func (c *converter) preprocess(f *source.File, how Unit) (out *unit, asked func() error, err error) {
	h, err := hostOf(&how)
	if err != nil {
		return nil, accepts, err
	}
	dirs := slices.Clone(h.dirs)
	at := slices.IndexFunc(dirs, func(d cpp.Dir) bool { return d.System })
	if at < 0 {
		at = len(dirs)
	}
	cfg := cpp.Config{
		Quote: h.quote, Dirs: slices.Insert(dirs, at, cpp.Dir{Path: "@gulo", System: true}),
		Predefined: h.predefined + predefined, Include: h.include, Macros: h.macros, NoLine: h.noLine, Trigraphs: h.trigraphs, Separators: h.separators,
		Has: h.ask, Open: c.file, Read: &c.texts,
	}
	u, err := cpp.Preprocess(f, cfg)
	digest := ""
	var texts []string
	if err == nil {
		digest = c.digest(u)
		for _, g := range u.Files {
			if name := g.File.Name; !strings.HasPrefix(name, "@") && name != "<predefined>" { // a file on disk
				texts = append(texts, name)
			}
		}
	}
	asked = c.unasked.ask(f, how, digest, texts)
	if err != nil {
		var e *cpp.Error
		if errors.As(err, &e) {
			return nil, asked, source.Errorf(e.Pos, "%s", e.Message)
		}
		return nil, asked, err
	}
	c.prog.Dated = c.prog.Dated || u.Dated
	out = &unit{Unit: u, name: f.Name, whole: &translation{}}
	for _, f := range u.Files {
		out.files = append(out.files, f.File)
		ours := strings.HasPrefix(f.File.Name, "@") // the library's functions that are written in C
		if !f.System && !ours && !slices.Contains(c.prog.Files, f.File) {
			c.prog.Files = append(c.prog.Files, f.File)
		}
	}
	out.whole.files = out.files
	return out, asked, nil
}

// write makes the text for the parser and splits it into pieces of about pieceBytes bytes.
// Precondition: gcc has accepted the file.
func (u *unit) write(pieceBytes int) {
	u.render()
	u.prune()
	u.split(pieceBytes)
}

// render writes the tokens as the text for the parser.
func (u *unit) render() {
	size := 0
	for i := range u.Tokens {
		size += len(u.Tokens[i].Text) + 1
	}
	u.text = make([]byte, 0, size+2)
	u.start = make([]int32, 0, len(u.Tokens))
	u.index = make([]int32, 0, len(u.Tokens))
	r := renderer{u: u}
	r.write(0, len(u.Tokens))
	u.text = append(u.text, "\n\n"...) // one less, and the parser's scanner may loop at the end
}

type renderer struct {
	u *unit
}

// write writes the tokens from i up to end.
func (r *renderer) write(i, end int) {
	for i < end {
		if k := r.special(i); k > i {
			i = k
			continue
		}
		t := &r.u.Tokens[i]
		switch text := t.Text; t.Kind {
		case cpp.String:
			r.emit(i, r.literal(i))
		case cpp.Char: // prefixes are read by constant
			r.emit(i, strings.TrimLeft(text, "Uu8"))
		case cpp.Number:
			r.emit(i, strings.ReplaceAll(text, "'", ""))
		default:
			r.emit(i, text)
		}
		i++
	}
}

// literal is the text for the parser of the string literal at i. Prefixes are read by stringLiteral; the parser makes
// one token only of adjacent literals that all have the prefix L or all have none.
func (r *renderer) literal(i int) string {
	toks := r.u.Tokens
	body := strings.TrimLeft(toks[i].Text, "LUu8")
	from, to := i, i
	for from > 0 && toks[from-1].Kind == cpp.String {
		from--
	}
	for to < len(toks) && toks[to].Kind == cpp.String {
		to++
	}
	for _, t := range toks[from:to] {
		if t.Text[0] == 'L' {
			return "L" + body
		}
	}
	return body
}

func (r *renderer) emit(i int, text string) {
	u := r.u
	if n := len(u.text); n > 0 && spaced(u.text[n-1], text) {
		u.text = append(u.text, ' ')
	}
	u.start = append(u.start, int32(len(u.text)))
	u.index = append(u.index, int32(i))
	u.text = append(u.text, text...)
	if text == ";" || text == "{" || text == "}" {
		u.text = append(u.text, '\n')
	}
}

// spaced reports whether a token needs a space after byte last to stay a token of its own. Other spaces are left out
// because the parser's scanner makes a token of each.
func spaced(last byte, text string) bool {
	switch last {
	case '(', ')', ',', '\n':
		return false
	case '[', ']':
		return text == string(last)
	}
	switch text {
	case "(", ")", ",", "[", "]", ";":
		return false
	}
	return true
}

func (r *renderer) is(i int, text string) bool {
	return i < len(r.u.Tokens) && r.u.Tokens[i].Text == text
}

// matching returns the token after the bracket that closes the one at i.
func (r *renderer) matching(i int) int {
	depth := 0
	for ; i < len(r.u.Tokens); i++ {
		switch r.u.Tokens[i].Text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return i
}

// special rewrites syntax that the parser does not know. It returns the token after what it
// rewrote, or i if nothing special begins there.
func (r *renderer) special(i int) int {
	toks := r.u.Tokens
	switch t := &toks[i]; t.Text {
	case "__extension__":
		return i + 1
	case "__restrict_arr":
		return i + 1
	case "_Static_assert": // gcc has checked it
		if r.is(i+1, "(") {
			i = r.matching(i + 1)
			if r.is(i, ";") {
				i++
			}
		}
		return i
	case "[":
		if r.is(i+1, "[") {
			return r.attributes(i)
		}
		return r.static(i)
	case "typeof", "__typeof__", "__typeof":
		return r.typeof(i)
	case "enum":
		return r.enum(i)
	case ":":
		return r.label(i)
	case "]":
		if i+1 < len(toks) && toks[i+1].Kind == cpp.Number { // [2] 5 in an initializer, for [2] = 5
			r.emit(i, "]")
			r.emit(i, "=")
			return i + 1
		}
	case "__builtin_convertvector":
		return r.convertVector(i)
	case "_Alignof", "__alignof__", "__alignof":
		return r.alignof(i)
	}
	return i
}

// alignof writes _Alignof x as _Alignof(x), which is all that the parser knows.
func (r *renderer) alignof(i int) int {
	end := i + 1
	for r.is(end, "*") || r.is(end, "&") || r.is(end, "&&") || r.is(end, "-") || r.is(end, "+") || r.is(end, "!") || r.is(end, "~") {
		end++
	}
	if end == i+1 && r.is(end, "(") {
		return i
	}
	if r.is(end, "(") {
		end = r.matching(end)
	} else {
		end++
	}
	for {
		switch {
		case r.is(end, "(") || r.is(end, "["):
			end = r.matching(end)
			continue
		case r.is(end, ".") || r.is(end, "->"):
			end += 2
			continue
		}
		break
	}
	r.emit(i, r.u.Tokens[i].Text)
	r.emit(i, "(")
	r.write(i+1, end)
	r.emit(end-1, ")")
	return end
}

// attribute returns the token after the __attribute__s that begin at i.
func (r *renderer) attribute(i int) int {
	for (r.is(i, "__attribute__") || r.is(i, "__attribute")) && r.is(i+1, "(") {
		i = r.matching(i + 1)
	}
	return i
}

func (r *renderer) qualifier(i int) bool {
	switch r.u.Tokens[min(i, len(r.u.Tokens)-1)].Text {
	case "const", "volatile", "__const", "__const__", "__volatile__", "__volatile", "restrict", "__restrict", "__restrict__":
		return true
	}
	return false
}

// typeof writes typeof(const T) as typeof(T const): the parser knows a type by its first word.
func (r *renderer) typeof(i int) int {
	if !r.is(i+1, "(") || !r.qualifier(i+2) {
		return i
	}
	base := i + 2
	for r.qualifier(base) {
		base++
	}
	end := base + 1
	switch first := r.u.Tokens[min(base, len(r.u.Tokens)-1)].Text; {
	case first == "struct" || first == "union" || first == "enum":
		if end = r.attribute(end); end < len(r.u.Tokens) && r.u.Tokens[end].Kind == cpp.Ident {
			end++
		}
		if r.is(end, "{") {
			end = r.matching(end)
		}
	case r.is(base+1, "("): // typeof, _Atomic
		end = r.matching(base + 1)
	}
	r.emit(i, r.u.Tokens[i].Text)
	r.emit(i+1, "(")
	r.write(base, end)
	for k := i + 2; k < base; k++ {
		r.emit(k, r.u.Tokens[k].Text)
	}
	return end
}

// enum writes enum __attribute__((x)) tag { ... } with the attributes after the closing brace.
func (r *renderer) enum(i int) int {
	name := r.attribute(i + 1)
	brace := name
	if brace < len(r.u.Tokens) && r.u.Tokens[brace].Kind == cpp.Ident {
		brace++
	}
	if name == i+1 || !r.is(brace, "{") {
		return i
	}
	end := r.matching(brace)
	r.emit(i, "enum")
	r.write(name, end)
	r.write(i+1, name)
	return end
}

// declares are words that begin a declaration.
var declares = map[string]bool{
	"int": true, "char": true, "short": true, "long": true, "unsigned": true, "signed": true, "float": true, "double": true, "void": true, "_Bool": true,
	"struct": true, "union": true, "enum": true, "const": true, "volatile": true, "static": true, "register": true, "extern": true, "typedef": true,
}

// label leaves out the attributes of a label, which do not change the program. A label before a declaration or at the
// end of a block, which C2x allows, gets an empty statement.
func (r *renderer) label(i int) int {
	end := r.attribute(i + 1)
	bare := r.is(end, "}") || end < len(r.u.Tokens) && declares[r.u.Tokens[end].Text]
	if end == i+1 && !bare {
		return i
	}
	r.emit(i, ":")
	if bare {
		r.emit(i, ";")
	}
	return end
}

// convertVector writes __builtin_convertvector(x, T) as __ccgo__convertvector(x, (T){}).
func (r *renderer) convertVector(i int) int {
	if !r.is(i+1, "(") {
		return i
	}
	end := r.matching(i + 1)
	comma := -1
	for k := i + 2; k < end-1; k++ {
		switch r.u.Tokens[k].Text {
		case ",":
			comma = k
		case "(", "[", "{":
			k = r.matching(k) - 1
		}
	}
	if comma < 0 {
		return i
	}
	r.emit(i, "__ccgo__convertvector")
	r.emit(i+1, "(")
	r.write(i+2, comma)
	r.emit(comma, ",")
	r.emit(comma, "(")
	r.write(comma+1, end-1)
	r.emit(end-1, ")")
	r.emit(end-1, "{")
	r.emit(end-1, "}")
	r.emit(end-1, ")")
	return end
}

// static leaves out the static in an array parameter, as in int a[static 3]. The parser knows it only with the
// name of a parameter, and it does not change a correct program. [*] becomes [].
func (r *renderer) static(i int) int {
	for k := i + 1; ; k++ {
		switch t := r.u.Tokens[min(k, len(r.u.Tokens)-1)].Text; t {
		case "const", "volatile", "restrict", "__restrict", "__restrict__", "__const", "__volatile__":
			continue
		case "static":
			for ; i < k; i++ {
				r.emit(i, r.u.Tokens[i].Text)
			}
			return k + 1
		case "*": // [*] in a prototype: of any length
			if r.is(k+1, "]") && (i == 0 || !r.is(i-1, "]")) {
				r.emit(i, "[")
				return k + 1
			}
		}
		return i
	}
}

// attributes writes [[gnu::x]] as __attribute__((x)) and leaves out other attributes in [[ ]].
func (r *renderer) attributes(i int) int {
	end := r.matching(i)
	for k := i + 2; k < end-2; k++ {
		if !(r.is(k, "gnu") || r.is(k, "__gnu__")) || !r.is(k+1, ":") && !r.is(k+1, "::") {
			continue
		}
		k++
		for r.is(k, ":") {
			k++
		}
		if r.is(k, "::") {
			k++
		}
		for _, s := range []string{"__attribute__", "(", "("} {
			r.emit(k, s)
		}
		r.emit(k, r.u.Tokens[k].Text)
		if k++; r.is(k, "(") {
			for stop := r.matching(k); k < stop; k++ {
				r.emit(k, r.u.Tokens[k].Text)
			}
		}
		r.emit(k-1, ")")
		r.emit(k-1, ")")
	}
	return end
}

// token returns the number of the token at an offset in a file of the parser. ok is false for
// the declarations in front of the text.
func (u *unit) token(name string, off int) (int, bool) {
	if u == nil {
		return 0, false
	}
	off, ok := u.inPiece(name, off)
	if !ok {
		return 0, false
	}
	i := sort.Search(len(u.start), func(i int) bool { return int(u.start[i]) > off }) - 1
	if i < 0 {
		return 0, false
	}
	return int(u.index[i]), true
}

// written returns the source range of a token. For a token out of a macro it is the range of the macro call, and macro
// is true unless the call has the same text as the token.
func (u *unit) written(i int) (r source.Range, macro bool) {
	t := &u.Tokens[i]
	if t.Exp == 0 {
		return source.Range{File: u.files[t.File], Start: int(t.Off), End: int(t.Off + t.Len)}, false
	}
	e := u.Expansions[t.Exp]
	r = source.Range{File: u.files[e.File], Start: int(e.Start), End: int(e.End)}
	return r, r.Text() != t.Text
}

var identifier = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// named returns the name of the macro without arguments that expands to token i alone, possibly in parentheses; "" if
// there is none.
func (u *unit) named(i int) string {
	t := &u.Tokens[i]
	if t.Exp == 0 {
		return ""
	}
	from, to := i, i+1
	for ; from > 0 && u.Tokens[from-1].Exp == t.Exp; from-- {
		if u.Tokens[from-1].Text != "(" {
			return ""
		}
	}
	for ; to < len(u.Tokens) && u.Tokens[to].Exp == t.Exp; to++ {
		if u.Tokens[to].Text != ")" {
			return ""
		}
	}
	if r, _ := u.written(i); identifier.MatchString(r.Text()) {
		return r.Text()
	}
	return ""
}

// where returns the number of a token of the parser.
func (c *converter) where(t cc.Token) (int, bool) {
	p := t.Position()
	return c.src.token(p.Filename, p.Offset)
}

// at returns the source range of a node's first token, and whether it is in a system header. A node without a place
// in the source counts as the system's.
func (c *converter) at(n cc.Node) (r source.Range, system bool) {
	p := n.Position()
	i, ok := c.src.token(p.Filename, p.Offset)
	if !ok {
		return source.Range{}, true
	}
	r, _ = c.src.written(i)
	t := &c.src.Tokens[i]
	return r, c.src.Files[c.src.home(t)].System
}

// home returns the file in which a token, or the macro that it comes from, is used.
func (u *unit) home(t *cpp.Token) int32 {
	if t.Exp != 0 {
		return u.Expansions[t.Exp].File
	}
	return t.File
}

// file returns the source file with a name, nil if there is none. Names that begin with @gulo/ are files of gulo's
// own.
func (c *converter) file(name string) *source.File {
	key := name
	if !strings.HasPrefix(name, "@gulo/") {
		key = filepath.Clean(name)
	}
	if f, ok := c.files[key]; ok {
		return f
	}
	var f *source.File
	if rest, ok := strings.CutPrefix(name, "@gulo/"); ok {
		if b, err := fs.ReadFile(headers, "include/"+rest); err == nil {
			f = source.NewFile(name, b)
		}
	} else if g, err := source.ReadFile(name); err == nil {
		f = g
	}
	c.files[key] = f
	return f
}

// position translates a line and column in a file of the parser to a position in the source.
func (u *unit) position(name string, line, col int) source.Position {
	if start, ok := u.inPiece(name, 0); ok {
		if i, ok := u.token(u.name, u.offset(start, line, col)); ok {
			r, _ := u.written(i)
			return r.Position()
		}
	}
	return source.Position{File: u.name}
}

// offset returns the offset in the parsed text of a line and column, counted from offset start.
func (u *unit) offset(start, line, col int) int {
	off := start
	for ; line > 1; line-- {
		k := bytes.IndexByte(u.text[off:], '\n')
		if k < 0 {
			break
		}
		off += k + 1
	}
	return off + col - 1
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
