package session
import "gulo/internal/lower"
func (s *Session) Prog() *lower.Program {return s.prog}
