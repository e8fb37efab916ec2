package batch

import (
	"os"
	"strings"

	"gulo/internal/lower"
)

// This file is about lines that are locked.

// Locked reports whether a statement has a part in one of the lines.
func Locked(s *lower.Stmt, lines []int) bool {
	if s == nil || !s.Range.Valid() {
		return false
	}
	first := s.Range.Position().Line
	last := first + strings.Count(s.Range.Text(), "\n")
	for _, l := range lines {
		if first <= l && l <= last {
			return true
		}
	}
	return false
}

// CheckLock refuses locked lines that no file has.
func CheckLock(files []string, lines []int) error {
	most := 0
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		most = max(most, strings.Count(strings.TrimSuffix(string(b), "\n"), "\n")+1)
	}
	for _, l := range lines {
		if l < 1 || l > most {
			return usage("--lock %d: there is no such line; the program's last is %d", l, most)
		}
	}
	return nil
}
