package machine

import (
	"fmt"
	"gulo/internal/ctype"
)

// This file is locale.h and langinfo.h of the only locale there is, "C", and the functions that are given one.

func init() {
	register(map[string]builtin{
		"setlocale": libSetlocale, "localeconv": libLocaleconv, "nl_langinfo": libLanginfo, "nl_langinfo_l": libLanginfo,
		"newlocale": libNewlocale, "duplocale": libDuplocale, "uselocale": libUselocale, "freelocale": constant(0),
	})
	given := []string{"strtod", "strtof", "strtold", "strtol", "strtoll", "strtoul", "strtoull", "strcoll", "strxfrm", "strcasecmp", "strncasecmp",
		"strftime", "strerror", "tolower", "toupper"}
	for name := range ctypeFuncs {
		given = append(given, name)
	}
	for _, name := range given {
		register(map[string]builtin{name + "_l": func(m *Machine, c *libCall) (ctype.Word, *Fault) {
			full := c.name
			c.name = name
			defer func() { c.name = full }()
			return builtins[name](m, c)
		}})
	}
}

// keep notes p as the object that the function of that name always returns, and returns it.
func (l *library) keep(name string, p ctype.Word) ctype.Word {
	t := map[string]ctype.Word{name: p}
	for k, v := range l.tables {
		t[k] = v
	}
	l.tables = t
	return p
}

// libSetlocale knows the locale "C".
func libSetlocale(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.arg(1) != 0 {
		s, f := m.cstring(c.arg(1))
		if f != nil {
			return 0, f
		}
		if s != "" && s != "C" && s != "POSIX" {
			return 0, nil
		}
	}
	return m.lib.text("what setlocale returns", "C"), nil
}

func libLocaleconv(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if p := m.lib.tables["localeconv"]; p != 0 {
		return p, nil
	}
	b := m.newBlock(Global, 96)
	b.Name = "what localeconv returns"
	empty := m.lib.text("a text of localeconv", "")
	for i := int64(0); i < 80; i += 8 {
		ctype.Store(ctype.ULongT, b.Data[i:], empty)
	}
	ctype.Store(ctype.ULongT, b.Data, m.lib.text("a text of localeconv", "."))
	for i := 80; i < 94; i++ {
		b.Data[i] = 127
	}
	return m.lib.keep("localeconv", ctype.MakePointer(b.ID, 0)), nil
}

// globalLocale is LC_GLOBAL_LOCALE: what a thread uses that has chosen none.
const globalLocale = ^ctype.Word(0)

// Where glibc's headers look in a locale for the tables of characters, and its size in bytes.
const (
	localeTables = 104
	localeSize   = 232
)

// libNewlocale returns the locale "C", which is one object, as in glibc; for others it fails.
func libNewlocale(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.cstring(c.arg(1))
	if f != nil {
		return 0, f
	}
	if s != "" && s != "C" && s != "POSIX" {
		m.set(errNOENT)
		return 0, nil
	}
	if p := m.lib.tables["newlocale"]; p != 0 {
		return p, nil
	}
	b := m.newBlock(Global, localeSize)
	b.Name = "the locale C"
	for i, name := range []string{"__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc"} {
		p, f := libCtypeTable(m, &libCall{name: name})
		if f != nil {
			return 0, f
		}
		w, f := m.load(p, ctype.ULongT)
		if f != nil {
			return 0, f
		}
		ctype.Store(ctype.ULongT, b.Data[localeTables+8*i:], w)
	}
	return m.lib.keep("newlocale", ctype.MakePointer(b.ID, 0)), nil
}

// libDuplocale returns the same: locales are never changed in place.
func libDuplocale(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.arg(0) != globalLocale {
		return c.arg(0), nil
	}
	return libNewlocale(m, &libCall{name: "newlocale", args: []ctype.Word{0, m.lib.text("the name of a locale", "C"), 0}})
}

// libUselocale sets the locale of the present thread, where one is given, and returns the one before.
func libUselocale(m *Machine, c *libCall) (ctype.Word, *Fault) {
	old := m.lib.locale
	if old == 0 {
		old = globalLocale
	}
	if c.arg(0) != 0 {
		m.lib.locale = c.arg(0)
	}
	return old, nil
}

// Items of langinfo.h, as glibc numbers them.
const (
	codeset      = 14
	radixChar    = 1 << 16
	firstOfTime  = 2 << 16
	yesExpr      = 5 << 16
	noExpr       = yesExpr + 1
	currencyText = 4<<16 + 15
)

// timeTexts are the texts for dates and times, in the order of their numbers: the days and the months, each in short and
// in full, then AM, PM and four formats.
var timeTexts = func() []string {
	days := []string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
	months := []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
	var out []string
	for _, list := range [][]string{days, months} {
		for _, s := range list {
			out = append(out, s[:3])
		}
		out = append(out, list...)
	}
	return append(out, "AM", "PM", "%a %b %e %H:%M:%S %Y", "%m/%d/%y", "%H:%M:%S", "%I:%M:%S %p")
}()

func libLanginfo(m *Machine, c *libCall) (ctype.Word, *Fault) {
	text := ""
	switch item := c.int(0); {
	case item == codeset:
		text = "ANSI_X3.4-1968"
	case item == radixChar:
		text = "."
	case item == yesExpr:
		text = "^[yY]"
	case item == noExpr:
		text = "^[nN]"
	case item == currencyText:
		text = "-"
	case item >= firstOfTime && item < firstOfTime+int64(len(timeTexts)):
		text = timeTexts[item-firstOfTime]
	}
	name := fmt.Sprintf("the text %q of nl_langinfo", text)
	if p := m.lib.tables[name]; p != 0 {
		return p, nil
	}
	return m.lib.keep(name, m.lib.text(name, text)), nil
}
