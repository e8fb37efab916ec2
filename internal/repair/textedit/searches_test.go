package textedit_test

import "testing"

// TestOtherSide: a search goes on in the other link of a node, too.
func TestOtherSide(t *testing.T) {
	const family = `typedef struct person {
  char name[8];
  int age;
  struct person *child, *sibling;
} person;
static person *add(const char *name, int age)
{
  person *p = calloc(1, sizeof(person));
  strncpy(p->name, name, 7);
  p->age = age;
  return p;
}
static person *find(person *p, const char *name)
{
  person *found;
  if (p == NULL || strcmp(p->name, name) == 0)
    return p;
  found = find(p->child, name);
  return found != NULL ? found : find(p->sibling, name);
}
static int years(person *p)
{
  if (p == NULL)
    return 0;
  return p->age + years(p->child) + years(p->sibling);
}
int main(int argc, char **argv)
{
  person *root = add("root", 90);
  int i;
  for (i = 1; i + 2 < argc; i += 3) {
    person *at = find(root, argv[i]), *new;
    if (at == NULL) {
      printf("nobody is called %s\n", argv[i]);
      continue;
    }
    new = add(argv[i + 1], atoi(argv[i + 2]));
    new->sibling = at->child;
    at->child = new;
  }
  printf("%d\n", years(root));
  return 0;
}
`
	repairs(t, []mistake{
		{"a search", family, "return found != NULL ? found : find(p->sibling, name);", "return found;", "root a 5|root a 5 root b 6 a c 7|root b 1 b c 2|root x 3 root y 4 y z 5 x q 6", "root a 5 root b 6 root c 7 a d 8 b e 9|root p 1 p q 2 p r 3 q s 4"},
		{"a sum", family, "p->age + years(p->child) + years(p->sibling)", "p->age + years(p->child)", "root a 5|root a 5 root b 6 a c 7|root b 1 b c 2|root x 3 root y 4 y z 5 x q 6", "root a 5 root b 6 root c 7 a d 8 b e 9|root p 1 p q 2 p r 3 q s 4"},
	})
}

// TestAllKeys: what is looked for is what agrees in all that is given.
func TestAllKeys(t *testing.T) {
	const tickets = `struct ticket {
    int row, seat;
    char who;
    struct ticket *next;
};
static struct ticket *sold;
static void sell(int row, int seat, char who)
{
    struct ticket **p = &sold;
    while (*p != NULL && ((*p)->row != row || (*p)->seat != seat))
        p = &(*p)->next;
    if (*p == NULL) {
        *p = calloc(1, sizeof **p);
        (*p)->row = row;
        (*p)->seat = seat;
    }
    (*p)->who = who;
}
static char holder(int row, int seat)
{
    struct ticket *t;
    for (t = sold; t != NULL; t = t->next)
        if (t->row == row && t->seat == seat)
            return t->who;
    return '-';
}
int main(int argc, char **argv)
{
    int i, n = 0;
    for (i = 1; i + 2 < argc; i += 3)
        sell(atoi(argv[i]), atoi(argv[i + 1]), argv[i + 2][0]);
    for (i = 1; i + 2 < argc; i += 3)
        printf("%c", holder(atoi(argv[i]), atoi(argv[i + 1])));
    for (struct ticket *t = sold; t != NULL; t = t->next)
        n++;
    printf(" %d\n", n);
    return 0;
}
`
	repairs(t, []mistake{
		{"a place in a list", tickets, "while (*p != NULL && ((*p)->row != row || (*p)->seat != seat))", "while (*p != NULL)", "1 1 a|1 1 a 1 1 b|1 2 a 2 1 b 1 1 c 1 2 d|3 4 x 3 5 y 4 4 z", "5 5 a 5 6 b 6 5 c 5 5 d 6 5 e|1 1 a 2 2 b 1 2 c 2 1 d"},
		{"half of what is looked for", tickets, "t->row == row && t->seat == seat", "t->row == row", "1 1 a|1 1 a 1 2 b|1 2 a 2 1 b 1 1 c 1 2 d|3 4 x 3 5 y 4 4 z", "5 5 a 5 6 b 6 5 c 5 5 d 6 5 e|1 1 a 2 2 b 1 2 c 2 1 d"},
	})
}

// TestClearedTogether: all links of a record begin anew.
func TestClearedTogether(t *testing.T) {
	const desk = `struct ticket { int no; struct ticket *behind; };
struct line { struct ticket *front, *back; };
static struct line lines[3];
static void join(int which, int no)
{
    struct line *q = lines + which;
    struct ticket *t = calloc(1, sizeof *t);
    t->no = no;
    if (q->back != NULL)
        q->back->behind = t;
    if (q->front == NULL)
        q->front = t;
    q->back = t;
}
static int serve(int which)
{
    struct line *q = lines + which;
    int n = 0;
    for (struct ticket *t = q->front; t != NULL; t = t->behind) {
        printf("%d ", t->no);
        n++;
    }
    q->front = NULL;
    q->back = NULL;
    return n;
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == 's')
            printf("= %d\n", serve(argv[i][1] - '0'));
        else
            join(argv[i][0] - '0', i);
    return 0;
}
`
	repairs(t, []mistake{
		{"a line", desk, "    q->front = NULL;\n    q->back = NULL;\n", "", "0 0 s0|0 s0 0 s0|1 2 s1 1 s1 s2", "2 2 s2 2 s2 0 s0 0 s0|1 s1 s1 1 1 s1"},
	})
}

// TestEverywhere: the wrong one of two is named several times in a statement.
func TestEverywhere(t *testing.T) {
	const cells = `struct row { int n; char cell[64]; };
static int at(const struct row *r, int i)
{
    return i >= 0 && i < r->n && r->cell[i];
}
static void step(struct row *r, int rule)
{
    struct row next;
    next.n = r->n;
    for (int i = 0; i < r->n; i++) {
        int around = at(r, i - 1) * 4 + at(r, i) * 2 + at(r, i + 1);
        next.cell[i] = rule >> around & 1;
    }
    *r = next;
}
int main(int argc, char **argv)
{
    struct row r = {0};
    if (argc < 3)
        return 1;
    for (char *c = argv[2]; *c; c++)
        r.cell[r.n++] = *c == '#';
    for (int i = 0; i < 3; i++) {
        step(&r, atoi(argv[1]));
        for (int k = 0; k < r.n; k++)
            printf("%c", r.cell[k] ? '#' : '.');
        printf("\n");
    }
    return 0;
}
`
	repairs(t, []mistake{
		{"old and new", cells, "at(r, i - 1) * 4 + at(r, i) * 2 + at(r, i + 1)", "at(&next, i - 1) * 4 + at(&next, i) * 2 + at(&next, i + 1)", "30 ...#...|110 ....#|90 #..#..#|1 .", "30 .##.#..#|110 ##..##.#|150 #.#.#.#"},
	})
}

// TestLeaves asks whether a node has none of its links.
func TestLeaves(t *testing.T) {
	const tree = `struct tree { int v; struct tree *left, *right; };
static struct tree *insert(struct tree *t, int v)
{
    if (!t) {
        t = calloc(1, sizeof *t);
        t->v = v;
    } else if (v < t->v)
        t->left = insert(t->left, v);
    else if (v > t->v)
        t->right = insert(t->right, v);
    return t;
}
static void show(struct tree *t)
{
    if (t) {
        show(t->left);
        printf("%d ", t->v);
        show(t->right);
    }
}
`
	repairs(t, []mistake{
		{"leaves", tree + `static int leaves(struct tree *t)
{
    if (!t)
        return 0;
    if (t->left == NULL && t->right == NULL)
        return 1;
    return leaves(t->left) + leaves(t->right);
}
int main(int argc, char **argv)
{
    struct tree *t = NULL;
    for (int i = 1; i < argc; i++)
        t = insert(t, atoi(argv[i]));
    printf("%d\n", leaves(t));
    return 0;
}
`, "    if (t->left == NULL && t->right == NULL)\n        return 1;\n", "", "1|1 2 3|3 2 1|2 1 3", "4 2 6 5 7 8|1 3 2"},
	})
}
