package machine

import (
	"path/filepath"
	"strings"

	"gulo/internal/ctype"
)

// This file is err.h: messages on standard error that begin with the program's name.

func init() {
	for _, n := range []string{"warn", "warnx", "vwarn", "vwarnx", "err", "errx", "verr", "verrx"} {
		register(map[string]builtin{n: libErr})
	}
}

// libErr is the whole family: x leaves errno out, err ends the program.
func libErr(m *Machine, c *libCall) (ctype.Word, *Fault) {
	name := strings.TrimPrefix(c.name, "v")
	at := 0
	if strings.HasPrefix(name, "err") {
		at = 1
	}
	e, f := m.load(m.lib.errno, ctype.IntT)
	if f != nil {
		return 0, f
	}
	text := filepath.Base(m.cfg.Name) + ": "
	if c.arg(at) != 0 {
		out, _, f := formatted(m, c, at)
		if f != nil {
			return 0, f
		}
		text += string(out)
		if !strings.HasSuffix(name, "x") {
			text += ": "
		}
	}
	if !strings.HasSuffix(name, "x") {
		text += errorText(int64(e))
	}
	if f := m.lib.stdio.write(2, []byte(text+"\n")); f != nil || at == 0 {
		return 0, f
	}
	return libExit(m, c)
}
