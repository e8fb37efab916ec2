package textedit_test

import "testing"

// ring is a game of counting out: children stand in a ring that is linked both ways.
const ring = `struct child { int n; struct child *next, *prev; };
static struct child *ring;
static void leave(struct child *c)
{
    c->prev->next = c->next;
    c->next->prev = c->prev;
    if (ring == c)
        ring = c->next;
    free(c);
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), left;
    for (int i = 1; i <= n; i++) {
        struct child *c = malloc(sizeof *c);
        c->n = i;
        if (ring == NULL) {
            c->next = c->prev = c;
            ring = c;
        } else {
            c->next = ring;
            c->prev = ring->prev;
            ring->prev->next = c;
            ring->prev = c;
        }
    }
    for (left = n; left > 1; left--) {
        struct child *c = ring;
        for (int i = 1; i < atoi(argv[2]); i++)
            c = left % 2 ? c->prev : c->next;
        printf("%d ", c->n);
        leave(c);
    }
    printf("- %d\n", ring->n);
    return 0;
}
`

// deque takes from both ends; one of them was copied from the other and half changed.
const deque = `struct node { int v; struct node *next, *prev; };
struct deque { struct node *head, *tail; };
static struct deque d;
static int take_head(void)
{
    struct node *n = d.head;
    int v = n->v;
    d.head = n->next;
    if (d.head)
        d.head->prev = NULL;
    else
        d.tail = NULL;
    free(n);
    return v;
}
static int take_tail(void)
{
    struct node *n = d.tail;
    int v = n->v;
    d.tail = n->prev;
    if (d.tail)
        d.tail->next = NULL;
    else
        d.head = NULL;
    free(n);
    return v;
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == 'h' && d.head)
            printf("%d ", take_head());
        else if (argv[i][0] == 't' && d.head)
            printf("%d ", take_tail());
        else if (argv[i][0] >= '0' && argv[i][0] <= '9') {
            struct node *n = malloc(sizeof *n);
            n->v = atoi(argv[i]);
            n->next = NULL;
            n->prev = d.tail;
            if (d.tail)
                d.tail->next = n;
            else
                d.head = n;
            d.tail = n;
        }
    }
    for (struct node *n = d.head; n; n = n->next)
        printf("<%d>", n->v);
    printf("\n");
    return 0;
}
`

// TestMirrored: what is done to one side and forgotten, or done again, for the other.
func TestMirrored(t *testing.T) {
	repairs(t, []mistake{
		{"the way back", ring, "    c->next->prev = c->prev;\n", "", "5 2|4 3|3 1|6 3", "7 2|8 3|2 2"},
		{"half changed", deque, "    if (d.tail)\n        d.tail->next = NULL;\n    else\n        d.head = NULL;\n", "    if (d.head)\n        d.head->prev = NULL;\n    else\n        d.tail = NULL;\n",
			"1 2 3 t|1 t 4|1 2 t h 5|1 2 h t|7 h 8 t", "1 2 3 4 t t h 9 8 t|5 t t 6 7 h"},
	})
}

// TestAsked: the sum over the children adds what each of them sums up to.
func TestAsked(t *testing.T) {
	const text = `struct dir { int size; struct dir *child, *next; };
static int total(const struct dir *d)
{
    int sum = d->size;
    for (const struct dir *c = d->child; c; c = c->next)
        sum += total(c);
    return sum;
}
int main(int argc, char **argv)
{
    struct dir *root = calloc(1, sizeof *root), *at = root;
    for (int i = 1; i < argc; i++) {
        struct dir *d = calloc(1, sizeof *d);
        d->size = atoi(argv[i] + 1);
        d->next = at->child;
        at->child = d;
        if (argv[i][0] == 'd')
            at = d;
    }
    printf("%d\n", total(root));
    return 0;
}
`
	repairs(t, []mistake{{"the function", text, "total(c)", "c->size", "f1 f2|d1 f2 f3|f4 d5 d6 f7|d3", "d1 d2 d3 f4 f5|f1 d1 f9"}})
}

// TestCopied: what is copied of one member and forgotten for another one of its type.
func TestCopied(t *testing.T) {
	const text = `struct entry { char *key, *value; int n; struct entry *next; };
static char *copy(const char *s)
{
    char *p = malloc(strlen(s) + 1);
    return strcpy(p, s);
}
static struct entry *twin(const struct entry *e)
{
    struct entry *t = malloc(sizeof *t);
    *t = *e;
    t->key = copy(e->key);
    t->value = copy(e->value);
    t->next = NULL;
    return t;
}
int main(int argc, char **argv)
{
    struct entry a = {copy(argv[1]), copy(argv[2]), argc, NULL};
    struct entry *b = twin(&a);
    for (char *p = b->value; *p; p++)
        *p = toupper(*p);
    b->key[0] = '*';
    printf("%s=%s %s=%s\n", a.key, a.value, b->key, b->value);
    return 0;
}
`
	repairs(t, []mistake{{"the value, too", text, "    t->value = copy(e->value);\n", "", "k abc|key v|x yz|a b", "left right|q rs"}})
}
