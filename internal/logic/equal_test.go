package logic

import (
	"context"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/lower/lowertest"
	"gulo/internal/smt"
)

// ticket is a program whose fee is what tests change.
const ticket = `#include <stdio.h>
#include <stdlib.h>
#define LIMIT 65
int sold;
int fee(int age)
{
    if (age >= LIMIT)
        return 200;
    return 300;
}
int price(int age, int count)
{
    sold = sold + count;
    if (age < 0)
        return 0;
    return fee(age) * 2;
}
int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    printf("%d\n", price(atoi(argv[1]), atoi(argv[2])));
    return 0;
}
`

// ticketWith returns ticket with some text in place of another.
func ticketWith(t *testing.T, subs ...string) *lower.Program {
	text := ticket
	for i := 0; i < len(subs); i += 2 {
		if strings.Count(text, subs[i]) != 1 {
			t.Fatalf("%q is not there once", subs[i])
		}
		text = strings.Replace(text, subs[i], subs[i+1], 1)
	}
	p, _ := lowertest.Load(t, text)
	return p
}

func TestCompare(t *testing.T) {
	if !smt.Available() {
		t.Skip("no z3")
	}
	for _, x := range []struct {
		name  string
		subs  []string
		proof string // begins so; empty: nothing may be proved
		entry string // that differs; empty: none is known
	}{
		{"the same tree", []string{"fee(int age)\n{\n    if (age >= LIMIT)", "fee(int years)\n{\n\n    if (years >= 65)"}, "proved for all inputs", ""},
		{"other text", []string{"age >= LIMIT", "!(age < LIMIT)"}, "proved: fee does what", ""},
		{"another macro", []string{"LIMIT 65", "LIMIT 66"}, "", "price"},
		{"what the caller never passes", []string{"    if (age >= LIMIT)", "    if (age < -5)\n        return 7;\n    if (age >= LIMIT)"}, "proved: price does what", ""},
		{"one number", []string{"age >= LIMIT", "age >= LIMIT && age != 77"}, "", "price"},
		{"a variable that is left", []string{"sold = sold + count;", "sold = sold + count + (age == 12345);"}, "", "price"},
		{"a variable that begins otherwise", []string{"int sold;", "int sold = 1;"}, "", ""},
		{"main", []string{"argc != 3", "argc < 3"}, "", ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			ref, p := ticketWith(t), ticketWith(t, x.subs...)
			c := NewComparer(&job.Job{Files: []string{"a.c"}}, ref)
			defer c.Close()
			e, err := c.Compare(context.Background(), p, time.Now().Add(time.Minute))
			if err != nil {
				t.Fatal(err)
			}
			if got := e.Proof(); x.proof == "" && got != "" || !strings.HasPrefix(got, x.proof) {
				t.Errorf("proof %q", got)
			}
			entry := ""
			if f := e.Entry(); f != nil {
				entry = f.Name
			}
			if entry != x.entry {
				t.Errorf("differs: %q", entry)
			}
		})
	}
}

// TestDiffering asks for numbers with which a function differs when some are given.
func TestDiffering(t *testing.T) {
	if !smt.Available() {
		t.Skip("no z3")
	}
	ctx := context.Background()
	c := NewComparer(&job.Job{Files: []string{"a.c"}}, ticketWith(t))
	defer c.Close()
	e, err := c.Compare(ctx, ticketWith(t, "age >= LIMIT", "age >= LIMIT && age != 77"), time.Now().Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	m, err := e.Differing(ctx, map[string]int64{"sold": 0, "count": 3})
	if err != nil || m["age"] != 77 || m["count"] != 3 {
		t.Errorf("%v %v", m, err)
	}
	if m, err = e.Differing(ctx, map[string]int64{"age": 5}); m != nil || err != nil {
		t.Errorf("at 5 they do not differ: %v %v", m, err)
	}
	if _, err := c.Compare(ctx, ticketWith(t), time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if m, err = e.Differing(ctx, nil); m != nil || err != nil {
		t.Errorf("the solver knows another program: %v %v", m, err)
	}
}
