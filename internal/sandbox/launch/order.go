package launch

// This file writes orders as one string, each field behind its length, and reads them:
// packages that could do so begin later than this one may.

// Encode is an order for the environment. No field may have a zero byte.
func (o *Order) Encode() string {
	var b []byte
	text := func(s string) {
		b = append(append(b, decimal(int64(len(s)))...), ':')
		b = append(b, s...)
	}
	number := func(n int64) { text(decimal(n)) }
	list := func(l []string) {
		number(int64(len(l)))
		for _, s := range l {
			text(s)
		}
	}
	limits := func(l []Limit) {
		number(int64(len(l)))
		for _, x := range l {
			number(x.What)
			number(x.Max)
		}
	}
	text(o.Path)
	list(o.Args)
	list(o.Env)
	text(o.Dir)
	text(o.From)
	list(o.Given)
	number(o.Scratch)
	limits(o.Limits)
	limits(o.Last)
	number(o.User)
	for _, n := range []int64{o.Nice, o.ReadOnly, o.Filter, o.Drop, o.Map, o.UID, o.GID} {
		number(n)
	}
	return string(b)
}

// Decode reads what Encode has written; ok is false for anything else.
func Decode(s string) (o *Order, ok bool) {
	r := &reader{rest: s}
	o = &Order{Path: r.text(), Args: r.list(), Env: r.list(), Dir: r.text(), From: r.text(), Given: r.list(), Scratch: r.number(), Limits: r.limits(), Last: r.limits(), User: r.number(), Nice: r.number(), ReadOnly: r.number(), Filter: r.number(), Drop: r.number(), Map: r.number(), UID: r.number(), GID: r.number()}
	return o, !r.bad && r.rest == ""
}

// reader reads fields; after the first damaged one all are empty.
type reader struct {
	rest string
	bad  bool
}

func (r *reader) fail() string {
	r.bad, r.rest = true, ""
	return ""
}

func (r *reader) text() string {
	for i := range len(r.rest) {
		if r.rest[i] != ':' {
			continue
		}
		n, ok := parsed(r.rest[:i])
		if !ok || n < 0 || n > int64(len(r.rest)-i-1) {
			return r.fail()
		}
		s := r.rest[i+1 : i+1+int(n)]
		r.rest = r.rest[i+1+int(n):]
		return s
	}
	return r.fail()
}

func (r *reader) number() int64 {
	n, ok := parsed(r.text())
	if !ok {
		r.fail()
	}
	return n
}

func (r *reader) list() (out []string) {
	for range r.number() {
		if r.bad {
			return nil
		}
		out = append(out, r.text())
	}
	return out
}

func (r *reader) limits() (out []Limit) {
	for range r.number() {
		if r.bad {
			return nil
		}
		out = append(out, Limit{r.number(), r.number()})
	}
	return out
}

func decimal(n int64) string {
	if n < 0 {
		return "-" + decimal(-n)
	}
	if n < 10 {
		return string(rune('0' + n))
	}
	return decimal(n/10) + decimal(n%10)
}

// parsed reads a decimal number of at most eighteen digits.
func parsed(s string) (n int64, ok bool) {
	sign := int64(1)
	if len(s) > 1 && s[0] == '-' {
		sign, s = -1, s[1:]
	}
	if len(s) == 0 || len(s) > 18 {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = 10*n + int64(s[i]-'0')
	}
	return sign * n, true
}
