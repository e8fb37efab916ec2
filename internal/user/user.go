package user

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/heap"
	"gulo/internal/session"
)

// This file types commands and draws.

// Picture is what a session shows.
type Picture struct {
	Graph  *heap.Graph
	Result string // what the function that is at its end returns; empty elsewhere

	Unread map[string]bool // entities that do not count: nothing reads them any more; nil: all count
}

// Shown is the picture of a session.
func Shown(s *session.Session) Picture {
	text, _ := s.Result()
	return Picture{Graph: s.Graph(), Result: text}
}

// User is a user in a session.
type User struct {
	Session *session.Session
	Typed   []string     // commands that were done
	Log     bytes.Buffer // the transcript
	names   map[string]string
}

// Do types a command. The error is the session's, which the transcript has, too.
func (u *User) Do(ctx context.Context, command string) (string, error) {
	text, _, err := u.Session.Exec(ctx, command)
	fmt.Fprintf(&u.Log, "(gulo) %s\n%s", command, text)
	if err != nil {
		fmt.Fprintf(&u.Log, "error: %v\n", err)
		return text, err
	}
	u.Typed = append(u.Typed, command)
	return text, nil
}

// ErrTooMuch says that the picture differs in more places than the user draws.
var ErrTooMuch = errors.New("too much to draw")

// Draw makes the picture that of the right program; most bounds the changes, and n is how many it made.
func (u *User) Draw(ctx context.Context, want Picture, most int) (n int, err error) {
	for ; ; n++ {
		c := u.Difference(want)
		if c == nil {
			return n, nil
		}
		if n == most {
			return n, ErrTooMuch
		}
		if err := u.Change(ctx, c); err != nil {
			return n, err
		}
	}
}

// Change draws one difference.
func (u *User) Change(ctx context.Context, c *Change) error {
	if _, err := u.Do(ctx, "change "+c.Key+" "+c.Value); err != nil || c.node == "" {
		return err
	}
	if made, ok := u.Session.Graph().Cell(c.Key); ok { // the right program has another name for the new node
		u.names[c.node] = made.Value.Text
	}
	return nil
}

// Change is a difference between two pictures: what is to be drawn.
type Change struct {
	Key, Value string
	Now        string // what is there; empty for nothing
	node       string // the node of the right picture that Value makes; "" for none
}

// Difference returns the first place where the picture is not the right one, nil for none.
func (u *User) Difference(want Picture) *Change {
	if u.names == nil {
		u.names = map[string]string{}
	}
	return difference(Shown(u.Session), want, u.names)
}

// result is the name by which change knows what a function returns.
const result = "result"

// difference returns the first place where a picture is not the right one; nil for none. names maps nodes of the right
// picture to those of this one where the names differ. It does not compare variables that only one picture has, or has
// with another type, and variables that the right program did not set. Nor does it compare a zero with memory that was
// never written, unless that is known to be read.
func difference(have, want Picture, names map[string]string) *Change {
	for _, k := range want.Graph.Keys() {
		right, _ := want.Graph.Cell(k)
		if right.Value.Text == "?" || want.Unread[k] {
			continue
		}
		key, value := renamed(k, names), renamed(right.Value.Text, names)
		cell, ok := have.Graph.Cell(key)
		switch {
		case !ok && !strings.Contains(k, "->"):
			continue
		case ok && (cell.Value.Text == value || !comparable(cell.Type, right.Type)):
			continue
		case ok && cell.Value.Text == "?" && value == "0" && (want.Unread == nil || cell.Field != ""): // it may be set before it is read
			continue
		}
		c := &Change{Key: key, Value: value}
		if ok {
			c.Now = cell.Value.Text
		}
		if node, ok := want.Graph.Node(right.Value.Text); ok && names[node.Name()] == "" {
			if _, there := have.Graph.Node(value); !there {
				c.Value, c.node = "new", node.Name()
			}
		}
		return c
	}
	if value := renamed(want.Result, names); value != "" && have.Result != "" && value != have.Result {
		return &Change{Key: result, Value: value, Now: have.Result}
	}
	return nil
}

// comparable reports whether what two programs have under one name can be the same thing.
func comparable(a, b *ctype.Type) bool {
	return a == nil || b == nil || a.Kind == b.Kind && a.Size == b.Size
}

// renamed replaces the node at the beginning of a key or value.
func renamed(text string, names map[string]string) string {
	end := strings.IndexFunc(text, func(r rune) bool { return r != 'n' && (r < '0' || r > '9') })
	if end < 0 {
		end = len(text)
	}
	if to := names[text[:end]]; to != "" {
		return to + text[end:]
	}
	return text
}
