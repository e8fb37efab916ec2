package session

import "gulo/internal/heap"

// This file takes images of the program's memory.

// capture copies the program's reachable memory.
func (s *recorder) capture() (*heap.Image, error) {
	s.camera.Know(s.seen)
	im, err := s.camera.Capture()
	if err != nil {
		return nil, err
	}
	s.shot = im
	im.SetTypes(s.prog.Tree)
	im.Views = s.views
	return im, nil
}

// nameLiterals numbers compound literals in the order in which they are first seen. A number stays for good.
func (s *recorder) nameLiterals(statics []*heap.Object) {
	for _, o := range statics {
		if o.Type == nil || !o.Type.IsAggregate() {
			continue
		}
		if s.literals[o.Addr] == 0 {
			s.literals[o.Addr] = len(s.literals) + 1
		}
		o.Seq = -s.literals[o.Addr]
	}
}
