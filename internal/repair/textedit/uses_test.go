package textedit

import (
	"slices"
	"testing"
)

const shelves = `#include <stdio.h>
#include <stdlib.h>

#define Q_HEAD(type) struct { struct type *first; struct type **last; }
#define Q_LINK(type) struct { struct type *next; struct type **prev; }
#define Q_PUT_FRONT(h, e, l) do {			\
	if (((e)->l.next = (h)->first) != NULL)		\
		(h)->first->l.prev = &(e)->l.next;	\
	else						\
		(h)->last = &(e)->l.next;		\
	(h)->first = (e);				\
	(e)->l.prev = &(h)->first;			\
} while (0)
#define Q_PUT_BACK(h, e, l) do {			\
	(e)->l.next = NULL;				\
	(e)->l.prev = (h)->last;			\
	*(h)->last = (e);				\
	(h)->last = &(e)->l.next;			\
} while (0)

struct book {
    int number;
    Q_LINK(book) by_shelf;
    Q_LINK(book) by_loan;
};

struct library {
    Q_HEAD(book) shelf, away;
};

static void lend(struct library *lib, struct book *b, struct book *other)
{
    if (b->number > 0)
        Q_PUT_BACK(&lib->shelf, b, by_loan);
}

int main(void)
{
    struct library lib;
    struct book b = {1}, c = {2};
    lib.shelf.last = &lib.shelf.first;
    lib.away.last = &lib.away.first;
    lend(&lib, &b, &c);
    printf("%d\n", lib.away.first ? 1 : 0);
    return 0;
}
`

// TestUses: what is passed to a macro that is used as a statement is edited, the macro with it, and what it
// makes is not.
func TestUses(t *testing.T) {
	var all []string
	for _, e := range listed(t, shelves) {
		all = append(all, e.Alt)
	}
	for _, want := range []string{
		"Q_PUT_BACK(&lib->shelf, other, by_loan);",
		"Q_PUT_BACK(&lib->shelf, b, by_shelf);",
		"Q_PUT_FRONT(&lib->shelf, b, by_loan);",
		"Q_PUT_BACK(&lib->away, b, by_loan);",
	} {
		if !slices.Contains(all, want) {
			t.Errorf("%s is not listed", want)
		}
	}
}
