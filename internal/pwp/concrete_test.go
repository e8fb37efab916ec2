package pwp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/contract"
)

// entered are functions whose contracts speak of what pointers led to on entry, with a mistake
// that breaks them.
var entered = []struct{ text, right, wrong string }{
	{`/* pre:  acyclic(p)
   post: result == 0 || result == 1
   post: implies(old(p && p->next), result == (old(p->value) == old(p->next->value)))
   post: implies(old(p && p->next) && result, p->value == old(p->next->value) + 1 && p->next->value == old(p->value)) */
int bump(struct node *p)
{
    if (p == NULL || p->next == NULL || p->value != p->next->value)
        return 0;
    p->value++;
    return 1;
}
`, "p->value++", "p->next->value++"},
	{`struct shelf { struct node *top[3]; int n; };
/* pre:  n >= 0 && n < 3 && acyclic(l)
   post: forall(i, 0, n, shelf.top[i] == old(shelf.top[i]))
   post: shelf.top[n] == old(l) && sum(i, 0, n, length(shelf.top[i])) == old(sum(i, 0, n, length(shelf.top[i])))
   post: implies(l, l->value == old(l->value)) */
static struct shelf shelf;
void put(struct node *l, int n)
{
    shelf.top[n] = l;
    if (l != NULL)
        l->value += 0;
}
`, "+= 0", "+= n"},
	{`/* pre:  acyclic(l) && k >= 0
   post: implies(old(l && l->next && l->next->value == k), l->next == old(l->next->next))
   post: implies(old(l && l->next && l->next->value != k), l->next == old(l->next) && l->next->next == old(l)->next->next) */
void drop_second(struct node *l, int k)
{
    if (l != NULL && l->next != NULL && l->next->value == k)
        l->next = l->next->next;
}
`, "l->next->value == k)\n        l", "l->next->value >= k)\n        l"},
	{`/* pre:  n >= 0 && n <= 6
   post: forall(i, 0, n, implies(i > 0, a[i] == old(a)[i] + old(a[i - 1])))
   post: implies(n > 0, a[0] == old(a[0])) */
void pairs(int *a, int n)
{
    for (int i = n - 1; i > 0; i--)
        a[i] += a[i - 1];
}
`, "i > 0; i--", "i > 1; i--"},
	{`/* pre:  n >= 0 && n <= 6
   post: forall(i, 0, n, a[i] == sum(k, 0, i + 1, old(a[k]))) */
void sums(int *a, int n)
{
    for (int i = 1; i < n; i++)
        a[i] += a[i - 1];
}
`, "i = 1", "i = 2"},
}

// TestConcrete: calls of right and wrong functions break their contract as it is exactly when they
// break it as C that is executed, also where conditions go through pointers on entry.
func TestConcrete(t *testing.T) {
	const head = "#include <stddef.h>\nstruct node { int value; struct node *next; };\n"
	const room = "\nunsigned long gulo_room(const volatile void *p) { (void)p; return 6 * sizeof(int); }\n"
	write := func(ct *contract.Contract) (string, error) {
		text, err := ct.Concrete(func(*cfront.Var) int { return usualLen })
		return text + room, err
	}
	for _, c := range entered {
		text := head + c.text
		if i := strings.Index(text, "static struct shelf shelf;\n"); i >= 0 { // the contract stands above the function
			text = strings.Replace(text, "static struct shelf shelf;\n", "", 1)
			text = strings.Replace(text, "/* pre:", "static struct shelf shelf;\n/* pre:", 1)
		}
		if n, ok := asC(t, file(t, "p.c", text), write); n > 0 || !ok {
			t.Errorf("%d calls of a right function break its contract (written: %t):\n%s", n, ok, text)
		}
		wrong := strings.Replace(text, c.right, c.wrong, 1)
		if wrong == text {
			t.Fatalf("there is no %q in\n%s", c.right, text)
		}
		if n, _ := asC(t, file(t, "p.c", wrong), write); n == 0 {
			t.Errorf("no call breaks the contract:\n%s", wrong)
		}
	}
	files, err := filepath.Glob("../bench/contracts/*.c")
	if err != nil || len(files) < 20 {
		t.Fatal(err, len(files))
	}
	broken := 0
	for _, name := range files[:len(files)/2] {
		right, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		body := strings.Index(string(right), "{")
		text := string(right)[:body] + strings.Replace(string(right)[body:], " < ", " <= ", 1)
		n, _ := asC(t, file(t, "p.c", text), write)
		broken += n
	}
	if broken < 50 {
		t.Errorf("%d calls broke a contract", broken)
	}
}
