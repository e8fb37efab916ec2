package machine

// This file is the real programs that processes become when they call exec.

// outside is the real programs of a run.
type outside struct {
	running  int // that have not ended
	happened int // how much they have done
}

// program is a real program that a process has become.
type program struct{}

func (m *Machine) pump(patience int64) *Fault { return nil }
func (m *Machine) stopPrograms()              {}
func (m *Machine) signalProgram(p *process, n int64) {
}
