package user

import (
	"context"
	"fmt"
)

// This file runs a session to a moment.

// Go runs a session to a moment of the run that the command start begins.
func (u *User) Go(ctx context.Context, start string, m *Moment) error {
	commands := []string{start}
	if m.Func != "main" {
		at := "break " + m.Func
		if m.Call > 1 {
			at += fmt.Sprintf(" times %d", m.Call)
		}
		commands = append(commands, at, "continue", "break -"+m.Func)
	}
	if m.Steps > 0 {
		commands = append(commands, fmt.Sprintf("next %d", m.Steps))
	}
	if m.Lead != "" {
		commands = append(commands, m.Lead)
	}
	for _, c := range commands {
		if _, err := u.Do(ctx, c); err != nil {
			return err
		}
	}
	return nil
}
