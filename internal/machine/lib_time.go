package machine

import (
	"fmt"
	"math"
	"strings"
	"time"

	"gulo/internal/ctype"
)

// This file is time.h. The clock counts instructions, so that runs are repeatable;
// the zone is what TZ says, else UTC.

func init() {
	register(map[string]builtin{
		"time": libTime, "clock": libClock, "difftime": libDifftime, "gmtime": libBrokenDown, "localtime": libBrokenDown, "gmtime_r": libBrokenDown,
		"localtime_r": libBrokenDown, "mktime": libMktime, "timegm": libMktime, "timelocal": libMktime, "asctime": libAsctime, "ctime": libAsctime,
		"asctime_r": libAsctime, "ctime_r": libAsctime, "strftime": libStrftime, "gettimeofday": libGettimeofday, "clock_gettime": libClockGettime,
		"clock_getres": libClockGetres, "tzset": constant(0), "timespec_get": libTimespecGet,
	})
}

// firstSecond is when every run begins.
const firstSecond = 1_700_000_000

// now is the time of day in seconds, and clock the processor's in microseconds:
// a hundred million instructions are a second.
func (m *Machine) now() int64 { return firstSecond + m.nanos()/1_000_000_000 }

func libTime(m *Machine, c *libCall) (ctype.Word, *Fault) {
	t := ctype.Word(m.now())
	if c.arg(0) != 0 {
		return t, m.store(c.arg(0), ctype.LongT, t)
	}
	return t, nil
}

func libClock(m *Machine, c *libCall) (ctype.Word, *Fault) { return ctype.Word(m.steps / 100), nil }

func libDifftime(m *Machine, c *libCall) (ctype.Word, *Fault) {
	return math.Float64bits(float64(c.long(0) - c.long(1))), nil
}

func zoneOf(m *Machine) *time.Location {
	for _, e := range m.cfg.Env {
		if name, ok := strings.CutPrefix(e, "TZ="); ok && name != "" {
			if z, err := time.LoadLocation(strings.TrimPrefix(name, ":")); err == nil {
				return z
			}
		}
	}
	return time.UTC
}

// putTm stores a time as a struct tm: nine numbers, then offset and zone.
func putTm(m *Machine, at ctype.Word, t time.Time) *Fault {
	dst := int64(0)
	if t.IsDST() {
		dst = 1
	}
	for i, v := range []int64{int64(t.Second()), int64(t.Minute()), int64(t.Hour()), int64(t.Day()), int64(t.Month()) - 1, int64(t.Year()) - 1900,
		int64(t.Weekday()), int64(t.YearDay()) - 1, dst} {
		if f := m.store(at+ctype.Word(4*i), ctype.IntT, ctype.Word(v)); f != nil {
			return f
		}
	}
	name, offset := t.Zone()
	if t.Location() == time.UTC {
		name = "GMT"
	}
	if f := m.store(at+40, ctype.LongT, ctype.Word(int64(offset))); f != nil {
		return f
	}
	return m.store(at+48, ctype.VoidPtrT, m.lib.text("the name of a time zone", name))
}

func getTm(m *Machine, at ctype.Word, zone *time.Location) (time.Time, *Fault) {
	var v [6]int
	for i := range v {
		w, f := m.load(at+ctype.Word(4*i), ctype.IntT)
		if f != nil {
			return time.Time{}, f
		}
		v[i] = int(int64(w))
	}
	return time.Date(v[5]+1900, time.Month(v[4]+1), v[3], v[2], v[1], v[0], 0, zone), nil
}

// object returns the one object that the function of that name returns, and makes it on first use.
func (l *library) object(name string, size int64) ctype.Word {
	if p := l.tables[name]; p != 0 {
		return p
	}
	b := l.m.newBlock(Global, size)
	b.Name = "what " + name + " returns"
	t := map[string]ctype.Word{name: ctype.MakePointer(b.ID, 0)}
	for k, v := range l.tables {
		t[k] = v
	}
	l.tables = t
	return t[name]
}

func libBrokenDown(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.load(c.arg(0), ctype.LongT)
	if f != nil {
		return 0, f
	}
	zone := time.UTC
	if strings.HasPrefix(c.name, "local") {
		zone = zoneOf(m)
	}
	to := c.arg(1)
	if !strings.HasSuffix(c.name, "_r") {
		to = m.lib.object("localtime", 56)
	}
	return to, putTm(m, to, time.Unix(int64(s), 0).In(zone))
}

func libMktime(m *Machine, c *libCall) (ctype.Word, *Fault) {
	zone := zoneOf(m)
	if c.name == "timegm" {
		zone = time.UTC
	}
	t, f := getTm(m, c.arg(0), zone)
	if f != nil {
		return 0, f
	}
	return ctype.Word(t.Unix()), putTm(m, c.arg(0), t)
}

func libAsctime(m *Machine, c *libCall) (ctype.Word, *Fault) {
	var t time.Time
	var f *Fault
	if strings.HasPrefix(c.name, "ctime") {
		var s ctype.Word
		s, f = m.load(c.arg(0), ctype.LongT)
		t = time.Unix(int64(s), 0).In(zoneOf(m))
	} else {
		t, f = getTm(m, c.arg(0), time.UTC)
	}
	if f != nil {
		return 0, f
	}
	to := c.arg(1)
	if !strings.HasSuffix(c.name, "_r") {
		to = m.lib.object("asctime", 64)
	}
	return to, m.putString(to, t.Format("Mon Jan _2 15:04:05 2006")+"\n")
}

func libStrftime(m *Machine, c *libCall) (ctype.Word, *Fault) {
	format, f := m.cstring(c.arg(2))
	if f != nil {
		return 0, f
	}
	var v [9]int
	for i := range v {
		w, f := m.load(c.arg(3)+ctype.Word(4*i), ctype.IntT)
		if f != nil {
			return 0, f
		}
		v[i] = int(int64(w))
	}
	zone := "GMT"
	if w, f := m.load(c.arg(3)+48, ctype.VoidPtrT); f == nil && w != 0 {
		if s, f := m.cstring(w); f == nil {
			zone = s
		}
	}
	offset := 0
	if w, f := m.load(c.arg(3)+40, ctype.LongT); f == nil {
		offset = int(int64(w))
	}
	out, ok := timeText(format, v, zone, offset)
	if !ok {
		return 0, m.fault(Unsupported, 0, "strftime with the format %q is not supported", format)
	}
	if ctype.Word(len(out)) >= c.arg(1) {
		return 0, nil
	}
	return ctype.Word(len(out)), m.putString(c.arg(0), out)
}

// timeComposites are conversions that stand for several.
var timeComposites = map[byte]string{
	'c': "%a %b %e %H:%M:%S %Y", 'D': "%m/%d/%y", 'x': "%m/%d/%y", 'F': "%Y-%m-%d", 'r': "%I:%M:%S %p", 'R': "%H:%M", 'T': "%H:%M:%S", 'X': "%H:%M:%S",
	'n': "\n", 't': "\t",
}

var (
	dayNames   = []string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
	monthNames = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
)

// timeText is strftime in the locale "C"; v is struct tm's numbers.
func timeText(format string, v [9]int, zone string, offset int) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		i++
		if (format[i] == 'E' || format[i] == 'O') && i+1 < len(format) {
			i++
		}
		s, ok := timeComposites[format[i]]
		if ok {
			s, _ = timeText(s, v, zone, offset)
		} else if s, ok = timeNumber(format[i], v, offset); !ok {
			s, ok = timeWord(format[i], v, zone, offset)
		}
		if !ok {
			return "", false
		}
		b.WriteString(s)
	}
	return b.String(), true
}

// timeNumber is a conversion to a number.
func timeNumber(conversion byte, v [9]int, offset int) (string, bool) {
	sec, minute, hour, day, mon, year, wday, yday := v[0], v[1], v[2], v[3], v[4], v[5]+1900, v[6], v[7]
	date := func(h, m, s int) time.Time {
		return time.Date(year, time.Month(mon+1), day, h, m, s, 0, time.UTC)
	}
	isoYear, isoWeek := date(12, 0, 0).ISOWeek()
	h12 := (hour+11)%12 + 1
	x, ok := map[byte]struct {
		format string
		n      int64
	}{
		'C': {"%02d", int64(year / 100)}, 'd': {"%02d", int64(day)}, 'e': {"%2d", int64(day)}, 'g': {"%02d", int64(isoYear % 100)}, 'G': {"%d", int64(isoYear)},
		'H': {"%02d", int64(hour)}, 'I': {"%02d", int64(h12)}, 'j': {"%03d", int64(yday + 1)}, 'k': {"%2d", int64(hour)}, 'l': {"%2d", int64(h12)},
		'm': {"%02d", int64(mon + 1)}, 'M': {"%02d", int64(minute)}, 's': {"%d", date(hour, minute, sec).Unix() - int64(offset)}, 'S': {"%02d", int64(sec)},
		'u': {"%d", int64((wday+6)%7 + 1)}, 'U': {"%02d", int64((yday + 7 - wday) / 7)}, 'V': {"%02d", int64(isoWeek)}, 'w': {"%d", int64(wday)},
		'W': {"%02d", int64((yday + 7 - (wday+6)%7) / 7)}, 'y': {"%02d", int64(year % 100)}, 'Y': {"%d", int64(year)},
	}[conversion]
	return fmt.Sprintf(x.format, x.n), ok
}

// timeWord is a conversion to a word.
func timeWord(conversion byte, v [9]int, zone string, offset int) (string, bool) {
	name := func(list []string, i int) string {
		if i < 0 || i >= len(list) {
			return "?"
		}
		return list[i]
	}
	half := "AM"
	if v[2] >= 12 {
		half = "PM"
	}
	switch conversion {
	case 'a', 'A', 'b', 'B', 'h':
		s := name(monthNames, v[4])
		if conversion|0x20 == 'a' {
			s = name(dayNames, v[6])
		}
		if conversion >= 'a' {
			s = s[:min(3, len(s))]
		}
		return s, true
	case 'p':
		return half, true
	case 'P':
		return strings.ToLower(half), true
	case 'z':
		sign := '+'
		if offset < 0 {
			sign, offset = '-', -offset
		}
		return fmt.Sprintf("%c%02d%02d", sign, offset/3600, offset/60%60), true
	case 'Z':
		return zone, true
	case '%':
		return "%", true
	}
	return "", false
}

func libGettimeofday(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if f := m.store(c.arg(0), ctype.LongT, ctype.Word(m.now())); f != nil {
		return 0, f
	}
	return 0, m.store(c.arg(0)+8, ctype.LongT, ctype.Word(m.nanos()/1000%1_000_000))
}

func libClockGettime(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := ctype.Word(m.nanos() / 1_000_000_000)
	if c.int(0) == 0 {
		s = ctype.Word(m.now())
	}
	if f := m.store(c.arg(1), ctype.LongT, s); f != nil {
		return 0, f
	}
	return 0, m.store(c.arg(1)+8, ctype.LongT, ctype.Word(m.nanos()%1_000_000_000))
}

func libClockGetres(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.arg(1) == 0 {
		return 0, nil
	}
	if f := m.store(c.arg(1), ctype.LongT, 0); f != nil {
		return 0, f
	}
	return 0, m.store(c.arg(1)+8, ctype.LongT, 1)
}

func libTimespecGet(m *Machine, c *libCall) (ctype.Word, *Fault) {
	base := c.arg(1)
	c.args = []ctype.Word{0, c.arg(0)}
	_, f := libClockGettime(m, c)
	return base, f
}
