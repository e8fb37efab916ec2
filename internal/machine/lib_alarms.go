package machine

import (
	"slices"

	"gulo/internal/ctype"
)

// This file is the timers of timer_create that send signals; the rest of them is written in C (timers.c).

func init() {
	register(map[string]builtin{"__gulo_timer_set": libTimerSet, "__gulo_timer_left": libTimerLeft, "__gulo_timer_overrun": libTimerOverrun})
}

// numberedTimer is such a timer.
type numberedTimer struct {
	timer
	which  int   // the clock, as elapsed has it
	signal int64 // 0 for none
	value  ctype.Word
	missed int // how often it was due since the signal before, without the last time
}

const codeTimer = -2 // SI_TIMER

// numbered is a timer of the program, as a zero where it has none of that number.
func (sg *signals) numbered(n int) (t numberedTimer) {
	if n < len(sg.alarms) {
		t = sg.alarms[n]
	}
	return t
}

func libTimerSet(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n := int(c.int(0))
	t := numberedTimer{which: int(c.int(3)), signal: c.int(1), value: c.arg(2)}
	t.timer = m.lib.signals.timerIn(t.which, c.long(4), c.long(5))
	all := make([]numberedTimer, max(n+1, len(m.lib.signals.alarms)))
	copy(all, m.lib.signals.alarms)
	all[n] = t
	m.lib.signals.alarms = all
	return 0, nil
}

func libTimerLeft(m *Machine, c *libCall) (ctype.Word, *Fault) {
	t := m.lib.signals.numbered(int(c.int(0)))
	if t.due == 0 {
		return 0, nil
	}
	return ctype.Word(max(t.due-m.lib.signals.elapsed(t.which), 1)), nil
}

func libTimerOverrun(m *Machine, c *libCall) (ctype.Word, *Fault) {
	return ctype.Word(m.lib.signals.numbered(int(c.int(0))).missed), nil
}

// pass moves a timer on that is due, and returns how often it was.
func (t *timer) pass(now int64) int64 {
	if t.every == 0 {
		t.due = 0
		return 1
	}
	n := (now-t.due)/t.every + 1
	t.due += n * t.every
	return n
}

// expireNumbered sends the signals of numbered timers that are due, and reports whether there are any.
func (sg *signals) expireNumbered() (some bool) {
	for i := range sg.alarms {
		now := sg.elapsed(sg.alarms[i].which)
		if due := sg.alarms[i].due; due == 0 || due > now {
			continue
		}
		sg.alarms = slices.Clone(sg.alarms)
		t := &sg.alarms[i]
		n := t.pass(now)
		if t.signal == 0 {
			continue
		}
		t.missed = int(n - 1)
		some = true
		sg.pending |= 1 << (t.signal - 1)
		sg.noteSent(t.signal, sent{pid: i, code: codeTimer, status: t.missed, value: t.value})
	}
	return some
}

// nextDue is when the next timer is due that goes by the time of day; 0 for none.
func (sg *signals) nextDue() int64 {
	due := sg.timers[0].due
	for i := range sg.alarms {
		if t := &sg.alarms[i]; t.which == 0 && t.due > 0 && (due == 0 || t.due < due) {
			due = t.due
		}
	}
	return due
}
