package machine

import "gulo/internal/ctype"

// This file is termios.h. No descriptor is a terminal: functions on a terminal fail with ENOTTY, those that only change
// a struct termios work.

func init() {
	register(map[string]builtin{
		"tcgetattr": libTerminal, "tcsetattr": libTerminal, "tcflush": libTerminal, "tcdrain": libTerminal, "tcflow": libTerminal,
		"tcsendbreak": libTerminal, "tcgetpgrp": libTerminal, "tcsetpgrp": libTerminal, "tcgetsid": libTerminal,
		"cfmakeraw": libMakeRaw, "cfgetispeed": libGetSpeed, "cfgetospeed": libGetSpeed, "cfsetispeed": libSetSpeed, "cfsetospeed": libSetSpeed, "cfsetspeed": libSetSpeed,
	})
}

// Where struct termios has its members, and glibc's bits of its flags.
const (
	termInput   = 0
	termOutput  = 4
	termControl = 8
	termLocal   = 12
	termTime    = 17 + 5 // c_cc[VTIME]
	termMinimum = 17 + 6
	termInSpeed = 52

	inputCooked = 0o2753 // IGNBRK BRKINT PARMRK ISTRIP INLCR IGNCR ICRNL IXON
	outputDone  = 0o1    // OPOST
	localCooked = 0o100113
	sizeParity  = 0o460 // CSIZE PARENB
	eightBits   = 0o60  // CS8
	speedBits   = 0o10017
	noInSpeed   = 0o20000000000 // IBAUD0 of glibc: the speed of input is that of output
)

// libTerminal is every function that reads or sets the state of a terminal; it fails.
func libTerminal(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.name == "tcsetattr" && (c.int(1) < 0 || c.int(1) > 2) {
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	}
	noTerminal(m, c)
	return ^ctype.Word(0), nil
}

// changeWord clears some bits of a flag of a struct termios and sets others.
func changeWord(m *Machine, at, without, with ctype.Word) *Fault {
	w, f := m.load(at, ctype.UIntT)
	if f != nil {
		return f
	}
	return m.store(at, ctype.UIntT, w&^without|with)
}

func libMakeRaw(m *Machine, c *libCall) (ctype.Word, *Fault) {
	for _, x := range [][3]ctype.Word{{termInput, inputCooked, 0}, {termOutput, outputDone, 0}, {termLocal, localCooked, 0}, {termControl, sizeParity, eightBits}} {
		if f := changeWord(m, c.arg(0)+x[0], x[1], x[2]); f != nil {
			return 0, f
		}
	}
	if f := m.putBytes(c.arg(0)+termMinimum, []byte{1}); f != nil {
		return 0, f
	}
	return 0, m.putBytes(c.arg(0)+termTime, []byte{0})
}

func libGetSpeed(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.name == "cfgetispeed" {
		w, f := m.load(c.arg(0)+termInput, ctype.UIntT)
		if f != nil || w&noInSpeed != 0 {
			return 0, f
		}
	}
	w, f := m.load(c.arg(0)+termControl, ctype.UIntT)
	return w & speedBits, f
}

// bauds are the speeds that have a constant, in its order: B0 to B38400, then B57600 to B4000000.
var bauds = []ctype.Word{0, 50, 75, 110, 134, 150, 200, 300, 600, 1200, 1800, 2400, 4800, 9600, 19200, 38400}
var fastBauds = []ctype.Word{57600, 115200, 230400, 460800, 500000, 576000, 921600, 1000000, 1152000, 1500000, 2000000, 2500000, 3000000, 3500000, 4000000}

// speedOf is the constant of a speed, which cfsetspeed also takes as a number.
func speedOf(w ctype.Word, number bool) (ctype.Word, bool) {
	if w < ctype.Word(len(bauds)) || w > 0o10000 && w <= 0o10000+ctype.Word(len(fastBauds)) {
		return w, true
	}
	for i, n := range bauds {
		if number && n == w {
			return ctype.Word(i), true
		}
	}
	for i, n := range fastBauds {
		if number && n == w {
			return 0o10001 + ctype.Word(i), true
		}
	}
	return 0, false
}

func libSetSpeed(m *Machine, c *libCall) (ctype.Word, *Fault) {
	speed, ok := speedOf(ctype.Word(uint32(c.arg(1))), c.name == "cfsetspeed")
	if !ok {
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	}
	if c.name != "cfsetispeed" {
		if f := setSpeed(m, c.arg(0), 4, speed); f != nil || c.name == "cfsetospeed" {
			return 0, f
		}
	}
	if speed == 0 {
		if f := m.store(c.arg(0)+termInSpeed, ctype.UIntT, 0); f != nil {
			return 0, f
		}
		return 0, changeWord(m, c.arg(0)+termInput, 0, noInSpeed)
	}
	if f := changeWord(m, c.arg(0)+termInput, noInSpeed, 0); f != nil {
		return 0, f
	}
	return 0, setSpeed(m, c.arg(0), 0, speed)
}

// setSpeed sets one of the two speeds. The bits in the control flags are the same for both.
func setSpeed(m *Machine, at, off, speed ctype.Word) *Fault {
	if f := m.store(at+termInSpeed+off, ctype.UIntT, speed); f != nil {
		return f
	}
	return changeWord(m, at+termControl, speedBits, speed)
}
