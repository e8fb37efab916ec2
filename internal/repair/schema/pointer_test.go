package schema

import "testing"

// TestThroughPointer: who walks with a pointer to a link steps on where the link was to change.
func TestThroughPointer(t *testing.T) {
	const text = `struct n { int v; struct n *next; };
static struct n *head;
static void drop(int v)
{
    struct n **pp = &head;
    while (*pp && (*pp)->v != v)
        pp = &(*pp)->next;
    if (*pp) {
        struct n *dead = *pp;
        *pp = dead->next;
        free(dead);
    }
}
int main(int argc, char **argv)
{
    for (int i = 2; i < argc; i++) {
        struct n *x = malloc(sizeof *x);
        x->v = atoi(argv[i]);
        x->next = head;
        head = x;
    }
    drop(atoi(argv[1]));
    for (struct n *p = head; p; p = p->next)
        printf("%d ", p->v);
    printf("\n");
    return 0;
}
`
	repairs(t, []mistake{{"a step for a link", text, "*pp = dead->next", "pp = &dead->next", "2 1 2 3|1 1 2 3|3 1 2 3|5 1 2|1 1", "4 4 5|1 2 1 3|7 1 7"}})
	repairs(t, []mistake{{"a link for a step", text, "pp = &(*pp)->next", "*pp = (*pp)->next", "2 1 2 3|1 1 2 3|3 1 2 3|5 1 2|1 1", "4 4 5|1 2 1 3|7 1 7"}})
}
